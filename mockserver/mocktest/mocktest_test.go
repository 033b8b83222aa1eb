package mocktest_test

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/mocktest"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// post makes a call that is to succeed.
func post(t *testing.T, url, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, http.StatusOK, res.StatusCode)
}

// TestStart uses the sandbox as a partner's own test would: a call over HTTP, a
// move of time, a look at the tape.
func TestStart(t *testing.T) {
	t.Parallel()
	s := mocktest.Start(t, mocktest.Options{Seed: 7, Environment: world.Rehearsal})
	for range 2 {
		body := fmt.Sprintf(`{"clientId":%q,"clientSecret":%q}`, s.ClientID, s.ClientSecret)
		post(t, s.URL+"/auth/token", body)
	}
	fired := s.Advance(t, time.Hour)
	require.Empty(t, fired, "nothing was waiting")
	entries := s.Tape(t, tape.Filter{})
	require.Equal(t, []tape.Kind{tape.KindExchange, tape.KindExchange, tape.KindClock},
		[]tape.Kind{entries[0].Kind, entries[1].Kind, entries[2].Kind})
	require.Equal(t, tape.AuthCredentialsOK, entries[0].Exchange.Auth)
}

// TestForks builds a world once and tests it twice, in parallel: what one test does the
// other does not see.
func TestForks(t *testing.T) {
	t.Parallel()
	base := mocktest.Start(t, mocktest.Options{Seed: 7})
	base.Advance(t, 24*time.Hour)
	built := base.Tape(t, tape.Filter{})
	t.Run("tests", func(t *testing.T) {
		for _, hours := range []time.Duration{1, 2, 3, 4} {
			t.Run(hours.String(), func(t *testing.T) {
				t.Parallel()
				fork := base.Fork(t)
				require.NotEqual(t, base.ClientID, fork.ClientID)
				require.Equal(t, built, fork.Tape(t, tape.Filter{}))
				before := fork.Snapshot(t)
				fork.Advance(t, hours*time.Hour)
				entries := fork.Tape(t, tape.Filter{})
				require.Len(t, entries, len(built)+1)
				require.Equal(t, int64(hours*time.Hour), entries[1].Clock.To-entries[1].Clock.From)
				fork.Restore(t, before)
				require.Equal(t, built, fork.Tape(t, tape.Filter{}))
			})
		}
	})
	require.Equal(t, built, base.Tape(t, tape.Filter{}))
	require.Len(t, base.Server.Registry().List(), 1, "a fork ends with its test")
}

// TestAReadyWorld begins with a payment that is Paid, which the bank takes back by the
// control API of the sandbox and, apart from it, of a fork.
func TestAReadyWorld(t *testing.T) {
	t.Parallel()
	s := mocktest.Start(t, mocktest.Options{Seed: 7, World: "paid-payment"})
	events := tape.Filter{Kinds: []tape.Kind{tape.KindTransition}}
	made := s.Tape(t, events)
	paid := made[len(made)-1].Transition
	require.Equal(t, "Paid", paid.To)
	for _, box := range []*mocktest.Sandbox{s, s.Fork(t)} {
		post(t, box.ControlURL+"/payments/"+paid.Entity+"/return", "{}")
		later := box.Tape(t, events)
		require.Len(t, later, len(made)+1)
		require.Equal(t, "Failed", later[len(made)].Transition.To)
	}
}

// told is a test that fails at once, as one does, and says what of.
type told struct {
	testing.TB
	said string
}

func (b *told) Helper() {}

func (b *told) Fatalf(format string, with ...any) {
	b.said = fmt.Sprintf(format, with...)
	runtime.Goexit()
}

// saysOf is what a test is told that does something.
func saysOf(t *testing.T, do func(*told)) string {
	t.Helper()
	b := &told{TB: t}
	done := make(chan struct{})
	go func() { defer close(done); do(b) }()
	<-done
	return b.said
}

// TestASandboxThatHasEnded says so, and with which test: it gave what nobody serves.
func TestASandboxThatHasEnded(t *testing.T) {
	t.Parallel()
	var ended, fork, own *mocktest.Sandbox
	lasting := mocktest.Start(t, mocktest.Options{})
	t.Run("short", func(t *testing.T) {
		ended = mocktest.Start(t, mocktest.Options{})
		fork, own = lasting.Fork(t), ended.Fork(t)
	})
	before := lasting.Snapshot(t)
	for name, s := range map[string]*mocktest.Sandbox{"started": ended, "forked": fork, "both": own} {
		for does, do := range map[string]func(*told){
			"Fork": func(b *told) { s.Fork(b) }, "Snapshot": func(b *told) { s.Snapshot(b) }, "Restore": func(b *told) { s.Restore(b, before) },
			"Advance": func(b *told) { s.Advance(b, time.Hour) }, "Tape": func(b *told) { s.Tape(b, tape.Filter{}) },
		} {
			require.Contains(t, saysOf(t, do), "the sandbox has ended with the test TestASandboxThatHasEnded/short", "%s: %s", name, does)
		}
	}
	require.Empty(t, saysOf(t, func(b *told) { lasting.Tape(b, tape.Filter{}) }))
}
