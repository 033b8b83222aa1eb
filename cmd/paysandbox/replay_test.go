package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/sampling"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// TestAnObservedTapeIsReplayed watches a real application, by the wall clock and
// with all that makes trouble, and plays its tape into a fresh sandbox: it comes
// out again byte for byte.
func TestAnObservedTapeIsReplayed(t *testing.T) {
	sampling.NotRaced(t, "it goes by the wall clock, in processes of its own")
	t.Parallel()
	path := filepath.Join(t.TempDir(), "tape.jsonl")
	code, _, said := observed(t, "forged-events", "lost-answer", "odd-events", "--patience", "30s", "--allow-unreached", "--save-tape", path,
		"--", "paysandbox", "app", "--follow", "--quiet")
	require.Equal(t, verdict.CodeMet, code, said)
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	for _, kind := range []string{`"addNote"`, `"setProfile"`, `"tookNanos"`, `"stale-signature"`, `"parallel-duplicate"`, `"commit-then-drop`} {
		require.Contains(t, string(want), kind)
	}
	meta, entries, err := tape.Read(bytes.NewReader(want))
	require.NoError(t, err)
	s, err := mockserver.New(mockserver.Options{Integration: integration.Options{
		Name: "default", Seed: meta.Seed, ClientID: defaultID, ClientSecret: defaultSecret, Environment: world.Rehearsal,
		Clock: integration.Manual, Start: time.Unix(0, meta.Start),
	}})
	require.NoError(t, err)
	t.Cleanup(s.Registry().Close)
	require.NoError(t, s.Replay(t.Context(), s.Registry().Default(), entries))
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://127.0.0.1/_sandbox/integrations/default/tape", http.NoBody))
	require.Equal(t, http.StatusOK, w.Code)
	// The first line tells the mode of the clock.
	recorded, replayed := strings.Split(string(want), "\n")[1:], strings.Split(w.Body.String(), "\n")[1:]
	recorded = slices.DeleteFunc(recorded, func(line string) bool { return strings.HasPrefix(line, `{"end":`) }) // a stream has none
	for i := range min(len(recorded), len(replayed)) {
		require.Equal(t, recorded[i], replayed[i])
	}
	require.True(t, slices.Equal(recorded, replayed))
}
