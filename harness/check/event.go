package check

import (
	"cmp"
	"strconv"
	"time"

	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// eventChecks are the checks on events.
func eventChecks() []Check {
	return []Check{
		{
			ID: "event.each", Title: "Every change that has an event emits exactly one, and no event comes without a change",
			Clauses: []string{"event.company", "event.company.sandbox", "event.payment", "event.payment.pending", "event.payment.plan", "event.payment.saved-card"},
			Run:     eachEvent,
		},
		{
			ID: "event.content", Title: "An event tells the status, the time and the resource of its change",
			Clauses: []string{"event.company", "event.company.timestamp", "event.company.live", "event.payment", "event.payment.saved-card"},
			Run:     eventContents,
		},
	}
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
func (t *Tape) pairs() []pair {
	var list []pair
	open := map[change][]int{}
	early := map[change][]int{}
	for i := range t.Entries {
		e := &t.Entries[i]
		switch {
		case e.Kind == tape.KindTransition && e.Transition != nil && t.emits(e) != "":
			key := change{e.Cause, e.Transition.Entity, t.emits(e)}
			if waiting := early[key]; len(waiting) > 0 {
				list[waiting[0]].move, early[key] = e, waiting[1:]
				continue
			}
			open[key] = append(open[key], len(list))
			list = append(list, pair{move: e})
		case e.Kind == tape.KindEvent && e.Event != nil:
			key := change{e.Cause, main(e), e.Event.Name}
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

// emits says which event a transition has to send, "" for none. A company that
// is verified at once need not send one where the ledger says so.
func (t *Tape) emits(e *tape.Entry) string {
	m := e.Transition
	if m.Machine == "company" && t.Meta.Environment == "sandbox" && t.chose("kyb-sandbox") != "" {
		return ""
	}
	return emits(m.Machine, m.Event)
}

// main is the resource that an entry is about.
func main(e *tape.Entry) string {
	if len(e.Entities) == 0 {
		return ""
	}
	return e.Entities[0]
}

// eachEvent judges the pairs.
func eachEvent(t *Tape) []verdict.Judgement {
	var y verdict.Tally
	for _, p := range t.pairs() {
		switch {
		case p.event == nil && t.stubs[tape.KindEvent]:
			y.Open("the event of this change may have been dropped", p.move.Seq)
		case p.event == nil:
			m := p.move.Transition
			y.Breach(t.eventClause(p), "one event "+t.emits(p.move)+" for this change", "none ("+m.Machine+": "+told(m)+")", "emit the event in the same step that writes the state", p.move.Seq)
		case p.move == nil && (t.lostCause(p.event) || t.stubs[tape.KindTransition]):
			y.Open("the change of this event may have been dropped", p.event.Seq)
		case p.move == nil:
			y.Breach(t.eventClause(p), "an event for a change only, and once", p.event.Event.Name+" without a change of "+main(p.event), "emit each event once, with its change", p.event.Seq)
		case p.event.Seq < p.move.Seq:
			y.Breach(t.eventClause(p), "the change before its event", "the event of entry "+strconv.FormatUint(p.event.Seq, 10)+" came first", "write the state before telling it", p.event.Seq, p.move.Seq)
		default:
			y.Holds(p.move.Seq, p.event.Seq)
		}
	}
	return y.Judgements("no change that has an event")
}

// eventClause is the clause about the event of a change, or about an event that
// has none.
func (t *Tape) eventClause(p pair) string {
	switch e := cmp.Or(p.move, p.event); {
	case p.move == nil && p.event.Event.Name == companyEvent, p.move != nil && p.move.Transition.Machine == "company":
		if t.Meta.Environment == "sandbox" {
			return "event.company.sandbox"
		}
		return "event.company"
	case p.move == nil && read(p.event.Event.Body).object("Data").text("Status") == "Pending":
		return "event.payment.pending"
	case p.move != nil && p.move.Transition.Machine == "saved-card-charge":
		return "event.payment.saved-card"
	case t.fromPlan(main(e)):
		return "event.payment.plan"
	default:
		return "event.payment"
	}
}

// companyEvent is the name of the event about a company. Specification, Events.
const companyEvent = "COMPANY_VERIFICATION_STATUS_CHANGED"

// fromPlan says whether a plan has asked for a payment.
func (t *Tape) fromPlan(id string) bool {
	made := t.born[id]
	if made == nil {
		return false
	}
	by := t.entry(made.Cause)
	return by != nil && by.Timer != nil && by.Timer.Name == planTimer
}

// lostCause says whether what caused an entry has been dropped, and with it
// perhaps other consequences.
func (t *Tape) lostCause(e *tape.Entry) bool { return t.Meta.Dropped > 0 && e.Cause < t.Meta.First }

// eventContents judges the bodies of events.
func eventContents(t *Tape) []verdict.Judgement {
	var y verdict.Tally
	for _, p := range t.pairs() {
		switch {
		case p.event == nil:
		case p.move == nil && t.cut(tape.KindTransition):
			y.Open("the change of this event is not on the tape", p.event.Seq)
		case p.move == nil:
			y.Skip("an event without a change, which event.each judges")
		default:
			t.content(&y, p)
		}
	}
	return y.Judgements("no event")
}

// content judges one event by its change.
func (t *Tape) content(y *verdict.Tally, p pair) {
	b := read(p.event.Event.Body)
	data := b.object("Data")
	id := "PaymentId"
	if p.move.Transition.Machine == "company" {
		id = "CompanyId"
	}
	wrong := false
	about := p.clauses()
	compare := func(clause, name string, want, got any) {
		if want != got {
			wrong = true
			y.Breach(clause, name+" "+show(quoted(want)), show(quoted(got)), "see the event's fields in the specification", p.move.Seq, p.event.Seq)
		}
	}
	// Names are compared exactly: the specification writes these in PascalCase.
	compare(about.whole, "Event", any(p.event.Event.Name), b["Event"])
	compare(about.live, "Live", any(t.chose("live") != ""), b["Live"])
	compare(about.whole, "Data."+id, any(p.move.Transition.Entity), data[id])
	compare(about.whole, "Data.Status", any(p.move.Transition.To), data["Status"])
	compare(about.timestamp, "Data.Timestamp", any(t.stamp(p.move.At)), data["Timestamp"])
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
func (t *Tape) stamp(at int64) string {
	if t.chose("dates") != "" {
		return time.Unix(0, at).UTC().Format("2006-01-02T15:04:05.000Z")
	}
	return time.Unix(0, at).UTC().Format("2006-01-02T15:04:05Z")
}
