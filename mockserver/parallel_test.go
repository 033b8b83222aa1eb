package mockserver_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/mocktest"
	"paysandbox/mockserver/tape"
)

// TestParallelDuplicatesOverlap has a receiver that answers neither of two
// attempts before both are there: every event reaches it twice at the same
// moment. Under a manual clock the tape has them in the order of their numbers,
// though the receiver answers the second one first.
func TestParallelDuplicatesOverlap(t *testing.T) {
	t.Parallel()
	for _, clock := range []integration.ClockMode{integration.Manual, integration.Real} {
		t.Run(string(clock), func(t *testing.T) {
			t.Parallel()
			const events = 12
			var mu sync.Mutex
			first := map[string]chan struct{}{}
			receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method != http.MethodPost {
					return
				}
				body, _ := io.ReadAll(r.Body)
				mu.Lock()
				second := first[string(body)]
				if second == nil {
					second = make(chan struct{})
					first[string(body)] = second
					mu.Unlock()
					<-second
					w.WriteHeader(http.StatusAccepted)
					return
				}
				mu.Unlock()
				close(second)
			}))
			t.Cleanup(receiver.Close)
			s := mocktest.Start(t, mocktest.Options{Clock: clock})
			p := signedIn(t, s)
			hook := text(t, p.send(http.MethodPost, control+"/webhooks", `{"url":"`+receiver.URL+`"}`), "id")
			p.send(http.MethodPost, control+"/webhooks/"+hook+"/profile", `{"profile":"parallel-duplicate"}`)
			for n := range events {
				p.send(http.MethodPost, "/Company/Create", string(fixtures.CompanyJSON(n+1)))
			}
			i := s.Server.Registry().Default()
			var attempts []tape.Entry
			require.Eventually(t, func() bool {
				i.Settle()
				ctx, cancel := contextDone()
				defer cancel()
				attempts = i.Read(ctx, tape.Filter{Kinds: []tape.Kind{tape.KindAttempt}}).Entries
				return len(attempts) == 2*events
			}, time.Minute, time.Millisecond)
			seen := map[string]int{}
			for n, e := range attempts {
				a := e.Attempt
				seen[a.Event]++
				if clock == integration.Manual {
					require.Zero(t, a.Took)
					require.Equal(t, n%2+1, a.Number, "in the order of departure")
				} else {
					require.Positive(t, a.Took)
				}
				require.EqualValues(t, "parallel-duplicate", a.Profile)
			}
			require.Len(t, seen, events)
		})
	}
}
