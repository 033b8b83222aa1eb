package check

import (
	"strconv"
	"strings"
	"time"

	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// planTimer is the name of the timer of a plan's due date.
const planTimer = "plan-occurrence"

// course is how a plan has gone so far.
type course struct {
	terms
	known bool
	state string
	// next is the number of the due date that comes next, steady is true when
	// none may be left out before it: the plan has been Active since the last one.
	next   int64
	steady bool
	last   uint64
	// payers are the states of the consents.
	payers map[string]string
}

// planned follows every plan along the tape.
func planned(t *Tape) []verdict.Judgement {
	var y verdict.Tally
	plans, of, order := map[string]*course{}, map[string]string{}, []string{}
	made := t.paymentsBy()
	at := func(id string) *course {
		if plans[id] == nil {
			plans[id] = &course{payers: map[string]string{}}
			order = append(order, id)
		}
		return plans[id]
	}
	for i := range t.Entries {
		e := &t.Entries[i]
		switch m := e.Transition; {
		case e.Timer != nil && e.Timer.Name == planTimer:
			at(main(e)).occurs(&y, t, e, made[e.Seq])
		case m == nil:
		case m.Machine == "plan":
			p := at(m.Entity)
			if m.From == "" {
				p.read(t.entry(e.Cause))
			}
			p.state, p.steady, p.last = m.To, false, e.Seq
		case m.Machine == "consent":
			if m.From == "" {
				of[m.Entity] = t.planOf(e.Cause)
			}
			at(of[m.Entity]).payers[m.Entity] = m.To
		}
	}
	for _, id := range order {
		plans[id].overdue(&y, t, id)
	}
	return y.Judgements("no due date of a plan")
}

// read takes the terms from the call that has made the plan.
func (p *course) read(e *tape.Entry) {
	if e != nil && e.Exchange != nil {
		p.terms, p.known = termsOf(read(e.Exchange.Request.Body))
	}
}

// paymentsBy gives the payments that each entry has made.
func (t *Tape) paymentsBy() map[uint64][]uint64 {
	made := map[uint64][]uint64{}
	for e := range t.of(tape.KindTransition) {
		if e.Transition.Machine == "payment" && e.Transition.From == "" {
			made[e.Cause] = append(made[e.Cause], e.Seq)
		}
	}
	return made
}

// planOf is the plan that a payer was added to: it is in the call's path, or was
// made by the same call.
func (t *Tape) planOf(seq uint64) string {
	e := t.entry(seq)
	if e == nil || e.Exchange == nil {
		return ""
	}
	if e.Exchange.Operation == "createRecurring" {
		return read(e.Exchange.Response.Body).text("paymentPlanId")
	}
	parts := strings.Split(e.Exchange.Path, "/")
	if len(parts) > 2 && strings.EqualFold(parts[1], "PaymentPlan") {
		return strings.ToLower(parts[2])
	}
	return ""
}

// occurs judges one due date.
func (p *course) occurs(y *verdict.Tally, t *Tape, e *tape.Entry, payments []uint64) {
	if !p.known {
		y.Open("how the plan "+main(e)+" was made is not on the tape", e.Seq)
		return
	}
	n, ok := p.number(e.Timer.Due, p.next)
	evidence := append([]uint64{p.last, e.Seq}, payments...)
	expected, received := p.wrong(e.Timer.Due, n, ok)
	if want := p.accepted(); expected == "" && len(payments) != want {
		expected = strconv.Itoa(want) + " payment requests, one for each payer who has accepted"
		received = strconv.Itoa(len(payments))
	}
	switch {
	case expected == "":
		y.Holds(evidence...)
	case t.stubbed(tape.KindTransition, tape.KindTimer, tape.KindExchange): // what follows a plan's creation is kept
		y.Open("what led to this due date may have been dropped", evidence...)
	default:
		y.Breach(p.clause(e.Timer.Due), expected, received, "count due dates from the start date; the last day stands in for one that a month does not have", evidence...)
	}
	p.steady, p.last = true, e.Seq
	if ok {
		p.next = n + 1
	}
}

// clause is the one that is broken by a collection at a moment.
func (p *course) clause(at int64) string {
	_, due := p.number(at, 0)
	switch {
	case p.state == "Completed":
		return "plan.occurrence.completed"
	case !due && batch(at) && p.months > 0 && p.start.Day() > shortestMonth:
		return "plan.occurrence.month-end"
	default:
		return "plan.occurrence"
	}
}

// shortestMonth is the number of days that every month has.
const shortestMonth = 28

// wrong says what is wrong with a collection at a moment that is due date n, if
// it is one; "" when nothing is.
func (p *course) wrong(at, n int64, ok bool) (expected, received string) {
	switch {
	case p.state != "Active":
		return "no collection by a plan that is " + p.state, "a due date at " + clock(at)
	case !ok:
		return "a due date of the plan from " + p.start.Format(time.DateOnly), clock(at)
	case p.steady && n != p.next:
		return "due date " + strconv.FormatInt(p.next+1, 10) + " before due date " + strconv.FormatInt(n+1, 10), clock(at)
	}
	return "", ""
}

// accepted counts the payers who have accepted.
func (p *course) accepted() int {
	n := 0
	for _, state := range p.payers {
		if state == "Accepted" {
			n++
		}
	}
	return n
}

// overdue finds a due date that has passed without a collection.
func (p *course) overdue(y *verdict.Tally, t *Tape, id string) {
	if !p.known || p.state != "Active" || !p.steady {
		return
	}
	due, ok := p.due(p.next)
	if latest := due.Add(19 * time.Hour); ok && t.last() > latest.UnixNano() && !t.stubbed(tape.KindTransition, tape.KindTimer) {
		y.Breach("plan.occurrence", "a collection on "+due.Format(time.DateOnly), "none by the plan "+id, "collect on every due date while the plan is Active", p.last)
	}
}
