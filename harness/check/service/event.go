package service

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// eventAmounts compares the amounts in events with those of the requests.
func eventAmounts(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	amounts := asked(t)
	for e := range t.Of(tape.KindEvent) {
		if e.Event.Name != trail.PaymentEvent {
			continue
		}
		want, known := amounts[trail.Subject(e)]
		if !known {
			judgeUnasked(&y, t, e)
			continue
		}
		var expected any = json.Number(strconv.FormatInt(want, 10))
		if t.Chose("payment-event") != "" {
			expected = strconv.FormatInt(want, 10)
		}
		if got := trail.ReadBody(e.Event.Body).Object("Data")["Amount"]; got != expected {
			y.Breach("", "Data.Amount "+string(trail.Quote(expected)), string(trail.Quote(got)), "", e.Seq)
			continue
		}
		y.Holds(e.Seq)
	}
	return y.Judgements("no event about a payment")
}

// change is one transition or event, by what makes them belong together: the
// entry that caused them, the resource, and the event's name.
type change struct {
	cause  uint64
	entity string
	name   string
}

// pair is a transition with its event; the one that is missing is nil.
type pair struct{ move, event *tape.Entry }

// pairs puts transitions that emit and events together. Those of one cause and
// resource belong together in their order.
func pairs(t *trail.Trail) []pair {
	var list []pair
	open := map[change][]int{}
	early := map[change][]int{}
	for i := range t.Entries {
		e := &t.Entries[i]
		switch {
		case e.Kind == tape.KindTransition && e.Transition != nil && eventFor(t, e) != "":
			key := change{e.Cause, e.Transition.Entity, eventFor(t, e)}
			if waiting := early[key]; len(waiting) > 0 {
				list[waiting[0]].move, early[key] = e, waiting[1:]
				continue
			}
			open[key] = append(open[key], len(list))
			list = append(list, pair{move: e})
		case e.Kind == tape.KindEvent && e.Event != nil:
			key := change{e.Cause, trail.Subject(e), e.Event.Name}
			if waiting := open[key]; len(waiting) > 0 {
				list[waiting[0]].event, open[key] = e, waiting[1:]
				continue
			}
			early[key] = append(early[key], len(list))
			list = append(list, pair{event: e})
		}
	}
	return list
}

// eventFor says which event a transition has to send, "" for none. A company that
// is verified at once need not send one where the ledger says so.
func eventFor(t *trail.Trail, e *tape.Entry) string {
	m := e.Transition
	if m.Machine == "company" && t.Meta.Environment == "sandbox" && t.Chose("kyb-sandbox") != "" {
		return ""
	}
	if m.Event == "create" {
		return ""
	}
	return trail.KindOf(m.Machine).Event
}

// eachEvent judges the pairs.
func eachEvent(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	for _, p := range pairs(t) {
		switch {
		case p.event == nil && t.Stubbed(tape.KindEvent):
			y.Open("the event of this change may have been dropped", p.move.Seq)
		case p.event == nil:
			m := p.move.Transition
			y.Breach(eventClause(t, p), "one event "+eventFor(t, p.move)+" for this change", "none ("+m.Machine+": "+moveText(m)+")", "", p.move.Seq)
		case p.move == nil && (t.LostCause(p.event) || t.Stubbed(tape.KindTransition)):
			y.Open("the change of this event may have been dropped", p.event.Seq)
		case p.move == nil && unknownKind(t, p.event):
			y.Skip("an event about a kind of resource that the checks do not know")
		case p.move == nil:
			y.Breach(eventClause(t, p), "an event for a change only, and once", p.event.Event.Name+" without a change of "+trail.Subject(p.event), "extra", p.event.Seq)
		case p.event.Seq < p.move.Seq:
			y.Breach(eventClause(t, p), "the change before its event", "the event of entry "+strconv.FormatUint(p.event.Seq, 10)+" came first", "early", p.event.Seq, p.move.Seq)
		default:
			y.Holds(p.move.Seq, p.event.Seq)
		}
	}
	return y.Judgements("no change that has an event")
}

