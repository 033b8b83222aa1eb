package integration

import (
	"time"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// clock is an integration's virtual time: the wall clock plus an offset, or a
// moment that stands still. All times are nanoseconds since 1970 UTC.
type clock struct {
	mode   ClockMode
	wall   func() time.Time
	offset int64
	still  int64
	// least is what has been reached in an order of inputs: the present is never before
	// it, also where the wall is behind that of who has taken the input. It is not added
	// to offset, or two walls that differ would drive each other on.
	least int64
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
	return max(c.wall().UnixNano()+c.offset, c.least)
}

// reach is move in an order of inputs: what is agreed on of a real clock is its offset.
func (c *clock) reach(to int64) {
	if c.mode == Manual {
		c.still = max(c.still, to)
		return
	}
	c.least = max(c.least, to)
}

// move sets the present to a later time.
func (c *clock) move(to int64) {
	if c.mode == Manual {
		c.still = max(c.still, to)
		return
	}
	c.offset += max(0, to-c.now())
}

// stand makes a virtual time the present, earlier or later.
func (c *clock) stand(mode ClockMode, now int64) {
	c.mode, c.still, c.offset, c.least = mode, now, 0, 0
	if mode == Real {
		c.still, c.offset = 0, now-c.wall().UnixNano()
	}
}

// goOn lets a real clock go on as that of who took the input.
func (c *clock) goOn(in *Input) {
	if c.mode == Real {
		c.offset = in.Offset
	}
}

// Wall is the wall clock: the one place where real time enters the sandbox.
func Wall() time.Time { return time.Now() }

// maxFired bounds how many entries the answer to a move spells out.
const maxFired = 1000

// maxMove bounds one move of the clock.
const maxMove = 100 * 365 * 24 * time.Hour

// Move says where the clock is to go. Exactly one member is set.
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

// Moved tells what a move of the clock has brought.
type Moved struct {
	// From and Now are the virtual times before and after, UTC.
	From, Now time.Time
	// Fired are the tape entries of the move, oldest first; Omitted counts those
	// that it does not spell out.
	Fired   []tape.Entry
	Omitted uint64
}

// Clock gives the mode, the virtual time, and when the next timer is due (zero
// when none is set).
func (i *Integration) Clock() (mode ClockMode, now, next time.Time) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if due, ok := i.nextDue(); ok {
		next = time.Unix(0, due).UTC()
	}
	return i.opts.Load().Clock, time.Unix(0, i.clock.now()).UTC(), next
}

// Advance moves the clock forward and fires everything that becomes due, in
// order, each at its own time. Deliveries that become due are made and answered
// before time goes on; under a real clock a receiver that hangs is waited for once. A target that lies behind, or further than a hundred
// years, is refused.
func (i *Integration) Advance(m Move) (Moved, error) {
	i.moving.Lock()
	defer i.moving.Unlock()
	late := hanging{}
	i.settle(late)
	way, err := i.begin(m)
	if err != nil {
		return Moved{}, err
	}
	for more := true; more; {
		var b Batch
		if o := i.order(); o != nil {
			b, more, err = i.stepInOrder(o, &way)
		} else {
			b, more = i.step(&way)
		}
		if err != nil {
			return Moved{}, err
		}
		i.Send(b)
		if !b.Empty() {
			i.settle(late)
		}
	}
	return i.moved(&way), nil
}

// hanging are the receivers that had not answered when a wait for them was over: they
// are not waited for again in the same move of a real clock. Files share one place.
type hanging map[[16]byte]bool

// way is a move that has begun: from where to where, its number on the tape,
// and the world that it moves. A reset ends it.
type way struct {
	from, to   int64
	seq, epoch uint64
}

// begin puts the move on the tape.
func (i *Integration) begin(m Move) (way, error) {
	if o := i.order(); o != nil {
		return i.beginInOrder(o, m)
	}
	i.lock()
	defer i.mu.Unlock()
	from := i.clock.now()
	i.fire(from)
	to, err := i.target(m, from)
	if err != nil {
		return way{}, err
	}
	return way{from: from, to: to, seq: i.recordMove(from, to, string(i.opts.Load().Clock), m.Label), epoch: i.epoch}, nil
}

