package world

import (
	"sort"
	"time"

	"paysandbox/mockserver/kernel"
)

// daysAfter the start there is nothing up to the horizon, whatever the start.
const daysAfter = 500 * 366

// intervalUnit is a row of intervalUnits.
type intervalUnit uint8

// intervalUnits are the units of an interval. Latitude, intervals.
var intervalUnits = [...]struct {
	name, word   string
	days, months int
}{
	{"Day", "day", 1, 0},
	{"Week", "week", 7, 0},
	{"Month", "month", 0, 1},
	{"Quarter", "quarter", 0, 3},
	{"Year", "year", 0, 12},
}

// unitNamed finds a unit by its name in any case.
func unitNamed(name string) (intervalUnit, bool) {
	for i := range intervalUnits {
		if kernel.SameName(name, intervalUnits[i].name) {
			return intervalUnit(i), true
		}
	}
	return 0, false
}

// dueDate is midnight UTC of the due date numbered k from 0; false when the
// plan has no such date. Each is counted from the start date, so that a month
// that is too short shortens that one date alone.
func (p *plan) dueDate(k uint32) (time.Time, bool) {
	steps := int64(k) * int64(p.value)
	if p.count != 0 && k >= p.count || steps > daysAfter {
		return time.Time{}, false
	}
	u, start := &intervalUnits[p.unit], dayDate(p.start)
	date := start.AddDate(0, 0, int(steps)*u.days)
	if u.months != 0 {
		date = addMonths(start, int(steps)*u.months)
	}
	if date.Year() > lastDueYear || p.end != 0 && dayNumber(date) > p.end {
		return time.Time{}, false
	}
	return date, true
}

// addMonths counts months from a date; where the month is too short it is the
// month's last day.
func addMonths(d time.Time, months int) time.Time {
	first := time.Date(d.Year(), d.Month()+time.Month(months), 1, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 1, -1)
	return first.AddDate(0, 0, min(d.Day(), last.Day())-1)
}

// nextOf is the first due date from which a plan that is activated now collects.
func (w *World) nextOf(p *plan) uint32 {
	today := pacificDate(w.Now())
	n := sort.Search(daysAfter, func(i int) bool {
		date, ok := p.dueDate(p.next + uint32(i)) //nolint:gosec // G115: below daysAfter.
		if !ok {
			return true
		}
		if p.started {
			return batchAt(date).After(w.Now())
		}
		return !today.After(date)
	})
	return p.next + uint32(n) //nolint:gosec // G115: at most daysAfter.
}

// arm sets the timer for an Active plan's next due date, or completes the plan
// when there is none.
func (w *World) arm(p *plan) {
	date, ok := p.dueDate(p.next)
	switch {
	case !ok:
		w.conclude(p)
	case p.armed != p.next+1:
		p.armed = p.next + 1
		w.core.Schedule(timerPlanOccurrence, batchAt(date), p.id, int64(p.next))
	}
}

// occurrenceTimer is a plan's due date: each payer whose consent is Accepted
// gets one payment request. It means nothing when the plan does not collect.
func (w *World) occurrenceTimer(t kernel.Timer) bool {
	p, n := w.plans.Find(t.ID)
	if p == nil || p.state != PlanActive || int64(p.next) != t.Arg {
		return false
	}
	w.occur(n)
	p.next++
	if p.state == PlanActive { // payments that fail at once can end it
		w.arm(p)
	}
	return true
}

// occur asks every payer of a plan for the amount of the present due date, and
// takes it where the payer's debit authorisation covers it.
func (w *World) occur(n uint32) {
	p := w.plans.At(n)
	date, _ := p.dueDate(p.next)
	order := paymentOrder{
		company: p.company, plan: n, occurrence: p.next + 1, amount: p.amount, due: date, kind: kindPlan,
		feePayer: p.feePayer, texts: paymentTexts{Purpose: Purpose{ShortDescription: w.planPurpose(p)}},
	}
	for at := p.firstConsent; at != 0 && p.state == PlanActive; at = w.consents.At(at).nextOfPlan {
		c := w.consents.At(at)
		if c.state != ConsentAccepted {
			continue
		}
		order.payer = c.payer
		p.open++
		payment := w.openPayment(order)
		if w.debitCovers(c.payer, p.company, p.amount) {
			w.mustMove(w.collect(payment, "the payer's debit authorisation covers the plan's amount"))
		} else {
			w.askPayer(payment)
		}
	}
}
