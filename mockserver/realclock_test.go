package mockserver_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/mocktest"
	"paysandbox/mockserver/tape"
)

// TestARealClockIsMovedOverTrouble moves a clock that runs while profiles hold
// and double deliveries, and resends what has arrived.
func TestARealClockIsMovedOverTrouble(t *testing.T) {
	t.Parallel()
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(receiver.Close)
	s := mocktest.Start(t, mocktest.Options{Clock: integration.Real})
	p := signedIn(t, s)
	hook := text(t, p.send(http.MethodPost, control+"/webhooks", `{"url":"`+receiver.URL+`"}`), "id")
	profile := func(body string) { p.send(http.MethodPost, control+"/webhooks/"+hook+"/profile", body) }
	// attempts are those on the tape once there are n of them.
	attempts := func(n int) (profiles []string, last *tape.Attempt) {
		require.Eventually(t, func() bool {
			profiles = nil
			for _, e := range s.Tape(t, tape.Filter{Kinds: []tape.Kind{tape.KindAttempt}}) {
				profiles, last = append(profiles, string(e.Attempt.Profile)), e.Attempt
				require.Equal(t, http.StatusOK, last.Status)
				require.Positive(t, last.Took)
			}
			return len(profiles) == n
		}, time.Minute, time.Millisecond)
		return profiles, last
	}

	profile(`{"profile":"delay","next":1}`)
	p.send(http.MethodPost, "/Company/Create", string(fixtures.CompanyJSON(1)))
	require.Empty(t, s.Tape(t, tape.Filter{Kinds: []tape.Kind{tape.KindAttempt}}))
	s.Advance(t, time.Hour)
	profiles, delayed := attempts(1)
	require.Equal(t, []string{"delay"}, profiles)

	profile(`{"profile":"parallel-duplicate"}`)
	p.send(http.MethodPost, control+"/deliveries/"+delayed.Delivery+"/resend", "")
	profiles, _ = attempts(3)
	require.Equal(t, []string{"delay", "parallel-duplicate", "parallel-duplicate"}, profiles)

	p = signedIn(t, s) // the first token has expired
	profile(`{"profile":"reorder","next":1}`)
	p.send(http.MethodPost, "/Company/Create", string(fixtures.CompanyJSON(2)))
	s.Advance(t, time.Minute)
	profiles, _ = attempts(4)
	require.Equal(t, "reorder", profiles[3])
	p.send(http.MethodPost, control+"/notes", `{"kind":"done"}`)
	s.Advance(t, 48*time.Hour)
	profiles, _ = attempts(4)
	require.Len(t, profiles, 4)
}

// TestAReceiverTellsATimeOfTheWall: a clock that was moved is days ahead of a receiver that
// asks to wait until a time. It is asked again when it has asked to be.
func TestAReceiverTellsATimeOfTheWall(t *testing.T) {
	t.Parallel()
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		now := time.Now().UTC()
		w.Header().Set("Date", now.Format(http.TimeFormat))
		w.Header().Set("Retry-After", now.Add(time.Hour).Format(http.TimeFormat))
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	t.Cleanup(receiver.Close)
	s := mocktest.Start(t, mocktest.Options{Clock: integration.Real})
	s.Advance(t, 72*time.Hour)
	p := signedIn(t, s)
	p.send(http.MethodPost, control+"/webhooks", `{"url":"`+receiver.URL+`"}`)
	p.send(http.MethodPost, "/Company/Create", string(fixtures.CompanyJSON(1)))
	var attempt tape.Entry
	require.Eventually(t, func() bool {
		list := s.Tape(t, tape.Filter{Kinds: []tape.Kind{tape.KindAttempt}})
		if len(list) > 0 {
			attempt = list[0]
		}
		return len(list) > 0
	}, time.Minute, time.Millisecond)
	require.Equal(t, time.Hour, time.Duration(attempt.Attempt.Next-attempt.At))
	require.Contains(t, attempt.Attempt.Reason, "as Retry-After asks")
}
