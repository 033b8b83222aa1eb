package integration

import (
	"time"

	"paysandbox/mockserver/integration/owed"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/world"
)

// doInOrder is Do where inputs are ordered before they are applied.
func (i *Integration) doInOrder(o Order, c *Call, run func(w *world.World, c *Call)) (b Batch) {
	if c.Silent {
		i.catchUp(o)
	}
	i.lock()
	switch {
	case i.lost != nil:
		defer i.mu.Unlock()
		c.Failed = i.asLost()
		return Batch{}
	case c.Silent:
		defer i.mu.Unlock()
		c.Time, c.Seq = time.Unix(0, i.clock.now()).UTC(), i.world.Seq()
		run(i.world, c)
		return Batch{}
	case c.Stranger && !i.guests.room(i.tape):
		defer i.mu.Unlock()
		c.Time, c.Seq = time.Unix(0, i.clock.now()).UTC(), 0
		run(i.world, c)
		i.strangers.keep(c)
		return Batch{}
	}
	in := i.input(InputCall)
	in.On, in.Label, in.Judged = c.Kind, c.Label, c.Judged
	// What is masked by name is masked already. The integration's own secrets are not
	// struck here: whoever applies the input must see what this process sees, and the
	// log holds them anyway.
	in.Call = c.Exchange
	if c.Whole != nil {
		in.Call.Request.Body = c.Whole
	}
	i.mu.Unlock()
	c.Failed = o.Put(in, func() []string {
		i.lock()
		defer i.mu.Unlock()
		c.At, i.ordered.own = i.agree(in), true
		defer func() { i.ordered.own = false }()
		b = i.do(c, run)
		return i.ordered.book.Asked()
	})
	return b
}

// input begins an input; the lock is held.
func (i *Integration) input(kind InputKind) *Input {
	in := &Input{Kind: kind, Integration: i.ID, Life: i.life(), At: i.clock.now()}
	if i.clock.mode == Real {
		in.Offset = i.clock.offset
	}
	return in
}

// put orders an input that is no call, and applies it.
func (i *Integration) put(o Order, in *Input) (b Batch, err error) {
	err = o.Put(in, func() (effects []string) {
		b, effects = i.Apply(in, true)
		return effects
	})
	return b, err
}

// catchUp fires what is due under a real clock, as an input of its own.
func (i *Integration) catchUp(o Order) {
	if o.Shared() {
		o.Current(i.ID)
	}
	i.mu.Lock()
	due, ok := i.nextDue()
	in := i.input(InputTime)
	late := ok && due <= in.At && i.clock.mode == Real && !i.closed
	i.mu.Unlock()
	if !late {
		return
	}
	if b, err := i.put(o, in); err == nil {
		i.Send(b)
	}
}

// tickInOrder fires what has become due while nobody called. When the order cannot be
// reached, it is tried again in a moment. Of several processes the one that has taken
// the last input rings first.
func (i *Integration) tickInOrder(o Order) {
	i.catchUp(o)
	i.mu.Lock()
	defer i.mu.Unlock()
	if due, ok := i.nextDue(); ok && due <= i.clock.now() && !i.closed {
		i.wakeAt = due
		i.wake.Reset(tickAgain)
		return
	}
	i.arm()
}

// tickAgain is how long an alarm waits that could not be heard.
const tickAgain = 500 * time.Millisecond

// result is what came back of a job; the lock is held.
func (i *Integration) result(j *job) *Input {
	in := i.input(InputFetch)
	if j.effect.Kind == kernel.SendDelivery {
		in.Kind = InputAttempt
		if i.clock.mode == Manual {
			j.attempt.Took = 0
		}
	}
	in.Effect, in.Answers, in.Attempt, in.Fetch, in.RetryAfter = j.effect, i.effectName(j.effect), j.attempt, j.fetch, j.retryAfter
	return in
}

// putResult orders what came back. It is not lost while the order cannot be reached.
func (i *Integration) putResult(o Order, in *Input) {
	insist(i.ended, func() error {
		b, err := i.put(o, in)
		i.Send(b)
		return err
	})
}

