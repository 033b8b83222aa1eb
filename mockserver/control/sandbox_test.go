package control_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/mockserver/control"
	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/wire"
	"paysandbox/mockserver/world"
)

// wall stands still: nothing here may depend on it.
func wall() time.Time { return time.Date(2026, 3, 2, 17, 0, 0, 0, time.UTC) }

// carrier answers deliveries with the statuses it is given, then with 200.
type carrier struct {
	mu       sync.Mutex
	statuses []int
}

func (c *carrier) Deliver(_ string, d delivery.View, done func(a tape.Attempt, retryAfter string)) {
	c.mu.Lock()
	status := http.StatusOK
	if len(c.statuses) > 0 {
		status, c.statuses = c.statuses[0], c.statuses[1:]
	}
	c.mu.Unlock()
	done(tape.Attempt{
		Delivery: d.ID.String(), Endpoint: d.Endpoint.String(), Event: d.EventID.String(), Number: d.Attempt, URL: d.URL, Body: d.Body,
		Header: []tape.Header{{Name: "X-HMAC-Signature", Value: "5f0c"}}, Status: status, ResponseBody: []byte("said"),
	}, "")
}

func (*carrier) Forget(string) {}

func (c *carrier) Fetch(url string, done func(tape.Fetch)) {
	done(tape.Fetch{URL: url, Error: "no network"})
}

// sandbox is a control API over a real registry, with a manual clock.
type sandbox struct {
	t        testing.TB
	control  *control.Control
	registry *integration.Registry
	carrier  *carrier
	at       int64 // when do acts, as in a replay; 0 for now
}

func start(tb testing.TB, change ...func(*control.Options, *integration.Options)) *sandbox {
	tb.Helper()
	s := &sandbox{t: tb, carrier: &carrier{}}
	o := control.Options{Version: "v9.9.9", Describe: func(latitude.Settings) ([]byte, error) { return []byte(`{"openapi":"3.1.0"}`), nil }}
	io := integration.Options{Seed: 7, Clock: integration.Manual, ClientID: "sandbox-client", ClientSecret: "sandbox-secret"}
	for _, f := range change {
		f(&o, &io)
	}
	var err error
	s.registry, err = integration.NewRegistry(io, wall, s.carrier)
	require.NoError(tb, err)
	o.Registry = s.registry
	s.control = control.New(o)
	tb.Cleanup(func() { s.control.Stop(); s.registry.Close() })
	return s
}

// answer is what came back.
type answer struct {
	*httptest.ResponseRecorder
	t testing.TB
}

// ask makes a call; body is a string, or a value written as JSON, or nil.
func (s *sandbox) ask(method, path string, body any, headers ...string) answer {
	s.t.Helper()
	r := httptest.NewRequestWithContext(s.t.Context(), method, local+path, reader(s.t, body))
	r.Host = "127.0.0.1:8484"
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	for n := 0; n+1 < len(headers); n += 2 {
		r.Header.Set(headers[n], headers[n+1])
	}
	w := httptest.NewRecorder()
	s.control.ServeHTTP(w, r)
	return answer{w, s.t}
}

func reader(tb testing.TB, body any) io.Reader {
	tb.Helper()
	switch b := body.(type) {
	case nil:
		return http.NoBody
	case string:
		return strings.NewReader(b)
	default:
		text, err := json.Marshal(b)
		require.NoError(tb, err)
		return strings.NewReader(string(text))
	}
}

// get and post call the default integration.
func (s *sandbox) get(path string) answer { return s.ask(http.MethodGet, at(path), nil) }

func (s *sandbox) post(path string, body any) answer { return s.ask(http.MethodPost, at(path), body) }

func at(path string) string { return "/_sandbox/integrations/default" + path }

// query calls the default integration with a raw query.
func (s *sandbox) query(path, raw string) answer { return s.queryIn(s.t.Context(), path, raw) }

// queryIn is query for a caller who has gone when the context ends.
func (s *sandbox) queryIn(ctx context.Context, path, raw string) answer {
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, local+at(path), http.NoBody)
	r.URL.RawQuery = raw
	w := httptest.NewRecorder()
	s.control.ServeHTTP(w, r)
	return answer{w, s.t}
}

