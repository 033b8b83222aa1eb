package integration

import "time"

// clock is an integration's virtual time: the wall clock plus an offset, or a
// moment that stands still. All times are nanoseconds since 1970 UTC.
type clock struct {
	mode   ClockMode
	wall   func() time.Time
	offset int64
	still  int64
}

// newClock starts a clock. start 0 means the wall clock's time, or DefaultStart.
func newClock(mode ClockMode, start time.Time, wall func() time.Time) clock {
	c := clock{mode: mode, wall: wall}
	switch {
	case mode == Manual && start.IsZero():
		c.still = DefaultStart.UnixNano()
	case mode == Manual:
		c.still = start.UnixNano()
	case !start.IsZero():
		c.offset = start.UnixNano() - wall().UnixNano()
	}
	return c
}

// now is the present virtual time.
func (c *clock) now() int64 {
	if c.mode == Manual {
		return c.still
	}
	return c.wall().UnixNano() + c.offset
}

// move sets the present to a later time.
func (c *clock) move(to int64) {
	if c.mode == Manual {
		c.still = max(c.still, to)
		return
	}
	c.offset += max(0, to-c.now())
}

// Wall is the wall clock: the one place where real time enters the house.
func Wall() time.Time { return time.Now() }
