// Package plans holds what a recording shows of recurring plans: their dates, who pays them, and what was collected for them. It judges
// nobody.
package plans

import (
	"strings"
	"sync"
	"time"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/trail"
)

// pacific is the zone in which the service's days are counted, nil on a machine that knows no zones.
var pacific = sync.OnceValue(func() *time.Location {
	zone, _ := time.LoadLocation("America/Los_Angeles") // nil with an error
	return zone
})

// Batch is when what is due on a day is collected, at 11:00 in Los Angeles; zero where that is not known.
func Batch(day time.Time) time.Time {
	if pacific() == nil {
		return time.Time{}
	}
	return time.Date(day.Year(), day.Month(), day.Day(), 11, 0, 0, 0, pacific())
}

// Plan is what is known of one: when it begins, in which steps it goes on, and whether it was paused.
type Plan struct {
	start, end         time.Time
	unit               string
	steps, occurrences int
	// Paused is the call that has paused it, from 0; -1 for none.
	Paused int
}

// steps are the units of an interval.
var steps = map[string]struct{ months, days int }{"day": {days: 1}, "week": {days: 7}, "month": {months: 1}, "year": {months: 12}}

// Learn takes what a body tells of it.
func (p *Plan) Learn(b trail.Body) {
	if at := source.Time(b.Text("startDate")); !at.IsZero() {
		p.start = at
	} else if day, err := time.Parse(time.DateOnly, b.Text("startDate")); err == nil {
		p.start = day
	}
	if day, err := time.Parse(time.DateOnly, b.Text("endDate")); err == nil {
		p.end = day
	}
	if n, told := b.Whole("occurrences"); told && n > 0 && n < mostDays {
		p.occurrences = int(n)
	}
	if unit := strings.ToLower(b.Text("intervalUnit")); unit != "" {
		p.unit = unit
	}
	if n, told := b.Whole("intervalValue"); told && n > 0 && n < 1000 {
		p.steps = int(n)
	}
}

// Due is the first day at whose batch, between two moments, something of the plan was due; none where it is not sure.
func (p *Plan) Due(from, to time.Time) time.Time {
	step, known := steps[p.unit]
	if !known || p.start.IsZero() || p.steps == 0 || from.IsZero() || to.IsZero() || step.months > 0 && p.start.Day() > 28 {
		return time.Time{}
	}
	day := p.start
	for range mostDays {
		switch batch := Batch(day); {
		case !batch.Before(to):
			return time.Time{}
		case batch.After(from):
			return day
		}
		day = day.AddDate(0, step.months*p.steps, step.days*p.steps)
	}
	return time.Time{}
}

// Last is the last day on which something of the plan may be due; zero where nothing tells of its end, or that is not sure.
func (p *Plan) Last() time.Time {
	last, step := p.end, steps[p.unit]
	if p.occurrences > 0 && !p.start.IsZero() && p.steps > 0 && p.start.Day() <= 28 {
		n := (p.occurrences - 1) * p.steps
		if by := p.start.AddDate(0, step.months*n, step.days*n); last.IsZero() || by.Before(last) {
			last = by
		}
	}
	return last
}

// mostDays bounds the days of a plan that are looked at: ten years of them.
const mostDays = 3660