// ok reads a good answer.
func (a answer) ok(into any) {
	a.t.Helper()
	require.Equal(a.t, http.StatusOK, a.Code, a.Body.String())
	if into != nil {
		require.NoError(a.t, json.Unmarshal(a.Body.Bytes(), into), a.Body.String())
	}
}

// problem reads a refusal.
func (a answer) problem(status int) wire.Problem {
	a.t.Helper()
	require.Equal(a.t, status, a.Code, a.Body.String())
	require.Equal(a.t, wire.ProblemType, a.Header().Get("Content-Type"))
	var p wire.Problem
	require.NoError(a.t, json.Unmarshal(a.Body.Bytes(), &p))
	require.Equal(a.t, status, p.Status)
	return p
}

// do acts on the default world, as the partner API would.
func (s *sandbox) do(run func(w *world.World)) {
	i := s.registry.Default()
	c := integration.Call{Kind: tape.KindExchange, At: s.at, Base: "http://127.0.0.1:8484/pages/default"}
	c.Exchange = tape.Exchange{Operation: "setUp", Method: http.MethodPost, Path: "/setUp", Response: tape.Response{Status: http.StatusOK}}
	i.Send(i.Do(&c, func(w *world.World, _ *integration.Call) { run(w) }))
}

// payload reads a canonical body.
func payload[T any](tb testing.TB, name string) *T {
	tb.Helper()
	body, err := fixtures.Payload(name)
	require.NoError(tb, err)
	v := new(T)
	require.Nil(tb, wire.Decode(body, v, wire.Options{}).Err)
	return v
}

// cast are the ids of a world with one of everything.
type cast struct {
	company, payer, payment, card, plan, consent, debit string
}

// people makes a world with one of everything.
func (s *sandbox) people() cast {
	s.t.Helper()
	var c cast
	company := payload[world.NewCompany](s.t, "company-create")
	payer := payload[world.NewRegistration](s.t, "user-register")
	payer.Amount = nil
	s.do(func(w *world.World) {
		made, err := w.CreateCompany(company)
		require.NoError(s.t, err)
		c.company = made.CompanyID
		registered, err := w.RegisterUser(payer)
		require.NoError(s.t, err)
		c.payer = registered.RegistrationID
		c.payment = s.payment(w, c)
		amount, limit, enabled := int64(5000), int64(90000), true
		card := world.NewCardAuthorisation{RegistrationID: c.payer, Amount: &amount}
		authorisation, err := w.CreateCardAuthorisation(&card)
		require.NoError(s.t, err)
		c.card = authorisation.PaymentRequestID
		require.NoError(s.t, w.RequestDebitAuth(c.payer, &world.DebitAuthRequest{CompanyID: c.company, Limit: &limit, Enabled: &enabled}))
		every := int32(1)
		plan, err := w.CreatePlan(&world.NewPlan{
			CompanyID: c.company, Amount: &amount, StartDate: "2026-04-01", IntervalValue: &every, IntervalUnit: "Month",
		})
		require.NoError(s.t, err)
		c.plan = plan.PaymentPlanID
		added, err := w.AddPlanPayer(c.plan, &world.NewPlanPayer{RegistrationID: c.payer})
		require.NoError(s.t, err)
		c.consent = added.ConsentID
	})
	c.debit = s.lastOf("debit")
	return c
}

func (s *sandbox) payment(w *world.World, c cast) string {
	made, err := w.CreatePayment(&world.NewPayment{RegistrationID: c.payer, CompanyID: c.company, Amount: new(int64(5000))})
	require.NoError(s.t, err)
	return made.PaymentRequestID
}

// lastOf is the entity of the newest transition of a machine whose name begins so.
func (s *sandbox) lastOf(machine string) string {
	var id string
	s.registry.Default().Look(tape.Filter{Kinds: []tape.Kind{tape.KindTransition}}, func(e tape.Entry) bool {
		if strings.HasPrefix(e.Transition.Machine, machine) {
			id = e.Entities[0]
		}
		return id == ""
	})
	return id
}

// entries are all entries of the default integration's tape.
func (s *sandbox) entries(kinds ...tape.Kind) []tape.Entry {
	ctx, cancel := context.WithCancel(s.t.Context())
	cancel()
	return s.registry.Default().Read(ctx, tape.Filter{Kinds: kinds}).Entries
}

// local is the address at which these tests call: an open control API answers
// under no other machine's name.
const local = "http://127.0.0.1"
