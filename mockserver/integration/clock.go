package integration

import (
	"time"

	"paysandbox/mockserver/integration/clock"
	"paysandbox/mockserver/integration/outbox"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// Wall is the wall clock: the one place where real time enters the sandbox.
func Wall() time.Time { return time.Now() }

// Clock gives the mode, the virtual time, and when the next timer is due (zero
// when none is set). What a real clock has come to has fired. Of what others have put it
// knows no more than this process does: see Current.
func (i *Integration) Clock() (mode ClockMode, now, next time.Time) {
	o := i.order()
	if o != nil {
		i.fireLate(o)
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if o == nil && i.late() {
		i.fire(i.clock.Now())
		i.letGo()
	}
	if due, ok := i.nextDue(); ok {
		next = time.Unix(0, due).UTC()
	}
	return i.opts.Load().Clock, time.Unix(0, i.clock.Now()).UTC(), next
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

// maxFired bounds how many entries the answer to a move spells out.
const maxFired = 1000

// Move says where the clock is to go. Exactly one member is set.
type Move = clock.Move

// Moved tells what a move of the clock has brought.
type Moved struct {
	// From and Now are the virtual times before and after, UTC.
	From, Now time.Time
	// Fired are the tape entries of the move, oldest first; Omitted counts those
	// that it does not spell out.
	Fired   []tape.Entry
	Omitted uint64
}

// Advance moves the clock forward and fires everything that becomes due, in
// order, each at its own time. Deliveries that become due are made and answered
// before time goes on; under a real clock a receiver that hangs is waited for once. A target that lies behind, or further than a hundred
// years, is refused.
func (i *Integration) Advance(m Move) (Moved, error) {
	i.moving.Lock()
	defer i.moving.Unlock()
	late := outbox.Late{}
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
	from := i.clock.Now()
	i.fire(from)
	due, pending := i.world.NextDue()
	to, err := m.Target(from, due, pending)
	if err != nil {
		return way{}, err
	}
	return way{from: from, to: to, seq: i.recordMove(from, to, string(i.opts.Load().Clock), m.Label), epoch: i.epoch}, nil
}

// beginInOrder is begin where inputs are ordered.
func (i *Integration) beginInOrder(o Order, m Move) (way, error) {
	i.catchUp(o)
	i.lock()
	in := i.input(InputMove)
	due, pending := i.world.NextDue()
	to, err := m.Target(in.At, due, pending)
	in.To, in.Label = to, m.Label
	epoch := i.epoch
	if i.lost != nil {
		err = i.asLost()
	}
	i.mu.Unlock()
	if err != nil {
		return way{}, err
	}
	b, err := i.put(o, in)
	i.Send(b)
	return way{from: in.At, to: in.To, seq: in.Cause, epoch: epoch}, err
}

// recordMove puts a move on the tape.
func (i *Integration) recordMove(from, to int64, mode, label string) uint64 {
	seq := i.world.Begin(world.Input{Now: from})
	i.scratch.Entry = tape.Entry{
		Seq: seq, At: from, Kind: tape.KindClock, Label: label, Clock: &tape.Clock{From: from, To: to, Mode: mode},
	}
	i.append(&i.scratch.Entry)
	return seq
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
	i.clock.Move(at)
	i.fire(at)
	return i.take(), ok
}

// stepInOrder is step where inputs are ordered.
func (i *Integration) stepInOrder(o Order, w *way) (Batch, bool, error) {
	i.lock()
	if i.epoch != w.epoch {
		i.mu.Unlock()
		return Batch{}, false, nil
	}
	at, ok := i.world.NextDue()
	if !ok || at > w.to {
		at, ok = w.to, false
	}
	in := i.input(InputTime)
	if ahead := at - in.At; ahead > 0 {
		in.At = at
		if i.clock.Mode == Real {
			in.Offset += ahead
		}
	}
	i.mu.Unlock()
	b, err := i.put(o, in)
	return b, ok, err
}

// moved reads the tape back from the move on.
func (i *Integration) moved(w *way) Moved {
	i.lock()
	defer i.mu.Unlock()
	m := Moved{From: time.Unix(0, w.from).UTC(), Now: time.Unix(0, w.to).UTC(), Fired: []tape.Entry{}}
	if i.epoch != w.epoch {
		m.Now = time.Unix(0, i.clock.Now()).UTC()
		return m
	}
	if i.opts.Load().Clock == Real {
		m.Now = time.Unix(0, max(w.to, i.clock.Now())).UTC()
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

// tickAgain is how long an alarm waits that could not be heard.
const tickAgain = 500 * time.Millisecond

// How often the alarm looks whether the wall was put forward: there may be very many
// integrations that sleep.
const lookAwake, lookAsleep = 10 * time.Second, time.Minute

// arm sets the alarm for the next timer.
func (i *Integration) arm() {
	due, ok := i.nextDue()
	if i.closed || i.held || !ok {
		i.alarm.Stop()
		return
	}
	look := lookAwake
	if i.asleep != nil {
		look = lookAsleep
	}
	i.alarm.Set(&i.clock, due, look, i.tick)
}

// tick fires what has become due while nobody called.
func (i *Integration) tick() {
	i.mu.Lock()
	i.alarm.Rung()
	if !i.late() {
		i.arm()
		i.mu.Unlock()
		return
	}
	if o := i.order(); o != nil {
		i.mu.Unlock()
		i.tickInOrder(o)
		return
	}
	i.fire(i.clock.Now())
	b := i.take()
	i.mu.Unlock()
	i.Send(b)
}

// late says whether a real clock has come to the next timer, and nothing keeps that from
// firing; the lock is held.
func (i *Integration) late() bool {
	due, ok := i.nextDue()
	return ok && i.clock.Mode == Real && due <= i.clock.Now() && !i.closed && !i.held
}

// tickInOrder fires what has become due while nobody called. When the order cannot be
// reached, it is tried again in a moment. Of several processes the one that has taken
// the last input rings first.
func (i *Integration) tickInOrder(o Order) {
	i.catchUp(o)
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.late() {
		i.alarm.In(tickAgain, i.tick)
		return
	}
	i.arm()
}

// catchUp fires what is due under a real clock, as an input of its own.
func (i *Integration) catchUp(o Order) {
	i.Current()
	i.fireLate(o)
}

// fireLate is catchUp as far as this process knows.
func (i *Integration) fireLate(o Order) {
	i.mu.Lock()
	late, in := i.late(), i.input(InputTime)
	i.mu.Unlock()
	if !late {
		return
	}
	if b, err := i.put(o, in); err == nil {
		i.Send(b)
	}
}
