// Package clock is an integration's virtual time: the wall clock plus an offset, or a
// moment that stands still. All times are nanoseconds since 1970 UTC.
package clock

import "time"

// Mode says what moves a clock.
type Mode string

// The two modes.
const (
	// Real runs with the wall clock; moving it forward adds an offset.
	Real Mode = "real"
	// Manual stands still until it is moved.
	Manual Mode = "manual"
)

// DefaultStart is where a manual clock stands when nobody says otherwise: a
// Monday morning in the United States, far from any holiday or change of hour.
var DefaultStart = time.Date(2026, time.March, 2, 17, 0, 0, 0, time.UTC)

// Clock tells virtual time. The zero value tells none: see New and Still.
type Clock struct {
	Mode Mode
	// Wall is the wall clock, which a manual clock does not read.
	Wall func() time.Time
	// Offset is how far a real clock is ahead of the wall.
	Offset int64
	still  int64
	// least is what has been reached in an order of inputs: the present is never before
	// it, also where the wall is behind that of who has taken the input. It is not added
	// to Offset, or two walls that differ would drive each other on.
	least int64
}

// New starts a clock. The zero start means the wall clock's time, or DefaultStart.
func New(mode Mode, start time.Time, wall func() time.Time) Clock {
	c := Clock{Mode: mode, Wall: wall}
	switch {
	case mode == Manual && start.IsZero():
		c.still = DefaultStart.UnixNano()
	case mode == Manual:
		c.still = start.UnixNano()
	case !start.IsZero():
		c.Offset = start.UnixNano() - wall().UnixNano()
	}
	return c
}

// Still is a manual clock that stands at a moment.
func Still(at int64) Clock { return Clock{Mode: Manual, still: at} }

// Now is the present virtual time.
func (c *Clock) Now() int64 {
	if c.Mode == Manual {
		return c.still
	}
	return max(c.Wall().UnixNano()+c.Offset, c.least)
}

// Reach is Move in an order of inputs: what is agreed on of a real clock is its offset.
func (c *Clock) Reach(to int64) {
	if c.Mode == Manual {
		c.still = max(c.still, to)
		return
	}
	c.least = max(c.least, to)
}

// Move sets the present to a later time.
func (c *Clock) Move(to int64) {
	if c.Mode == Manual {
		c.still = max(c.still, to)
		return
	}
	c.Offset += max(0, to-c.Now())
}

// Stand makes a virtual time the present, earlier or later.
func (c *Clock) Stand(mode Mode, now int64) {
	c.Mode, c.still, c.Offset, c.least = mode, now, 0, 0
	if mode == Real {
		c.still, c.Offset = 0, now-c.Wall().UnixNano()
	}
}

// Resume lets a real clock go on from what was reached, where the wall has been put back
// since then. It is for who alone gives inputs their order: see least.
func (c *Clock) Resume() {
	if c.Mode == Real {
		c.Offset = max(c.Offset, c.least-c.Wall().UnixNano())
	}
}

// GoOn lets a real clock be so far ahead of the wall.
func (c *Clock) GoOn(offset int64) {
	if c.Mode == Real {
		c.Offset = offset
	}
}
