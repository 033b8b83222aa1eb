package control

import (
	"strconv"
	"strings"
	"time"

	"paysandbox/mockserver/integration"
)

// ClockView is an integration's virtual clock.
type ClockView struct {
	// Mode is real for a clock that runs with the wall clock, and manual for one
	// that stands still until it is moved.
	Mode string `json:"mode" required:"true" enum:"real,manual" example:"manual"`
	// Now is the virtual time in UTC.
	Now string `json:"now" required:"true" format:"date-time" example:"2026-03-02T17:00:00Z"`
	// Next is when the next timer is due; null when none is set.
	Next *string `json:"next" required:"true" format:"date-time" example:"2026-03-02T17:00:05Z"`
}

// Advance is the body that moves a clock: exactly one member is given.
type Advance struct {
	// By is how far: a duration such as 90s, 24h, 3d or 1d12h.
	By string `json:"by" example:"24h"`
	// To is where to, in RFC 3339.
	To string `json:"to" example:"2026-03-03T17:00:00Z"`
	// Until is next: to the next timer that is due.
	Until string `json:"until" example:"next"`
}

// Advanced is what a move of the clock has brought.
type Advanced struct {
	// From and Now are the virtual times before and after.
	From string `json:"from" required:"true" format:"date-time" example:"2026-03-02T17:00:00Z"`
	Now  string `json:"now" required:"true" format:"date-time" example:"2026-03-03T17:00:00Z"`
	// Fired are the tape entries of the move, oldest first.
	Fired []Line `json:"fired" required:"true" nullable:"false"`
	// Omitted counts the entries that are on the tape but not listed here.
	Omitted uint64 `json:"omitted" required:"true" example:"0"`
}

func readClock(_ *exchange, i *integration.Integration) (ClockView, error) {
	i.Current()
	return clockOf(i), nil
}

func clockOf(i *integration.Integration) ClockView {
	mode, now, next := i.Clock()
	v := ClockView{Mode: string(mode), Now: moment(now)}
	if !next.IsZero() {
		v.Next = new(moment(next))
	}
	return v
}

// moment writes a virtual time.
func moment(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

func advanceClock(x *exchange, i *integration.Integration, req *Advance) (Advanced, error) {
	move, err := req.move()
	if err != nil {
		return Advanced{}, err
	}
	x.patient()
	move.Label = x.Call.Label
	moved, err := i.Advance(move)
	if err != nil {
		return Advanced{}, err
	}
	return Advanced{From: moment(moved.From), Now: moment(moved.Now), Fired: lines(moved.Fired), Omitted: moved.Omitted}, nil
}

// move reads the body.
func (a *Advance) move() (integration.Move, error) {
	given := 0
	for _, s := range []string{a.By, a.To, a.Until} {
		if s != "" {
			given++
		}
	}
	switch {
	case given != 1:
		return integration.Move{}, invalid(wrong("", "control.clock.one-move", strconv.Itoa(given)+" members",
			"exactly one of by, to and until", `send for example {"by":"24h"}`))
	case a.By != "":
		return moveBy(a.By)
	case a.To != "":
		return moveTo(a.To)
	case a.Until != "next":
		return integration.Move{}, invalid(wrong("/until", "control.clock.until", quoted(a.Until), "next", `send {"until":"next"}, or by or to`))
	default:
		return integration.Move{Next: true}, nil
	}
}

func moveBy(text string) (integration.Move, error) {
	by, ok := parseSpan(text)
	switch {
	case !ok:
		return integration.Move{}, invalid(wrong("/by", "control.clock.by", quoted(text),
			"a duration of at most 292 years with units d, h, m, s, ms", "send for example 24h, 3d, 1d12h or 90s"))
	case by < 0:
		return integration.Move{}, invalid(wrong("/by", "control.clock.forward", quoted(text),
			"a duration that is not negative: the clock never goes back", "move the clock forward, or reset the integration"))
	}
	return integration.Move{By: by}, nil
}

func moveTo(text string) (integration.Move, error) {
	to, ok := parseMoment(text)
	if !ok {
		return integration.Move{}, invalid(wrong("/to", "control.clock.to", quoted(text),
			"a moment in RFC 3339", "send for example 2026-03-03T17:00:00Z"))
	}
	return integration.Move{To: to}, nil
}

// parseMoment reads RFC 3339; the first moment of the Christian era is no moment.
func parseMoment(text string) (time.Time, bool) {
	t, err := time.Parse(time.RFC3339, text)
	return t, err == nil && !t.IsZero()
}

// parseSpan reads a Go duration whose first part may be whole days: 3d, 1d12h.
func parseSpan(text string) (time.Duration, bool) {
	days, rest, found := strings.Cut(text, "d")
	if !found {
		d, err := time.ParseDuration(text)
		return d, err == nil
	}
	const longest = 106_751 // the days that fit
	n, err := strconv.Atoi(days)
	if err != nil || n > longest || n < -longest {
		return 0, false
	}
	span := time.Duration(n) * 24 * time.Hour
	if rest == "" {
		return span, true
	}
	more, err := time.ParseDuration(rest)
	if err != nil || rest[0] == '-' || rest[0] == '+' {
		return 0, false
	}
	if strings.HasPrefix(days, "-") {
		more = -more
	}
	sum := span + more
	return sum, (sum < span) == (more < 0)
}
