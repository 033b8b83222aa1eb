package world_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/world"
)

// hooks is a world whose deliveries the test sends itself.
type hooks struct {
	t          *testing.T
	w          *world.World
	payer, gym string
	made       int // companies
}

func newHooks(t *testing.T, cfg world.Config) *hooks {
	t.Helper()
	w, gym := planWorld(t, cfg)
	user, err := w.RegisterUser(&world.NewRegistration{RedirectURL: "https://p.example.com", Email: "pat@example.com"})
	require.NoError(t, err)
	_, err = w.CompleteRegistration(user.RegistrationID, world.LinkedBank{Last4: "1111"}, "")
	require.NoError(t, err)
	return &hooks{t: t, w: w, payer: user.RegistrationID, gym: gym}
}

// company makes a company, which is verified at once: one event.
func (h *hooks) company() {
	h.t.Helper()
	h.made++
	_, err := h.w.CreateCompany(planCompany("c" + strconv.Itoa(h.made)))
	require.NoError(h.t, err)
}

// payment makes a Pending payment: no event yet.
func (h *hooks) payment() string {
	h.t.Helper()
	amount := int64(100)
	p, err := h.w.CreatePayment(&world.NewPayment{Amount: &amount, RegistrationID: h.payer})
	require.NoError(h.t, err)
	return p.PaymentRequestID
}

// move takes a step of a payment: one event.
func (h *hooks) move(payment, event string) {
	h.t.Helper()
	require.NoError(h.t, h.w.MovePayment(payment, event, world.PaymentEvent{}))
}

// sent are the attempts that have been asked for since the last call.
func (h *hooks) sent() []world.DeliveryView {
	h.t.Helper()
	_, effects := h.w.Take()
	views := []world.DeliveryView{}
	for _, e := range effects {
		require.Equal(h.t, world.SendDelivery, e.Kind)
		v, ok := h.w.Delivery(e.ID)
		require.True(h.t, ok)
		views = append(views, v)
	}
	return views
}

// of are those to one endpoint.
func (h *hooks) of(endpoint string, views []world.DeliveryView) []world.DeliveryView {
	list := []world.DeliveryView{}
	for _, v := range views {
		if v.Endpoint.String() == endpoint {
			list = append(list, v)
		}
	}
	return list
}

// one is the only attempt that has been asked for.
func (h *hooks) one() world.DeliveryView {
	h.t.Helper()
	views := h.sent()
	require.Len(h.t, views, 1)
	return views[0]
}

func (h *hooks) answer(v world.DeliveryView, r world.AttemptResult) world.AttemptOutcome {
	h.t.Helper()
	out, err := h.w.DeliveryAttempted(v.ID, r)
	require.NoError(h.t, err)
	require.Equal(h.t, out.Done, out.Next == 0)
	require.NotEmpty(h.t, out.Reason)
	return out
}

// later lets virtual time pass from the present.
func (h *hooks) later(d time.Duration) { h.w.Advance(h.w.Now().Add(d).UnixNano()) }

func TestRetrySchedule(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		choice latitude.Choice
		waits  []string
	}{
		"scheduled": {latitude.RetriesScheduled, []string{"5s", "5m", "30m", "2h", "5h", "10h", "10h"}},
		"none":      {latitude.RetriesNone, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHooks(t, world.Config{Settings: latitude.Settings{}.Choose(c.choice)})
			addEndpoint(t, h.w, "", companyEvent)
			h.company()
			v := h.one()
			require.Equal(t, 1, v.Attempt)
			for i, text := range c.waits {
				wait, err := time.ParseDuration(text)
				require.NoError(t, err)
				h.later(3 * time.Second) // the receiver takes its time
				out := h.answer(v, world.AttemptResult{Status: 500})
				require.Equal(t, h.w.Now().Add(wait).UnixNano(), out.Next)
				pending := h.w.PendingDeliveries()
				require.Equal(t, []any{"scheduled", i + 1}, []any{pending[0].Stage, pending[0].Attempts})
				h.later(wait - 1)
				require.Empty(t, h.sent(), text)
				h.later(1)
				again := h.one()
				require.Equal(t, []any{v.ID, v.EventID, v.Body, i + 2}, []any{again.ID, again.EventID, again.Body, again.Attempt})
			}
			out := h.answer(v, world.AttemptResult{Error: "connection refused", RetryAfter: "5"})
			require.True(t, out.Done)
			require.Contains(t, out.Reason, "given up after")
			require.Contains(t, out.Reason, "connection refused")
			require.Empty(t, h.w.PendingDeliveries())
			h.later(100 * time.Hour)
			require.Empty(t, h.sent())
		})
	}
}