// unknownKind says whether an event is about a resource of a kind that the table does
// not have: nothing is promised of it here.
func unknownKind(t *trail.Trail, event *tape.Entry) bool {
	born := t.Born(trail.Subject(event))
	return born != nil && trail.KindOf(born.Transition.Machine).Event == "" && !slices.Contains([]string{trail.CompanyEvent, trail.PaymentEvent}, event.Event.Name)
}

// eventClause is the clause about the event of a change, or about an event that
// has none.
func eventClause(t *trail.Trail, p pair) string {
	switch e := cmp.Or(p.move, p.event); {
	case p.move == nil && p.event.Event.Name == trail.CompanyEvent, p.move != nil && p.move.Transition.Machine == "company":
		if t.Meta.Environment == "sandbox" {
			return "event.company.sandbox"
		}
		return "event.company"
	case p.move == nil && trail.ReadBody(p.event.Event.Body).Object("Data").Text("Status") == "Pending":
		return "event.payment.pending"
	case p.move != nil && p.move.Transition.Machine == "saved-card-charge":
		return "event.payment.saved-card"
	case fromPlan(t, trail.Subject(e)):
		return "event.payment.plan"
	default:
		return "event.payment"
	}
}

// fromPlan says whether a plan has asked for a payment.
func fromPlan(t *trail.Trail, id string) bool {
	made := t.Born(id)
	if made == nil {
		return false
	}
	by := t.Entry(made.Cause)
	return by != nil && by.Timer != nil && by.Timer.Name == planTimer
}

// eventContents judges the bodies of events.
func eventContents(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	for _, p := range pairs(t) {
		switch {
		case p.event == nil:
		case p.move == nil && t.Cut(tape.KindTransition):
			y.Open("the change of this event is not on the tape", p.event.Seq)
		case p.move == nil:
			y.Skip("an event without a change, which event.each judges")
		default:
			content(t, &y, p)
		}
	}
	return y.Judgements("no event")
}

// content judges one event by its change.
func content(t *trail.Trail, y *verdict.Tally, p pair) {
	b := trail.ReadBody(p.event.Event.Body)
	data := b.Object("Data")
	id := trail.KindOf(p.move.Transition.Machine).ID
	wrong := false
	about := p.clauses()
	compare := func(clause, name string, want, got any) {
		if want != got {
			wrong = true
			y.Breach(clause, name+" "+trail.Show(trail.Quote(want)), trail.Show(trail.Quote(got)), "", p.move.Seq, p.event.Seq)
		}
	}
	// Names are compared exactly: the specification writes these in PascalCase.
	compare(about.whole, "Event", any(p.event.Event.Name), b["Event"])
	compare(about.live, "Live", any(t.Chose("live") != ""), b["Live"])
	compare(about.whole, "Data."+id, any(p.move.Transition.Entity), data[id])
	compare(about.whole, "Data.Status", any(p.move.Transition.To), data["Status"])
	when := any(stamp(t, p.move.At))
	if t.Chose("event-timestamp") != "" {
		when = nil
	}
	compare(about.timestamp, "Data.Timestamp", when, data["Timestamp"])
	if !wrong {
		y.Holds(p.move.Seq, p.event.Seq)
	}
}

// eventClauses are the clauses about the content of an event.
type eventClauses struct{ whole, live, timestamp string }

func (p *pair) clauses() eventClauses {
	switch p.move.Transition.Machine {
	case "company":
		return eventClauses{"event.company", "event.company.live", "event.company.timestamp"}
	case "saved-card-charge":
		return eventClauses{"event.payment.saved-card", "event.payment", "event.payment"}
	default:
		return eventClauses{"event.payment", "event.payment", "event.payment"}
	}
}

// stamp writes a moment as events do.
func stamp(t *trail.Trail, at int64) string {
	if t.Chose("dates") != "" {
		return time.Unix(0, at).UTC().Format("2006-01-02T15:04:05.000Z")
	}
	return time.Unix(0, at).UTC().Format("2006-01-02T15:04:05Z")
}