// recordMove puts a move on the tape.
func (i *Integration) recordMove(from, to int64, mode, label string) uint64 {
	seq := i.world.Begin(world.Input{Now: from})
	i.scratch.entry = tape.Entry{
		Seq: seq, At: from, Kind: tape.KindClock, Label: label, Clock: &tape.Clock{From: from, To: to, Mode: mode},
	}
	i.append(&i.scratch.entry)
	return seq
}

// target reads a move.
func (i *Integration) target(m Move, now int64) (int64, error) {
	if m.By > maxMove {
		return 0, refused("/by", m.By.String(), "at most a hundred years in one move")
	}
	to := now + int64(m.By)
	switch {
	case m.Next:
		to = now
		if due, ok := i.world.NextDue(); ok {
			to = max(now, due)
		}
	case !m.To.IsZero():
		if m.To.Year() < 1970 || m.To.Year() > 2200 {
			return 0, refused("/to", m.To.Format(time.RFC3339), "a time between 1970 and 2200")
		}
		to = m.To.UnixNano()
	}
	if to < now {
		at := time.Unix(0, now).UTC().Format(time.RFC3339Nano)
		pointer, received := "/to", m.To.Format(time.RFC3339Nano)
		if m.To.IsZero() {
			pointer, received = "/by", m.By.String()
		}
		return 0, refused(pointer, received, "a time that is not before the present, "+at+": the clock never goes back")
	}
	if to-now > int64(maxMove) {
		return 0, refused("/to", m.To.Format(time.RFC3339), "at most a hundred years in one move")
	}
	return to, nil
}

func refused(pointer, received, expected string) *kernel.Error {
	return &kernel.Error{Code: kernel.Invalid, Detail: "the clock was not moved", Findings: []kernel.Finding{{
		Pointer: pointer, Clause: "control.clock.forward", Source: kernel.Assumed,
		Received: received, Expected: expected, Fix: "move the clock forward, or reset the integration",
	}}}
}

// step fires all that is due at the next moment up to the target, and says
// whether there may be more.
func (i *Integration) step(w *way) (Batch, bool) {
	i.lock()
	defer i.mu.Unlock()
	if i.epoch != w.epoch {
		return Batch{}, false
	}
	at, ok := i.world.NextDue()
	if !ok || at > w.to {
		at, ok = w.to, false
	}
	i.clock.move(at)
	i.fire(at)
	return i.take(), ok
}

// moved reads the tape back from the move on.
func (i *Integration) moved(w *way) Moved {
	i.lock()
	defer i.mu.Unlock()
	m := Moved{From: time.Unix(0, w.from).UTC(), Now: time.Unix(0, w.to).UTC(), Fired: []tape.Entry{}}
	if i.epoch != w.epoch {
		m.Now = time.Unix(0, i.clock.now()).UTC()
		return m
	}
	if i.opts.Load().Clock == Real {
		m.Now = time.Unix(0, max(w.to, i.clock.now())).UTC()
	}
	i.tape.Scan(w.seq, tape.Filter{Limit: maxFired}, func(e tape.Entry) bool {
		m.Fired = append(m.Fired, e)
		return true
	})
	if n := i.world.Seq() - w.seq; n > uint64(len(m.Fired)) {
		m.Omitted = n - uint64(len(m.Fired))
	}
	return m
}

// FireNext fires timers up to the first that leaves a trace, of those that are due by
// then; the clock stays behind, so that others which are due at the same moment do
// not fire.
func (i *Integration) FireNext(by int64) {
	i.lock()
	defer i.mu.Unlock()
	for seq := i.world.Seq(); i.world.Seq() == seq; {
		if due, ok := i.world.NextDue(); !ok || due > by {
			break
		}
		i.world.FireNext()
	}
	i.flush()
	i.scratch.effects = i.scratch.effects[:0]
}

// Due lists what the integration waits for, what comes first before what comes later,
// and how much that is in all.
func (i *Integration) Due(limit int) (list []world.Due, all int) {
	i.lockToRead()
	defer i.mu.Unlock()
	list, all = i.world.Due(limit), i.world.PendingTimers()
	i.letGo()
	return list, all
}

// nextDue is when the next timer fires, also of one that sleeps; the lock is held.
func (i *Integration) nextDue() (int64, bool) {
	if a := i.asleep; a != nil {
		return a.due, a.pending
	}
	return i.world.NextDue()
}
