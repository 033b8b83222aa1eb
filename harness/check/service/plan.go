package service

import (
	"strconv"
	"strings"
	"time"

	"paysandbox/harness/trail"
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
	// began is the moment of its first start: a plan whose date is that day collects at once, also after the hour of the batch.
	began int64
	// payers are the states of the consents.
	payers map[string]string
}

// planCollections follows every plan along the tape.
func planCollections(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	plans, of, order := map[string]*course{}, map[string]string{}, []string{}
	made := paymentsBy(t)
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
			at(trail.Subject(e)).occurs(&y, t, e, made[e.Seq])
		case m == nil:
		case m.Machine == "plan":
			p := at(m.Entity)
			if m.From == "" {
				p.read(t.Entry(e.Cause))
			}
			p.state, p.steady, p.last = m.To, false, e.Seq
			if m.To == "Active" && p.began == 0 {
				p.began = e.At
			}
		case m.Machine == "consent":
			if m.From == "" {
				of[m.Entity] = planOf(t, e.Cause)
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
		p.terms, p.known = termsOf(trail.ReadBody(e.Exchange.Request.Body))
	}
}

// paymentsBy gives the payments that each entry has made.
func paymentsBy(t *trail.Trail) map[uint64][]uint64 {
	made := map[uint64][]uint64{}
	for e := range t.Of(tape.KindTransition) {
		if e.Transition.Machine == "payment" && e.Transition.From == "" {
			made[e.Cause] = append(made[e.Cause], e.Seq)
		}
	}
	return made
}

// planOf is the plan that a payer was added to: it is in the call's path, or was
// made by the same call.
func planOf(t *trail.Trail, seq uint64) string {
	e := t.Entry(seq)
	if e == nil || e.Exchange == nil {
		return ""
	}
	if e.Exchange.Operation == "createRecurring" {
		return trail.ReadBody(e.Exchange.Response.Body).Text("paymentPlanId")
	}
	parts := strings.Split(e.Exchange.Path, "/")
	if len(parts) > 2 && strings.EqualFold(parts[1], "PaymentPlan") {
		return strings.ToLower(parts[2])
	}
	return ""
}

// occurs judges one due date.
func (p *course) occurs(y *verdict.Tally, t *trail.Trail, e *tape.Entry, payments []uint64) {
	if !p.known {
		y.Open("how the plan "+trail.Subject(e)+" was made is not on the tape", e.Seq)
		return
	}
	n, ok := p.number(e.Timer.Due, p.next)
	if !ok && e.Timer.Due == p.began {
		n, ok = p.today(e.Timer.Due)
	}
	evidence := append([]uint64{p.last, e.Seq}, payments...)
	expected, received := p.wrong(e.Timer.Due, n, ok)
	if want := p.accepted(); expected == "" && len(payments) != want {
		expected = strconv.Itoa(want) + " payment requests, one for each payer who has accepted"
		received = strconv.Itoa(len(payments))
	}
	switch {
	case expected == "":
		y.Holds(evidence...)
	case t.Stubbed(tape.KindTransition, tape.KindTimer, tape.KindExchange): // what follows a plan's creation is kept
		y.Open("what led to this due date may have been dropped", evidence...)
	default:
		y.Breach(p.clause(e.Timer.Due), expected, received, "", evidence...)
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
		return "no collection by a plan that is " + p.state, "a due date at " + trail.Moment(at)
	case !ok:
		return "a due date of the plan from " + p.start.Format(time.DateOnly), trail.Moment(at)
	case p.steady && n != p.next:
		return "due date " + strconv.FormatInt(p.next+1, 10) + " before due date " + strconv.FormatInt(n+1, 10), trail.Moment(at)
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
func (p *course) overdue(y *verdict.Tally, t *trail.Trail, id string) {
	if !p.known || p.state != "Active" || !p.steady {
		return
	}
	due, ok := p.due(p.next)
	if latest := due.Add(19 * time.Hour); ok && t.Last() > latest.UnixNano() && !t.Stubbed(tape.KindTransition, tape.KindTimer) {
		y.Breach("plan.occurrence", "a collection on "+due.Format(time.DateOnly), "none by the plan "+id, "missed", p.last)
	}
}

// terms are what a plan was made with: its due dates follow from them.
type terms struct {
	start, end   time.Time
	days, months int
	value        int64
	occurrences  int64
}

// termsOf reads the body that made a plan; false when it does not say enough.
func termsOf(b trail.Body) (terms, bool) {
	var p terms
	var ok bool
	var err error
	if p.start, err = time.Parse(time.DateOnly, b.Text("startDate")); err != nil {
		return p, false
	}
	p.end, _ = time.Parse(time.DateOnly, b.Text("endDate"))
	p.occurrences, _ = b.Whole("occurrences")
	if p.value, ok = b.Whole("intervalValue"); !ok || p.value < 1 {
		return p, false
	}
	p.days, p.months = interval(b.Text("intervalUnit"))
	return p, p.days+p.months > 0
}

// interval is a unit in days or in months. Latitude, intervals.
func interval(unit string) (days, months int) {
	switch strings.ToLower(unit) {
	case "day":
		return 1, 0
	case "week":
		return 7, 0
	case "month":
		return 0, 1
	case "quarter":
		return 0, 3
	case "year":
		return 0, 12
	}
	return 0, 0
}

// due is the due date numbered n from 0, and whether the plan has it. Each is
// counted from the start: a month that is too short shortens that date alone.
func (p *terms) due(n int64) (time.Time, bool) {
	steps := int(n * p.value)
	date := p.start.AddDate(0, 0, steps*p.days)
	if p.months > 0 {
		first := time.Date(p.start.Year(), p.start.Month()+time.Month(steps*p.months), 1, 0, 0, 0, 0, time.UTC)
		last := first.AddDate(0, 1, -1)
		date = first.AddDate(0, 0, min(p.start.Day(), last.Day())-1)
	}
	if p.occurrences > 0 && n >= p.occurrences || !p.end.IsZero() && date.After(p.end) {
		return time.Time{}, false
	}
	return date, true
}

// batch says whether collections can run at a moment: at 11:00 in Los Angeles,
// which is 18:00 or 19:00 UTC of the same date. Latitude, payment-timing.
func batch(at int64) bool {
	moment := time.Unix(0, at).UTC()
	return moment.Sub(moment.Truncate(time.Hour)) == 0 && (moment.Hour() == 18 || moment.Hour() == 19)
}

// number finds the due date that a moment belongs to.
func (p *terms) number(at int64, from int64) (int64, bool) {
	if !batch(at) {
		return 0, false
	}
	return p.on(time.Unix(0, at).UTC(), from)
}

// today finds the due date on which a moment lies in Los Angeles, which is seven or eight hours behind UTC.
func (p *terms) today(at int64) (int64, bool) {
	n, ok := p.on(time.Unix(0, at).UTC().Add(-8*time.Hour), 0)
	if !ok {
		n, ok = p.on(time.Unix(0, at).UTC().Add(-7*time.Hour), 0)
	}
	return n, ok
}

// on finds the due date that is the date of a moment.
func (p *terms) on(moment time.Time, from int64) (int64, bool) {
	date := time.Date(moment.Year(), moment.Month(), moment.Day(), 0, 0, 0, 0, time.UTC)
	for n := from; ; n++ {
		due, ok := p.due(n)
		if !ok || due.After(date) {
			break
		}
		if due.Equal(date) {
			return n, true
		}
	}
	return 0, false
}
