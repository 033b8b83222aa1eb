package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWhatPartnersAreGiven compares records of the features: each thing that is given,
// with all its lines.
func TestWhatPartnersAreGiven(t *testing.T) {
	t.Parallel()
	record := func(status string, more string) sight {
		return readSight("a.feature: One\t\n\tGET /Company/Status?\n\t\t200\n\t\t" + status + more + "\nb.feature: Two\t\n\tGET /\n\t\t404\n")
	}
	const message = "\n\tmessage to a@example.com"
	usual := record("Verified", message)
	require.Len(t, usual, 2)
	for name, c := range map[string]struct {
		now       sight
		seen, new bool
	}{
		"another run":       {record("Verified", message), false, false},
		"another answer":    {record("Rejected", message), true, true},
		"a message is lost": {record("Verified", ""), true, false},
		"nothing was told":  {readSight(""), true, false},
	} {
		require.Equal(t, c.seen, usual.other(c.now, false) != "", name)
		require.Equal(t, c.new, usual.other(c.now, true) != "", name)
	}
}
