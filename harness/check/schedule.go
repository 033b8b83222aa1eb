package check

import (
	"strings"
	"time"
)

// terms are what a plan was made with: its due dates follow from them.
type terms struct {
	start, end   time.Time
	days, months int
	value        int64
	occurrences  int64
}

// termsOf reads the body that made a plan; false when it does not say enough.
func termsOf(b body) (terms, bool) {
	var p terms
	var ok bool
	var err error
	if p.start, err = time.Parse(time.DateOnly, b.text("startDate")); err != nil {
		return p, false
	}
	p.end, _ = time.Parse(time.DateOnly, b.text("endDate"))
	p.occurrences, _ = b.whole("occurrences")
	if p.value, ok = b.whole("intervalValue"); !ok || p.value < 1 {
		return p, false
	}
	p.days, p.months = interval(b.text("intervalUnit"))
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
	moment := time.Unix(0, at).UTC()
	date := time.Date(moment.Year(), moment.Month(), moment.Day(), 0, 0, 0, 0, time.UTC)
	for n := from; batch(at); n++ {
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
