package mockserver_test

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver"
	"paysandbox/mockserver/tape"
)

// overheard are the kinds of what is told of an integration, and which of its tapes it is.
func overheard(t *testing.T, s *mockserver.Server, id string, since uint64) (kinds []string, last, tapes uint64) {
	t.Helper()
	now, end := context.WithCancel(t.Context())
	end() // nothing is waited for
	r, tapes := s.Registry().Get(id).Overhear(now, tape.Filter{Since: since})
	for _, e := range r.Entries {
		last = e.Seq
		kinds = append(kinds, e.Kind.String())
	}
	return kinds, last, tapes
}

// TestWhatHadHappenedBeforeIsNotOverheard: a restart told all calls of the days before
// again, as this day's, and a fork and a restored integration those of the original; behind
// a restore nothing was told until its numbers had come by the ones before.
func TestWhatHadHappenedBeforeIsNotOverheard(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := sleeper(t.Context(), t, dir, wallless())
	asked(t, s, http.MethodPost, "/default/clock/advance", `{"by":"1h"}`)
	asked(t, s, http.MethodPost, "/default/snapshots", `{"name":"first"}`)
	asked(t, s, http.MethodPost, "/default/clock/advance", `{"by":"2h"}`)
	told, last, first := overheard(t, s, "default", 0)
	require.Equal(t, []string{"transition", "clock", "clock"}, told)

	var fork struct{ ID string }
	require.NoError(t, json.Unmarshal(asked(t, s, http.MethodPost, "", `{"from":"default"}`), &fork))
	told, _, _ = overheard(t, s, fork.ID, 0)
	require.Empty(t, told, "a fork tells what happens to itself")

	asked(t, s, http.MethodPost, "/default/snapshots/first/restore", "")
	_, restored, tapes := overheard(t, s, "default", 0)
	require.Greater(t, tapes, first, "who follows by number begins anew")
	require.LessOrEqual(t, restored, last)
	asked(t, s, http.MethodPost, "/default/clock/advance", `{"by":"3h"}`)
	told, _, _ = overheard(t, s, "default", restored)
	require.Equal(t, []string{"clock"}, told)

	for _, asleep := range []bool{false, true} {
		if asleep {
			require.Equal(t, 2, sleep(t, s))
		}
		require.NoError(t, s.Close(t.Context()))
		s = sleeper(t.Context(), t, dir, wallless())
		told, _, _ = overheard(t, s, "default", 0)
		require.Empty(t, told)
		asked(t, s, http.MethodPost, "/default/clock/advance", `{"by":"4h"}`)
		told, _, _ = overheard(t, s, "default", 0)
		require.Equal(t, []string{"clock"}, told)
	}
	asked(t, s, http.MethodPost, "/default/reset", "")
	asked(t, s, http.MethodPost, "/default/clock/advance", `{"by":"5h"}`)
	told, _, _ = overheard(t, s, "default", 0)
	require.Contains(t, told, "clock", "a reset begins at 1")
	require.NoError(t, s.Close(t.Context()))
}

// TestWhoIsOverheardFallsAsleep: a terminal or a log of calls told of everybody, and kept
// everybody awake.
func TestWhoIsOverheardFallsAsleep(t *testing.T) {
	t.Parallel()
	s := sleeper(t.Context(), t, t.TempDir(), wallless())
	defer func() { _ = s.Close(t.Context()) }()
	now, end := context.WithCancel(t.Context())
	end() // nothing is waited for
	i := s.Registry().Default()
	tapeOf(t, s)
	for range 5 {
		_, tapes := i.Overhear(now, tape.Filter{})
		require.NotZero(t, tapes)
		_, err := s.Registry().Doze()
		require.NoError(t, err)
	}
	_, tapes := i.Overhear(now, tape.Filter{})
	require.Zero(t, tapes)
	require.Equal(t, 1, s.Registry().Sleeping())
	tapeOf(t, s)
	_, tapes = i.Overhear(now, tape.Filter{})
	require.NotZero(t, tapes, "a request wakes it")
}
