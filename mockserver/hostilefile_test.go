package mockserver_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/kernel"
)

// TestAttackATapesFirstLine: what a tape that somebody has sent says of the integration
// that it was recorded of goes into what is kept, which must be read again.
func TestAttackATapesFirstLine(t *testing.T) {
	t.Parallel()
	s := still(t, rehearsalOptions(6))
	t.Cleanup(s.Registry().Close)
	for name, line := range map[string]string{
		"/clock":       `"clock":"evil"`,
		"/environment": `"environment":"production"`,
		"/integration": `"integration":"../../../etc/passwd"`,
		"/latitude":    `"latitude":{"` + strings.Repeat("x", 100_000) + `":"y"}`,
	} {
		_, err := s.Load(t.Context(), []byte(`{"tape":1,"seed":1,"start":"2026-03-02T17:00:00Z",`+line+"}\n"))
		var refusal *kernel.Error
		require.ErrorAs(t, err, &refusal, name)
		require.Equal(t, name, refusal.Findings[0].Pointer)
		require.Less(t, len(err.Error()+refusal.Findings[0].Received), 1000, name)
	}
	_, err := s.Load(t.Context(), []byte(`{"tape":1,"seed":1,"start":"2026-03-02T17:00:00Z","integration":"`+strings.Repeat("a", 1<<20)+"\"}\n"))
	require.Error(t, err, "the id is part of every address")
}

// TestAttackATapeThatWaits: a call that waits, or asks for more than one integration, is
// not on a tape that a sandbox has written, and is not made.
func TestAttackATapeThatWaits(t *testing.T) {
	t.Parallel()
	s := still(t, rehearsalOptions(6))
	t.Cleanup(s.Registry().Close)
	for _, call := range []string{
		"/_sandbox/integrations/default/tape", "/_sandbox/integrations", "/_sandbox/docs", "/console/default/stream", "/_sandbox/integrations/default/snapshots",
	} {
		_, err := s.Load(t.Context(), fmt.Appendf(nil, `{"tape":1,"seed":1,"start":"2026-03-02T17:00:00Z"}
{"seq":1,"at":"2026-03-02T17:00:00Z","kind":"control","exchange":{"method":"GET","path":%q,"query":"wait=60s&since=9"}}
`, call))
		var refusal *kernel.Error
		require.ErrorAs(t, err, &refusal, call)
		require.Contains(t, refusal.Findings[0].Received, "no call of the control API that changes a world", call)
	}
}