// ask tells the order of what was under way in a snapshot that the integration was made
// of, and is asked for anew: by its first input, for what has made it stands elsewhere.
func (i *Integration) ask(o Order) error {
	i.mu.Lock()
	all, in := i.ordered.book.Unasked(), i.input(InputTime)
	i.mu.Unlock()
	if len(all) == 0 {
		return nil
	}
	b, err := i.put(o, in)
	i.Send(b)
	return err
}

// beginInOrder is begin where inputs are ordered.
func (i *Integration) beginInOrder(o Order, m Move) (way, error) {
	i.catchUp(o)
	i.lock()
	in := i.input(InputMove)
	to, err := i.target(m, in.At)
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
		if i.clock.mode == Real {
			in.Offset += ahead
		}
	}
	i.mu.Unlock()
	b, err := i.put(o, in)
	return b, ok, err
}

// Begin lets all integrations act by themselves, once what the order held has been
// applied: alarms are set, and what fell due meanwhile fires.
func (r *Registry) Begin() {
	r.mu.Lock()
	r.begun = true
	r.mu.Unlock()
	for _, i := range r.List() {
		i.Release()
		i.catchUp(r.by)
		if i.ask(r.by) != nil {
			go insist(r.ended, func() error { return i.ask(r.by) })
		}
	}
}

// arm sets the alarm for the next timer; only a real clock needs one.
func (i *Integration) arm() {
	due, ok := i.nextDue()
	if i.clock.mode != Real || i.closed || i.held || !ok || due == i.wakeAt {
		return
	}
	i.wakeAt = due
	wait := time.Duration(due - i.clock.now())
	if i.wake == nil {
		i.wake = time.AfterFunc(wait, i.tick)
		return
	}
	i.wake.Reset(wait)
}

// tick fires what has become due while nobody called.
func (i *Integration) tick() {
	i.mu.Lock()
	if i.closed || i.held {
		i.mu.Unlock()
		return
	}
	i.wakeAt = 0
	if o := i.order(); o != nil {
		i.mu.Unlock()
		i.tickInOrder(o)
		return
	}
	i.fire(i.clock.now())
	b := i.take()
	i.mu.Unlock()
	i.Send(b)
}

// takeoverTimeout bounds how long a move of a manual clock waits for what is under way: the
// process that carries it out may be gone, and another one has to take it over first.
const takeoverTimeout = 20 * time.Second

// settleShared waits until the effects have their answers that are open now, whoever
// carries them out.
func (i *Integration) settleShared(o Order) {
	o.Current(i.ID)
	most := settleTimeout
	if i.opts.Load().Clock == Manual {
		most = takeoverTimeout
	}
	late := time.NewTimer(most)
	defer late.Stop()
	i.mu.Lock()
	waiting := i.ordered.book.Names()
	i.mu.Unlock()
	for {
		changed, over := i.awaits(waiting)
		if over {
			return
		}
		select {
		case <-changed:
		case <-late.C:
			return
		}
	}
}

// awaits says whether none of the effects is open any more, and what is closed when
// there is news.
func (i *Integration) awaits(names []string) (changed <-chan struct{}, over bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.changed == nil && !i.closed {
		i.changed = make(chan struct{})
	}
	return i.changed, !i.ordered.book.Owes(names) || i.closed
}

// restored is Restore as an input; the lock is held.
func (i *Integration) restored(in *Input) (Batch, []string) {
	c, err := decode(in.Snapshot)
	if err != nil {
		return Batch{}, nil
	}
	c.opts.Clock = in.Clock
	b := i.goOnFrom(c)
	i.clock.goOn(in)
	in.Voids = owed.Of(i.ID)
	return b, i.ordered.book.Asked()
}

// ahead is how far a real clock is ahead of the wall that is to go on from what was
// read: whoever applies the input goes by the clock of who has taken it.
func (c *content) ahead(wall func() time.Time) int64 {
	if c.opts.Clock != Real {
		return 0
	}
	return c.now - wall().UnixNano()
}
