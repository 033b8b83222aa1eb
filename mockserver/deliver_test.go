package mockserver_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"paysandbox/fixtures"
	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/mocktest"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/webhook"
	"paysandbox/mockserver/world"
)

// signedIn is a partner with a token.
func signedIn(t *testing.T, s *mocktest.Sandbox) *partner {
	t.Helper()
	p := &partner{t: t, url: s.URL}
	p.token = text(t, p.send(http.MethodPost, "/Authentication/Token", `{"clientId":"sandbox-client","clientSecret":"sandbox-secret"}`), "accessToken")
	return p
}

// TestEventBeforeTheAnswer has the event arrive while the call that caused it is
// still unanswered, by profile and by the ledger's choice, and never otherwise.
func TestEventBeforeTheAnswer(t *testing.T) {
	t.Parallel()
	for name, settings := range map[string]latitude.Settings{
		"profile": {}, "knob": latitude.Settings{}.Choose(latitude.EventBeforeResponseYes),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var arrived atomic.Int32
			receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodPost {
					arrived.Add(1)
				}
			}))
			t.Cleanup(receiver.Close)
			s := mocktest.Start(t, mocktest.Options{Settings: settings})
			p := signedIn(t, s)
			profile := ""
			if name == "profile" {
				profile = "before-response"
			}
			p.send(http.MethodPost, control+"/webhooks", `{"url":"`+receiver.URL+`","profile":"`+profile+`"}`)
			p.send(http.MethodPost, "/Company/Create", string(fixtures.CompanyJSON(1)))
			require.Equal(t, int32(1), arrived.Load())
			require.EqualValues(t, profile, s.Tape(t, tape.Filter{Kinds: []tape.Kind{tape.KindAttempt}})[0].Attempt.Profile)
		})
	}
}

// TestAHangingReceiverHoldsUpNobody leaves one receiver without an answer while
// the API and another endpoint go on.
func TestAHangingReceiverHoldsUpNobody(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	hanging := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			<-release
		}
	}))
	t.Cleanup(hanging.Close)
	got := make(chan string, 100)
	good := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			b, _ := io.ReadAll(r.Body)
			got <- string(b)
		}
	}))
	t.Cleanup(good.Close)
	s := mocktest.Start(t, mocktest.Options{Clock: integration.Real})
	p := signedIn(t, s)
	p.send(http.MethodPost, control+"/webhooks", `{"url":"`+hanging.URL+`"}`)
	p.send(http.MethodPost, control+"/webhooks", `{"url":"`+good.URL+`"}`)
	for n := range 20 {
		p.send(http.MethodPost, "/Company/Create", string(fixtures.CompanyJSON(n+1)))
	}
	for range 20 {
		require.Contains(t, <-got, "COMPANY_VERIFICATION_STATUS_CHANGED")
	}
	close(release)
}

// TestManyEndpointsAtOnce makes 10,000 deliveries to 1,000 endpoints due at the
// same moment; each endpoint gets its events in order.
func TestManyEndpointsAtOnce(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	const endpoints, payments = 1000, 5
	var mu sync.Mutex
	seen := map[string][]string{}
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var e struct {
			Data struct{ PaymentID, Status string }
		}
		if json.NewDecoder(r.Body).Decode(&e) == nil {
			mu.Lock()
			seen[r.URL.Path+" "+e.Data.PaymentID] = append(seen[r.URL.Path+" "+e.Data.PaymentID], e.Data.Status)
			mu.Unlock()
		}
	}))
	defer receiver.Close()
	s := server(t, tape.Limits{})
	i := s.Registry().Default()
	fill(t, i, 1, 0)
	i.Do(&integration.Call{Kind: tape.KindControl}, func(w *world.World, _ *integration.Call) {
		for n := range endpoints {
			_, err := w.Webhooks().Add(delivery.NewEndpoint{URL: fmt.Sprintf("%s/%d", receiver.URL, n)})
			require.NoError(t, err)
		}
	})
	approve(t, i, payments)
	_, err := i.Advance(integration.Move{By: time.Minute})
	require.NoError(t, err)
	require.Len(t, seen, endpoints*payments)
	for key, statuses := range seen {
		require.Equal(t, "Processing Paid", strings.Join(statuses, " "), key)
	}
	require.NoError(t, s.Close(t.Context()))
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
}

// TestADayOfRetriesTakesNoTime lets a receiver be down for longer than the
// retries last, under a clock that is moved.
func TestADayOfRetriesTakesNoTime(t *testing.T) {
	t.Parallel()
	s := mocktest.Start(t, mocktest.Options{WebhookURL: "http://127.0.0.1:1/down"})
	p := signedIn(t, s)
	p.send(http.MethodPost, "/Company/Create", string(fixtures.CompanyJSON(1)))
	s.Advance(t, 75*time.Hour)
	var waits []time.Duration
	last := int64(0)
	for _, e := range s.Tape(t, tape.Filter{Kinds: []tape.Kind{tape.KindAttempt}}) {
		require.Contains(t, e.Attempt.Error, "connection refused")
		if last != 0 {
			waits = append(waits, time.Duration(e.At-last))
		}
		last = e.At
	}
	require.Equal(t, []time.Duration{
		5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 10 * time.Hour,
	}, waits)
	require.Len(t, p.send(http.MethodGet, control+"/deliveries?state=given-up", "")["deliveries"], 1)
}

// TestAnnouncedSecretSigns: what `serve` prints is what signs, for the endpoint
// of --webhook-url and for one that brings no secret of its own.
func TestAnnouncedSecretSigns(t *testing.T) {
	t.Parallel()
	s := mocktest.Start(t, mocktest.Options{WebhookURL: "http://127.0.0.1:1/first"})
	p := signedIn(t, s)
	p.send(http.MethodPost, control+"/webhooks", `{"url":"http://127.0.0.1:1/second"}`)
	p.send(http.MethodPost, "/Company/Create", string(fixtures.CompanyJSON(1)))
	attempts := s.Tape(t, tape.Filter{Kinds: []tape.Kind{tape.KindAttempt}})
	require.Len(t, attempts, 2)
	for _, e := range attempts {
		want := tape.Header{Name: "X-HMAC-Signature", Value: webhook.Signature(s.WebhookSecret, e.Attempt.Body, false)}
		require.Contains(t, e.Attempt.Header, want)
	}
}

// TestEventOrderOfTheLedger: the choice holds for every endpoint, also for one
// that behaves otherwise.
func TestEventOrderOfTheLedger(t *testing.T) {
	t.Parallel()
	for choice, want := range map[latitude.Choice]int{latitude.EventOrderCausal: 1, latitude.EventOrderDuplicated: 2} {
		receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		t.Cleanup(receiver.Close)
		s := mocktest.Start(t, mocktest.Options{Settings: latitude.Settings{}.Choose(choice), WebhookURL: receiver.URL})
		signedIn(t, s).send(http.MethodPost, "/Company/Create", string(fixtures.CompanyJSON(1)))
		s.Advance(t, time.Hour)
		require.Len(t, s.Tape(t, tape.Filter{Kinds: []tape.Kind{tape.KindAttempt}}), want, choice.String())
	}
}
