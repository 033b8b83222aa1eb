package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWhatPartnersAreGiven compares tapes by what partners are given: neither by their
// order, nor by ports and references, nor by what the control API does.
func TestWhatPartnersAreGiven(t *testing.T) {
	t.Parallel()
	tape := func(reference, status string, lines ...string) []string {
		text := `{"kind":"exchange","exchange":{"method":"GET","path":"/Company/` + reference + `/Status","request":{"header":[{"name":"Host","value":"127.0.0.1:4000"}]},"response":{"status":200,"header":[],"body":"` + status + `"}}}` + "\n"
		for _, line := range lines {
			text += line + "\n"
		}
		return visible([]byte(text))
	}
	const message = `{"kind":"message","message":{"to":"a@example.com"}}`
	usual := sight{"a": tape("loc-001-j67shtqc-3d0865f83bf83149", "Verified", message)}
	for name, c := range map[string]struct {
		now       []string
		seen, new bool
	}{
		"another run":       {tape("loc-001-aaaabbbb-3d0865f83bf83149", "Verified", message), false, false},
		"other control":     {tape("loc-001-j67shtqc-3d0865f83bf83149", "Verified", message, `{"kind":"control","exchange":{"path":"/x"}}`), false, false},
		"another answer":    {tape("loc-001-j67shtqc-3d0865f83bf83149", "Rejected", message), true, true},
		"a message is lost": {tape("loc-001-j67shtqc-3d0865f83bf83149", "Verified"), true, false},
	} {
		require.Equal(t, c.seen, usual.other(sight{"a": c.now}, false) != "", name)
		require.Equal(t, c.new, usual.other(sight{"a": c.now}, true) != "", name)
	}
}
