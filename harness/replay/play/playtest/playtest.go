// Package playtest gives tests a sandbox to play in.
package playtest

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
	"paysandbox/mockserver/mocktest"
)

// Open starts a sandbox, which ends with the test.
func Open(tb testing.TB) *play.Sandbox {
	tb.Helper()
	s := mocktest.Start(tb, mocktest.Options{})
	opened, err := play.Open(tb.Context(), s.URL, "", http.DefaultClient)
	require.NoError(tb, err)
	opened.Tape = s.Server.Tape
	return opened
}

// Routes are the operations that it serves.
func Routes(tb testing.TB) *correlate.Routes {
	tb.Helper()
	return Open(tb).Routes
}