func TestWhatIsASuccess(t *testing.T) {
	t.Parallel()
	for status, success := range map[int]bool{
		200: true, 202: true, 204: true, 299: true, 0: false, 101: false, 199: false,
		300: false, 301: false, 302: false, 307: false, 400: false, 404: false, 429: false, 500: false, 503: false,
	} {
		h := newHooks(t, world.Config{})
		addEndpoint(t, h.w, "")
		h.company()
		out := h.answer(h.one(), world.AttemptResult{Status: status})
		require.Equal(t, success, out.Done, status)
		require.Len(t, h.w.PendingDeliveries(), map[bool]int{true: 0, false: 1}[success])
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]time.Duration{
		"120": 120 * time.Second, " 7 ": 7 * time.Second, "0": 0, "1": time.Second,
		"86400": 24 * time.Hour, "86401": 24 * time.Hour, "99999999999999999999": 24 * time.Hour, "9223372036854775807": 24 * time.Hour,
		"Mon, 05 Jan 2026 15:31:30 GMT":  90 * time.Second,
		"Monday, 05-Jan-26 15:31:30 GMT": 90 * time.Second,
		"Mon Jan  5 15:31:30 2026":       90 * time.Second,
		"Mon, 05 Jan 2026 15:29:00 GMT":  0,
		"Mon, 05 Jan 2099 15:29:00 GMT":  24 * time.Hour,
		"":                               5 * time.Second, "soon": 5 * time.Second, "-1": 5 * time.Second, "1.5": 5 * time.Second,
	} {
		h := newHooks(t, world.Config{})
		addEndpoint(t, h.w, "")
		h.company()
		out := h.answer(h.one(), world.AttemptResult{Status: 503, RetryAfter: value})
		require.Equal(t, planStart.Add(want).UnixNano(), out.Next, value)
		if want > 0 {
			h.later(want - 1)
			require.Empty(t, h.sent())
			h.later(1)
		}
		require.Equal(t, 2, h.one().Attempt, value)
	}
}

func TestDeliveryView(t *testing.T) {
	t.Parallel()
	h := newHooks(t, world.Config{})
	e := addEndpoint(t, h.w, "odd-json,altered-byte", companyEvent)
	h.company()
	records, effects := h.w.Take()
	event := records[len(records)-2] // the mail about the verification is the last
	require.Equal(t, world.RecordEvent, event.Kind)
	v, ok := h.w.Delivery(effects[0].ID)
	require.True(t, ok)
	endpoint, err := uuid.Parse(e.ID)
	require.NoError(t, err)
	require.Equal(t, world.DeliveryView{
		ID: effects[0].ID, Endpoint: endpoint, EventID: event.ID, Entity: event.Entity, URL: e.URL, Secret: e.Secret,
		Event: companyEvent, Body: event.Body, Attempt: 1, Created: planStart.UnixNano(), Cause: event.Seq, Profile: "altered-byte,odd-json",
	}, v)
	require.Equal(t, []world.PendingDelivery{{
		ID: v.ID.String(), Endpoint: e.ID, Event: companyEvent, EventID: event.ID.String(), Entity: event.Entity.String(),
		Stage: "in-flight", Created: "2026-01-05T15:30:00Z", Cause: event.Seq,
	}}, h.w.PendingDeliveries())
	_, ok = h.w.Delivery(uuid.New())
	require.False(t, ok)
	_, err = h.w.DeliveryAttempted(uuid.New(), world.AttemptResult{Status: 200})
	planError(t, err, world.NotFound)
	h.answer(v, world.AttemptResult{Status: 500})
	_, err = h.w.DeliveryAttempted(v.ID, world.AttemptResult{Status: 200})
	planError(t, err, world.IllegalTransition)
	due := "2026-01-05T15:30:05Z"
	require.Equal(t, &due, h.w.PendingDeliveries()[0].Due)
}

func TestOnlyListenersHear(t *testing.T) {
	t.Parallel()
	h := newHooks(t, world.Config{})
	company, payment, all := addEndpoint(t, h.w, "", companyEvent), addEndpoint(t, h.w, "", paymentEvent), addEndpoint(t, h.w, "")
	h.company()
	h.move(h.payment(), "approve")
	sent := h.sent()
	require.Len(t, h.of(company.ID, sent), 1)
	require.Equal(t, companyEvent, h.of(company.ID, sent)[0].Event)
	require.Len(t, h.of(payment.ID, sent), 1)
	require.Equal(t, paymentEvent, h.of(payment.ID, sent)[0].Event)
	require.Len(t, h.of(all.ID, sent), 2)
	require.Same(t, &h.of(company.ID, sent)[0].Body[0], &h.of(all.ID, sent)[0].Body[0], "one body for all")
}

