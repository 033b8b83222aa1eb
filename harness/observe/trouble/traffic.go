package trouble

import (
	"slices"
	"strings"
	"time"

	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// traffic is what the application has shown so far, as far as troubles look at
// it.
type traffic struct {
	// good counts the calls that went well, but for those that ask for a token; row those
	// of them since a token was refused. called is when the latest call came.
	good, row int
	called    time.Time
	// read is true once it has made a GET that needs a token.
	read bool
	// move and pays are the operations of these kinds that it has used most often, by
	// how often it has used each; refund, charge and state those that it has used last.
	move, pays, refund, charge, state string
	moved                             map[string]int
	// endpoint is the webhook endpoint that has accepted a delivery last.
	endpoint string
	// direct says that a call of the application's own has brought about an event;
	// calls are its latest ones.
	direct bool
	calls  []uint64
	// answered are the latest events that calls have brought about by themselves:
	// what they tell was in the answer, too.
	answered []string
	// paid is when payments became Paid, returned when a bank has returned one soon
	// after that, gap how soon, last which one that was. since counts those that were
	// Paid since the latest return, apart is the fewest that ever were between two; 0
	// before there were two.
	paid         map[string]time.Time
	returned     time.Time
	gap          time.Duration
	last         string
	since, apart int
	// unbanked are the latest things that changed and that no bank returns: a saved card's
	// charge is Paid, too.
	unbanked []string
	// events are the latest that were emitted: what is delivered of them may be altered.
	events []emitted
	// named is when a resource was last spoken of, taken are the latest deliveries that
	// were taken and tell something else than that a payment is Paid.
	named map[string]time.Time
	taken []taken
	// story says that a story is told: its steps wait for events.
	story bool
	// arrived are the times of the latest deliveries.
	arrived []time.Time
}

// briskly is the time in which deliveries come one after the other.
const briskly = 5 * time.Second

// kept is how many times of deliveries, and how many calls, are kept.
const kept = 10

// take takes in one entry.
func (s *traffic) take(e *tape.Entry, now time.Time) {
	switch {
	case e.Attempt != nil:
		s.delivered(e.Attempt, now)
	case e.Event != nil:
		s.events = append(s.events, emitted{e.Event.ID, strings.ToLower(trail.Subject(e)), says(e)})
		s.events = s.events[max(len(s.events)-keptEvents, 0):]
		if slices.Contains(s.calls, e.Cause) {
			s.direct = true
			s.answered = append(s.answered, e.Event.ID)
			s.answered = s.answered[max(len(s.answered)-kept, 0):]
		}
	case e.Transition != nil:
		s.name(e.Entities, now)
		s.changed(e.Transition, now)
	case e.Kind == tape.KindExchange && e.Exchange != nil && e.Exchange.Operation != "":
		s.name(e.Entities, now)
		s.call(e, now)
	default:
		kind := trail.NoteOf(e, trail.NoteTask).Kind
		s.story = s.story || kind == "task"
	}
}

// soon is how long a return may be back that shows that the next one may come now.
const soon = 2 * time.Second

// changed takes in a change of state.
func (s *traffic) changed(t *tape.Transition, now time.Time) {
	switch {
	case t.Machine != "payment":
		s.unbanked = append(s.unbanked, strings.ToLower(t.Entity))
		s.unbanked = s.unbanked[max(len(s.unbanked)-kept, 0):]
	case t.To == paid:
		if s.paid == nil {
			s.paid = map[string]time.Time{}
		}
		s.paid[t.Entity] = now
		s.since++
	case t.From == paid && t.To == "Failed" && now.Sub(s.paid[t.Entity]) < heldFor:
		if !s.returned.IsZero() && (s.apart == 0 || s.since < s.apart) {
			s.apart = s.since
		}
		s.returned, s.gap, s.last, s.since = now, now.Sub(s.paid[t.Entity]), t.Entity, 0
	}
}

// returning says whether the next payment that is Paid may be returned: as many were Paid
// as ever were between two returns, or, as long as nobody knows of two, one was returned a
// moment ago.
func (s *traffic) returning(now time.Time) bool {
	if s.apart > 0 {
		return s.since+1 >= s.apart
	}
	return now.Sub(s.returned) < soon
}

// back says whether an event tells of the payment that was returned last.
func (s *traffic) back(event string) bool {
	return s.last != "" && s.event(event).about == strings.ToLower(s.last)
}

// taken is a delivery that was taken, of which event, and about which resource.
type taken struct{ delivery, event, about string }

// name notes that resources are spoken of.
func (s *traffic) name(ids []string, now time.Time) {
	if s.named == nil || len(s.named) > keptEvents {
		s.named = map[string]time.Time{}
	}
	for _, id := range ids {
		s.named[strings.ToLower(id)] = now
	}
}

// resting finds the latest delivery that was taken of a payment that was left alone since.
func (s *traffic) resting(now time.Time) (delivery, event string) {
	for _, t := range slices.Backward(s.taken) {
		if at, known := s.named[t.about]; known && now.Sub(at) >= rest {
			return t.delivery, t.event
		}
	}
	return "", ""
}

// rest is for how long a payment is left alone before it is taken for one at rest.
const rest = 4 * time.Second

// emitted is what an event tells, by its id: about which resource, in lower case, and
// which status.
type emitted struct{ event, about, status string }

// keptEvents is how many events are kept: a delivery may be retried for hours.
const keptEvents = 1000

// event gives what an event tells, nothing when it is not among the latest.
func (s *traffic) event(id string) emitted {
	for _, t := range slices.Backward(s.events) {
		if t.event == id {
			return t
		}
	}
	return emitted{}
}

// says is the status that an emitted event tells.
func says(e *tape.Entry) string { return trail.ReadBody(e.Event.Body).Object("Data").Text("Status") }

// delivered takes in an attempt to deliver an event.
func (s *traffic) delivered(a *tape.Attempt, now time.Time) {
	s.arrived = append(s.arrived, now)
	s.arrived = s.arrived[max(len(s.arrived)-kept, 0):]
	tells := s.event(a.Event)
	s.name([]string{tells.about}, now)
	if a.Status < 200 || a.Status >= 300 {
		return
	}
	s.endpoint = a.Endpoint
	if a.Profile == "" && slices.Contains(unpaid, tells.status) {
		s.taken = append(s.taken, taken{a.Delivery, a.Event, tells.about})
		s.taken = s.taken[max(len(s.taken)-keptEvents, 0):]
	}
}

// unpaid are the statuses of a payment that is not Paid.
var unpaid = []string{"Processing", "Canceled", "Failed", "Denied"}

// call takes in a call of the application's.
func (s *traffic) call(e *tape.Entry, now time.Time) {
	x, o := e.Exchange, trail.OperationOf(e.Exchange)
	s.called = now
	if !o.Token && x.Response.Status >= 200 && x.Response.Status < 300 {
		s.good++
		s.row++
	}
	if x.Response.Status == 401 {
		s.row = 0
	}
	s.calls = append(s.calls, e.Seq)
	s.calls = s.calls[max(len(s.calls)-kept, 0):]
	s.read = s.read || x.Method == "GET" && x.Token != ""
	if o.Pays() {
		s.movesMoney(x.Operation, o.Refunds)
	}
	if o.Kind == "saved-card-charge" {
		s.charge = x.Operation
	}
	if o.Reads == trail.OneState {
		s.state = x.Operation
	}
}

// movesMoney takes in a call that moves money: what is called now and then only would keep
// everything waiting that is made for such a call.
func (s *traffic) movesMoney(operation string, refunds bool) {
	if s.moved == nil {
		s.moved = map[string]int{}
	}
	s.moved[operation]++
	most := func(of *string) {
		if s.moved[operation] >= s.moved[*of] {
			*of = operation
		}
	}
	if most(&s.move); refunds {
		s.refund = operation
	} else {
		most(&s.pays)
	}
}

// target says what the trouble is armed for, if there is such traffic.
func (s *traffic) target(t *Trouble, now time.Time) (operation, method, endpoint string, possible bool) {
	switch {
	case t.Profile != "":
		return "", "", s.endpoint, s.endpoint != "" && s.fits(t, now)
	case t.On == ARead:
		return "", "GET", "", s.read
	case t.On == AMove:
		return s.move, "", "", s.move != ""
	case t.On == APayment:
		return s.pays, "", "", s.pays != ""
	case t.On == ARefund:
		return s.refund, "", "", s.refund != ""
	case t.On == ACharge:
		return s.charge, "", "", s.charge != ""
	case t.On == AState:
		return s.state, "", "", s.state != ""
	default:
		return "", "POST", "", true
	}
}

// steady says whether a token may be refused now: never to a call that is made again
// because a token has just ended. Who renews it once and then gives up is right to do so.
// So it waits for a moment between two calls, or for several that went well.
func (s *traffic) steady(now time.Time) bool {
	return s.row >= passing || s.row > 0 && now.Sub(s.called) >= between
}

// between is how long the application makes no call when it is between two of them.
const between = 100 * time.Millisecond

// fits says whether the deliveries that have come are such as a profile needs.
func (s *traffic) fits(t *Trouble, now time.Time) bool {
	if t.Again {
		delivery, _ := s.resting(now)
		return delivery != ""
	}
	return s.ever(t) && (!t.Holding || !s.story) && s.brisk(now) >= t.Brisk
}

// ever says whether there ever were such.
func (s *traffic) ever(t *Trouble) bool {
	return (!t.Returns || !s.returned.IsZero()) && (!t.Direct || s.direct)
}

// brisk is how many deliveries have come a short while ago.
func (s *traffic) brisk(now time.Time) int {
	n := 0
	for _, at := range s.arrived {
		if now.Sub(at) < briskly {
			n++
		}
	}
	return n
}
