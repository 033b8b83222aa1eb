package clock

import "time"

// Alarm rings when the wall has brought a real clock to a time. The zero value is not set.
// It is not safe for concurrent use.
type Alarm struct {
	timer *time.Timer
	set   bool
	// at is the wall's time: a clock that is moved comes to the same time sooner.
	at int64
}

// Set lets the alarm call ring, in a goroutine of its own, when the clock says that a time
// has come, or before: then it is to be set again. Its timer does not see that the wall is
// put forward, or that the machine sleeps: it rings after longest at the latest. A manual
// clock rings no alarm.
func (a *Alarm) Set(c *Clock, due int64, longest time.Duration, ring func()) {
	if c.Mode != Real {
		a.Stop()
		return
	}
	if at := due - c.Offset; !a.set || a.at != at {
		a.at = at
		a.In(min(c.until(due), longest), ring)
	}
}

// In lets the alarm ring after a while, whatever the clock says.
func (a *Alarm) In(wait time.Duration, ring func()) {
	a.set = true
	if a.timer == nil {
		a.timer = time.AfterFunc(wait, ring)
		return
	}
	a.timer.Reset(wait)
}

// Rung says that the alarm has rung, or was set for what is not so any more.
func (a *Alarm) Rung() { a.set = false }

// Stop takes the alarm off; it may be ringing already.
func (a *Alarm) Stop() {
	a.set = false
	if a.timer != nil {
		a.timer.Stop()
	}
}

// until is how long it takes a real clock to come to a time by itself.
func (c *Clock) until(at int64) time.Duration {
	if at <= c.least {
		return 0
	}
	return time.Duration(max(0, at-c.Wall().UnixNano()-c.Offset))
}
