package clock

import (
	"time"

	"paysandbox/mockserver/kernel"
)

// maxMove bounds one move of a clock, and last is where all moves end: what falls due
// later can still be told in nanoseconds.
const maxMove = 100 * 365 * 24 * time.Hour

var last = time.Date(2200, time.December, 31, 23, 59, 59, 999_999_999, time.UTC).UnixNano()

// Move says where a clock is to go. Exactly one member is set.
type Move struct {
	// By is how far; it is not negative.
	By time.Duration
	// To is where to; it does not lie behind.
	To time.Time
	// Next goes to the next timer that is due, if there is one.
	Next bool
	// Label is that of who moves it.
	Label string
}

// Target is where a move goes from now; due is when the next timer fires, if there is one.
// A move back, by more than a hundred years, or beyond the year 2200, is a *kernel.Error.
func (m *Move) Target(now, due int64, pending bool) (int64, error) {
	if m.By > maxMove {
		return 0, refused("/by", m.By.String(), "at most a hundred years in one move")
	}
	if m.By > 0 && int64(m.By) > last-now {
		return 0, refused("/by", m.By.String(), "a time between 1970 and 2200; it is "+present(now))
	}
	to := now + int64(m.By)
	switch {
	case m.Next:
		to = now
		if pending {
			to = max(now, due)
		}
	case !m.To.IsZero():
		if m.To.Year() < 1970 || m.To.Year() > 2200 {
			return 0, refused("/to", m.To.Format(time.RFC3339), "a time between 1970 and 2200")
		}
		to = m.To.UnixNano()
	}
	if to < now {
		pointer, received := "/to", m.To.Format(time.RFC3339Nano)
		if m.To.IsZero() {
			pointer, received = "/by", m.By.String()
		}
		return 0, refused(pointer, received, "a time that is not before the present, "+present(now)+": the clock never goes back")
	}
	if to-now > int64(maxMove) {
		return 0, refused("/to", m.To.Format(time.RFC3339), "at most a hundred years in one move")
	}
	return to, nil
}

func present(now int64) string { return time.Unix(0, now).UTC().Format(time.RFC3339Nano) }

func refused(pointer, received, expected string) *kernel.Error {
	return &kernel.Error{Code: kernel.Invalid, Detail: "the clock was not moved", Findings: []kernel.Finding{{
		Pointer: pointer, Clause: "control.clock.forward", Source: kernel.Assumed,
		Received: received, Expected: expected, Fix: "move the clock forward, or reset the integration",
	}}}
}
