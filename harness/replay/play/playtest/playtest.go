// Package playtest opens the sandboxes that tests start.
package playtest

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
)

// Open makes the sandbox at an address ready to play in.
func Open(tb testing.TB, base string) *play.Sandbox {
	tb.Helper()
	s, err := play.Open(tb.Context(), base, "", http.DefaultClient)
	require.NoError(tb, err)
	return s
}

// Routes are the operations that it serves.
func Routes(tb testing.TB, base string) *correlate.Routes {
	tb.Helper()
	return Open(tb, base).Routes
}
