package control

import (
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// The states of a delivery, beside those of a pending one.
const (
	stateDelivered = "delivered"
	stateGivenUp   = "given-up"
	stateAbandoned = "abandoned"
)

// deliveryStates are all states, in the order of a delivery's life.
var deliveryStates = []string{"held", "queued", "scheduled", "in-flight", stateDelivered, stateGivenUp, stateAbandoned}

// Delivery is one event on its way to one endpoint, with every attempt that the
// tape still knows.
type Delivery struct {
	ID       string `json:"id" required:"true" format:"uuid" example:"9b6f9e0d-6a0a-4a53-8d3e-6f1f0e9d8c22"`
	Endpoint string `json:"endpoint" required:"true" format:"uuid" example:"3f1d2c4b-5a69-4788-9c0d-1e2f3a4b5c6d"`
	// Event is the event's name; empty when the tape has dropped it.
	Event   string `json:"event" required:"true" example:"PAYMENT_STATUS_CHANGED"`
	EventID string `json:"eventId" required:"true" format:"uuid" example:"0d9b6f9e-6a0a-4a53-8d3e-6f1f0e9d8c22"`
	// Entity is what the event is about; empty when the tape has dropped it.
	Entity string `json:"entity" required:"true" example:"5d8c9b8e-6f0a-4a53-8d3e-6f1f0e9d8c33"`
	// State is held (by a profile), queued (behind an earlier event of its
	// entity), scheduled, in-flight, delivered, given-up, or abandoned (its
	// endpoint is gone).
	State string `json:"state" required:"true" enum:"held,queued,scheduled,in-flight,delivered,given-up,abandoned" example:"scheduled"`
	// Next is when it goes on, null when no time is set; Why says why.
	Next *string `json:"next" required:"true" format:"date-time" example:"2026-03-02T17:05:05Z"`
	Why  string  `json:"why" required:"true" example:"status 500; attempt 3 of 8 after 5m0s, by schedule"`
	// Attempts are in the order in which they were made.
	Attempts []DeliveryAttempt `json:"attempts" required:"true" nullable:"false"`
}

// DeliveryAttempt is one attempt with its exact bytes.
type DeliveryAttempt struct {
	// Seq is the attempt's number on the tape.
	Seq    uint64 `json:"seq" required:"true" example:"31"`
	Number int    `json:"number" required:"true" example:"2"`
	At     string `json:"at" required:"true" format:"date-time" example:"2026-03-02T17:00:05Z"`
	// Profile names the profiles that shaped the attempt.
	Profile string        `json:"profile" required:"true" example:"duplicate"`
	URL     string        `json:"url" required:"true" example:"http://localhost:3000/hooks"`
	Header  []tape.Header `json:"header" required:"true" nullable:"false"`
	// Signature is the value of X-HMAC-Signature; empty when there was none.
	Signature string `json:"signature" required:"true" example:"5f0c5b0e9d3e4f1f"`
	// Body is what was sent. BodyBase64 takes its place when it is not UTF-8.
	Body       string `json:"body" required:"true" example:"{\"Live\":false}"`
	BodyBase64 []byte `json:"bodyBase64,omitempty" nullable:"false"`
	// Status is the receiver's, 0 when no answer came; Error says why.
	Status         int           `json:"status" required:"true" example:"500"`
	Error          string        `json:"error" required:"true" example:""`
	ResponseHeader []tape.Header `json:"responseHeader" required:"true" nullable:"false"`
	ResponseBody   string        `json:"responseBody" required:"true" example:"try later"`
	// LatencyMillis is how long the receiver took in milliseconds of real time;
	// null when that is not known any more.
	LatencyMillis *int64 `json:"latencyMillis" required:"true" example:"12"`
	// Next is the virtual time of the next attempt, null when there is none;
	// Reason says why.
	Next   *string `json:"next" required:"true" format:"date-time" example:"2026-03-02T17:05:05Z"`
	Reason string  `json:"reason" required:"true" example:"status 500; attempt 3 of 8 after 5m0s, by schedule"`
}

// DeliveryList is the ledger of deliveries.
type DeliveryList struct {
	// Deliveries are in the order of their first attempts; those without one
	// come last, oldest first.
	Deliveries []Delivery `json:"deliveries" required:"true" nullable:"false"`
	// Gap is the stretch of the tape that has been dropped: deliveries and
	// attempts may be missing. Null when nothing is.
	Gap *Gap `json:"gap" required:"true"`
}

// Gap is a stretch of the tape whose entries have been dropped.
type Gap struct {
	From uint64 `json:"from" required:"true" example:"1"`
	To   uint64 `json:"to" required:"true" example:"500"`
}

func gapOf(g tape.Gap) *Gap {
	if g.Empty() {
		return nil
	}
	return &Gap{From: g.From, To: g.To}
}

func listDeliveries(x *exchange, i *integration.Integration) (DeliveryList, error) {
	q := x.asked()
	endpoint, event, state, label := q.text("endpoint"), q.text("event"), q.choice("state", deliveryStates), q.text("label")
	if err := q.err(); err != nil {
		return DeliveryList{}, err
	}
	l := x.ledger(i)
	list := DeliveryList{Deliveries: []Delivery{}, Gap: gapOf(l.gap)}
	for _, d := range l.deliveries {
		if (endpoint == "" || strings.EqualFold(endpoint, d.Endpoint)) && (state == "" || state == d.State) && (label == "" || label == l.events[d.EventID].label) &&
			(event == "" || strings.EqualFold(event, d.Event) || strings.EqualFold(event, d.EventID)) {
			list.Deliveries = append(list.Deliveries, *d)
		}
	}
	return list, nil
}

// ledger puts deliveries together from the tape and the world.
type ledger struct {
	x          *exchange
	deliveries []*Delivery
	byID       map[string]*Delivery
	events     map[string]eventEntry
	gap        tape.Gap
	latency    func(delivery string, attempt int) (time.Duration, bool)
}

// eventEntry is what the tape knows of an event.
type eventEntry struct{ name, entity, label string }

// ledger reads the tape after what is under way has come back, and then what
// the world still means to do.
func (x *exchange) ledger(i *integration.Integration) *ledger {
	l := x.newLedger()
	ctx, cancel := x.waiting(0)
	defer cancel()
	r := i.Read(ctx, tape.Filter{Kinds: []tape.Kind{tape.KindEvent, tape.KindAttempt}})
	l.gap = r.Gap
	for n := range r.Entries {
		l.take(&r.Entries[n])
	}
	l.waits(i, func(*delivery.Pending) bool { return true })
	return l
}

func (x *exchange) newLedger() *ledger {
	return &ledger{x: x, byID: map[string]*Delivery{}, events: map[string]eventEntry{}, latency: x.control.opts.Latency}
}

// waits reads what the world still means to do.
func (l *ledger) waits(i *integration.Integration, wanted func(*delivery.Pending) bool) {
	var pending []delivery.Pending
	l.x.Look(i, func(w *world.World) { pending = w.Webhooks().Pending() })
	for n := range pending {
		if wanted(&pending[n]) {
			l.wait(&pending[n])
		}
	}
}

// take reads an event or an attempt.
func (l *ledger) take(e *tape.Entry) {
	switch {
	case e.Event != nil && len(e.Entities) > 0:
		l.events[e.Event.ID] = eventEntry{e.Event.Name, e.Entities[0], e.Label}
	case e.Attempt != nil:
		l.attempt(e, e.Attempt)
	}
}

// attempt adds an attempt to its delivery, whose state follows from the last one.
func (l *ledger) attempt(e *tape.Entry, a *tape.Attempt) {
	d := l.delivery(a.Delivery)
	event := l.events[a.Event]
	d.Endpoint, d.EventID, d.Event, d.Entity = a.Endpoint, a.Event, event.name, event.entity
	view := attemptView(e, a)
	if l.latency != nil {
		if took, ok := l.latency(a.Delivery, a.Number); ok {
			view.LatencyMillis = new(took.Milliseconds())
		}
	}
	d.Attempts = append(d.Attempts, view)
	d.Next, d.Why, d.State = nil, a.Reason, stateGivenUp
	switch {
	case slices.ContainsFunc(d.Attempts, func(a DeliveryAttempt) bool { return a.Status >= 200 && a.Status < 300 }):
		d.State = stateDelivered
	case a.Next != 0:
		d.State = stateAbandoned // unless it is pending
	}
}

// delivery finds a delivery, or starts it.
func (l *ledger) delivery(id string) *Delivery {
	d := l.byID[id]
	if d == nil {
		d = &Delivery{ID: id, Attempts: []DeliveryAttempt{}}
		l.byID[id] = d
		l.deliveries = append(l.deliveries, d)
	}
	return d
}

// wait notes that a delivery is not finished.
func (l *ledger) wait(p *delivery.Pending) {
	d := l.delivery(p.ID)
	d.Endpoint, d.Event, d.EventID, d.Entity, d.State, d.Next = p.Endpoint, p.Event, p.EventID, p.Entity, p.Stage, p.Due
	if d.Why == "" {
		d.Why = stages[p.Stage]
	}
}

// stages say what a delivery that was never tried waits for.
var stages = map[string]string{
	"held":      "a delivery profile of the endpoint holds it",
	"queued":    "an earlier event of its entity has to go first",
	"scheduled": "its time has not come",
	"in-flight": "the first attempt is under way",
}

func attemptView(e *tape.Entry, a *tape.Attempt) DeliveryAttempt {
	v := DeliveryAttempt{
		Seq: e.Seq, Number: a.Number, At: nanos(e.At), Profile: string(a.Profile), URL: a.URL, Header: listed(a.Header),
		Status: a.Status, Error: a.Error, ResponseHeader: listed(a.ResponseHeader),
		ResponseBody: strings.ToValidUTF8(string(a.ResponseBody), "\uFFFD"), Reason: a.Reason, Signature: tape.HeaderOf(a.Header, "X-HMAC-Signature"),
	}
	if utf8.Valid(a.Body) {
		v.Body = string(a.Body)
	} else {
		v.BodyBase64 = a.Body
	}
	if a.Next != 0 {
		v.Next = new(nanos(a.Next))
	}
	return v
}

func listed(h []tape.Header) []tape.Header { return append([]tape.Header{}, h...) }

// nanos writes a virtual time given in nanoseconds.
func nanos(t int64) string { return moment(time.Unix(0, t)) }

func deliveryRoutes() []*route {
	const tag, all = "Webhooks", Prefix + "/integrations/{i}/deliveries"
	return []*route{
		row("listDeliveries", http.MethodGet, all, reads(listDeliveries), nil, DeliveryList{}).
			About(tag, "List deliveries with every attempt").
			With(
				queryParam("endpoint", "3f1d2c4b-5a69-4788-9c0d-1e2f3a4b5c6d", "Only deliveries to this endpoint."),
				queryParam("event", "PAYMENT_STATUS_CHANGED", "Only deliveries of this event, by name or id."),
				queryParam("label", "team-checkout", "Only deliveries of events with this Sandbox-Label."),
				queryParam("state", "given-up", "Only deliveries in this state: "+joined(deliveryStates)+"."),
			).Fails(http.StatusBadRequest),
		row("resendDelivery", http.MethodPost, all+"/{id}/resend", actsWith(resend).after(findEvent).optional(), Resend{}, Resent{}).
			About(tag, "Send an event once more, out of line").
			Says("The id is a delivery's or an event's. The event's body is taken from the tape.").Fails(steps...),
	}
}