func TestEventsOfAnEntityKeepTheirOrder(t *testing.T) {
	t.Parallel()
	h := newHooks(t, world.Config{})
	slow, quick := addEndpoint(t, h.w, "", paymentEvent), addEndpoint(t, h.w, "", paymentEvent)
	a, b := h.payment(), h.payment()
	for _, event := range []string{"approve", "pay", "return"} {
		h.move(a, event)
	}
	h.move(b, "approve")
	sent := h.sent()
	require.Len(t, h.of(slow.ID, sent), 2, "the first of each entity")
	require.Len(t, h.of(quick.ID, sent), 2)
	stages := []string{}
	for _, p := range h.w.PendingDeliveries() {
		stages = append(stages, p.Stage)
	}
	require.Equal(t, []string{"in-flight", "in-flight", "queued", "queued", "queued", "queued", "in-flight", "in-flight"}, stages)

	h.answer(h.of(quick.ID, sent)[0], world.AttemptResult{Status: 200})
	second := h.one()
	require.Equal(t, quick.ID, second.Endpoint.String())
	require.Contains(t, string(second.Body), `"Status":"Paid"`)
	h.answer(second, world.AttemptResult{Status: 200})
	require.Contains(t, string(h.one().Body), `"Status":"Failed"`)

	failing := h.of(slow.ID, sent)[0]
	for out := (world.AttemptOutcome{}); !out.Done; {
		out = h.answer(failing, world.AttemptResult{Status: 500})
		if !out.Done {
			require.Empty(t, h.sent())
			h.w.Advance(out.Next)
			require.Equal(t, failing.ID, h.one().ID)
		}
	}
	next := h.one()
	require.Equal(t, slow.ID, next.Endpoint.String())
	require.Contains(t, string(next.Body), `"Status":"Paid"`, "it goes on after the first was given up")
}

func TestResend(t *testing.T) {
	t.Parallel()
	h := newHooks(t, world.Config{})
	e := addEndpoint(t, h.w, "reorder,burst,delay,duplicate", paymentEvent)
	body := []byte(`{"old":true}`)
	event, entity := uuid.New(), uuid.New()
	first, err := h.w.Resend(e.ID, paymentEvent, event, entity, body)
	require.NoError(t, err)
	body[0] = 'x'
	second, err := h.w.Resend(e.ID, paymentEvent, event, entity, body)
	require.NoError(t, err)
	sent := h.sent()
	require.Equal(t, []uuid.UUID{first, second}, []uuid.UUID{sent[0].ID, sent[1].ID}, "at once, and in no line")
	require.Equal(t, []any{event, entity, paymentEvent, `{"old":true}`, 1},
		[]any{sent[0].EventID, sent[0].Entity, sent[0].Event, string(sent[0].Body), sent[0].Attempt})
	require.True(t, h.answer(sent[0], world.AttemptResult{Status: 200}).Done)
	h.answer(sent[1], world.AttemptResult{Status: 500})
	h.later(5 * time.Second)
	require.Equal(t, 2, h.one().Attempt)
	_, err = h.w.Resend("nothing", paymentEvent, event, entity, nil)
	planError(t, err, world.NotFound)
}

func TestAResentEventLeavesTheLineAlone(t *testing.T) {
	t.Parallel()
	h := newHooks(t, world.Config{})
	e := addEndpoint(t, h.w, "", paymentEvent)
	p := h.payment()
	h.move(p, "approve")
	first := h.one()
	_, err := h.w.Resend(e.ID, first.Event, first.EventID, first.Entity, first.Body)
	require.NoError(t, err)
	h.answer(h.one(), world.AttemptResult{Status: 200})
	h.move(p, "pay")
	require.Empty(t, h.sent(), "the first is still under way")
	h.answer(first, world.AttemptResult{Status: 200})
	require.Contains(t, string(h.one().Body), `"Status":"Paid"`)
}

// BenchmarkDeliver delivers one event while others are pending.
func BenchmarkDeliver(b *testing.B) {
	for _, pending := range []int{0, 10_000} {
		b.Run(strconv.Itoa(pending)+" pending", func(b *testing.B) {
			w := world.New(world.Config{})
			planAt(w, planStart)
			e, err := w.AddEndpoint(world.NewEndpoint{URL: "http://a.example"})
			require.NoError(b, err)
			for range pending {
				_, err := w.Resend(e.ID, companyEvent, uuid.New(), uuid.New(), nil)
				require.NoError(b, err)
			}
			b.ReportAllocs()
			for b.Loop() {
				id, err := w.Resend(e.ID, companyEvent, uuid.Nil, uuid.Nil, nil)
				require.NoError(b, err)
				_, err = w.DeliveryAttempted(id, world.AttemptResult{Status: 200})
				require.NoError(b, err)
				w.Take()
			}
		})
	}
}

// BenchmarkEmit creates companies, each with its event, with so many endpoints
// that do not listen, and one that does.
func BenchmarkEmit(b *testing.B) {
	for _, deaf := range []int{0, 1_000} {
		b.Run(strconv.Itoa(deaf)+" deaf", func(b *testing.B) {
			w := world.New(world.Config{})
			planAt(w, planStart)
			for range deaf {
				_, err := w.AddEndpoint(world.NewEndpoint{URL: "http://a.example", Events: []string{paymentEvent}})
				require.NoError(b, err)
			}
			_, err := w.AddEndpoint(world.NewEndpoint{URL: "http://a.example", Events: []string{companyEvent}})
			require.NoError(b, err)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				_, err := w.CreateCompany(planCompany(strconv.Itoa(i)))
				require.NoError(b, err)
				w.Take()
			}
		})
	}
}
