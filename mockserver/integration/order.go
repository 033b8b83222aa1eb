package integration

import (
	"strings"
	"sync/atomic"
	"time"

	"paysandbox/mockserver/integration/owed"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// Order keeps inputs in one order that outlasts the process, and has each applied
// only then, by this process and by all others that share the order.
type Order interface {
	// Put returns when the input was applied: by apply, which gives the effects that
	// it asks for, by name. An error says that it was not, or that nobody knows.
	Put(in *Input, apply func() (effects []string)) error
	// Shared says that other processes apply the inputs, too.
	Shared() bool
	// Current applies what other processes have put of an integration, or with an empty
	// id of the list of integrations. An order that cannot be reached is left as it is.
	Current(id string)
}

// ordered is what an integration knows of the order that its inputs come in.
type ordered struct {
	by atomic.Pointer[Order]
	// latest is the time of the last input, and own says that this process has taken the
	// one in hand.
	latest int64
	own    bool
	// book is what is owed, whichever process carries it out.
	book owed.Book
}

// order is nil where inputs are applied as they come.
func (i *Integration) order() Order {
	if o := i.ordered.by.Load(); o != nil {
		return *o
	}
	return nil
}

// Current applies what other processes have put, if there are others.
func (i *Integration) Current() {
	if o := i.order(); o != nil && o.Shared() {
		o.Current(i.ID)
	}
}

// Ordered says whether inputs are ordered before they are applied.
func (i *Integration) Ordered() bool { return i.order() != nil }

// put orders an input that is no call, and applies it.
func (i *Integration) put(o Order, in *Input) (b Batch, err error) {
	err = o.Put(in, func() (effects []string) {
		b, effects = i.Apply(in, true)
		return effects
	})
	return b, err
}

// doInOrder is Do where inputs are ordered before they are applied.
func (i *Integration) doInOrder(o Order, c *Call, run func(w *world.World, c *Call)) (b Batch) {
	if c.Silent {
		i.catchUp(o)
	}
	if c.Kind == tape.KindExchange || c.Kind == tape.KindPage { // whoever controls it may want to make room
		if c.Failed = i.Wake(); c.Failed != nil {
			return Batch{}
		}
	}
	i.lock()
	switch {
	case i.lost != nil:
		defer i.mu.Unlock()
		c.Failed = i.asLost()
		return Batch{}
	case c.Silent:
		defer i.mu.Unlock()
		c.Time, c.Seq = time.Unix(0, i.clock.Now()).UTC(), i.world.Seq()
		run(i.world, c)
		return Batch{}
	case c.Stranger && !i.guests.Room(i.tape):
		defer i.mu.Unlock()
		c.Time, c.Seq = time.Unix(0, i.clock.Now()).UTC(), 0
		run(i.world, c)
		i.strangers.Keep(c.Time.UnixNano(), c.Kind, c.Exchange)
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

// agree gives the time of an input: what its taker's clock said, but never before the
// input that precedes it. What was taken in a former life says nothing of the time. The
// lock is held.
func (i *Integration) agree(in *Input) int64 {
	if in.Life != i.life() {
		return i.ordered.latest
	}
	at := max(in.At, i.ordered.latest)
	i.ordered.latest = at
	if i.clock.Mode == Real {
		i.clock.Offset = max(i.clock.Offset, in.Offset)
	}
	return at
}

// Agree is when a call is to be applied that another process has taken.
func (i *Integration) Agree(in *Input) int64 {
	i.lock()
	defer i.mu.Unlock()
	return i.agree(in)
}

// start sets the clock where a life begins: where the input says, so that it is the
// same wherever it is applied.
func (i *Integration) start(in *Input) {
	i.began = i.clock.Now()
	if in == nil {
		return
	}
	i.began, i.ordered.latest = in.At, in.At
	i.clock.GoOn(in.Offset)
}

// Apply applies an input that is no call. own says that this process has taken it, and
// is to carry out what it asks for: the batch, for Send.
func (i *Integration) Apply(in *Input, own bool) (Batch, []string) {
	i.lock()
	defer i.mu.Unlock()
	switch {
	case in.Kind == InputSave || in.Kind == InputUnsave: // what is saved outlives a reset
		i.savedAgain(in)
		return Batch{}, nil
	case in.Life != i.life() || i.gone:
		return Batch{}, nil
	case i.lost != nil && in.Kind != InputReset && in.Kind != InputRestore:
		return Batch{}, nil
	}
	i.giveUp()
	i.ordered.own = own
	defer func() { i.ordered.own = false }()
	switch in.Kind {
	case InputReset:
		i.reset(in)
		return Batch{}, nil
	case InputRestore:
		return i.restored(in)
	default:
	}
	at := i.agree(in)
	i.clock.Reach(at)
	i.fire(at)
	i.applied(in, at)
	i.answered(in.Answers)
	i.flush()
	return i.take(), i.ordered.book.Asked()
}

// applied puts an input on the tape.
func (i *Integration) applied(in *Input, at int64) {
	switch in.Kind {
	case InputMove:
		in.To = max(in.To, at)
		in.Cause = i.recordMove(at, in.To, string(i.clock.Mode), in.Label)
	case InputAttempt:
		i.recordAttempt(at, in.Effect.ID, in.Effect.Cause, in.Attempt, in.RetryAfter)
	case InputFetch:
		i.recordFetch(at, in.Effect.ID, in.Effect.Cause, in.Fetch)
	case InputHangup:
		i.recordHangup(at, in.Cause, in.Entities, tape.Hangup{After: in.After})
	default:
	}
}

// Wanted gives the effects that were asked for since it was called last, by name.
func (i *Integration) Wanted() []string {
	i.lock()
	defer i.mu.Unlock()
	return i.ordered.book.Asked()
}

// effectName is what an effect is called in the order.
func (i *Integration) effectName(e kernel.Effect) string {
	return owed.Name(i.ID, owed.Effect{Effect: e, Life: i.life()})
}

// stateOf says what is to become of an effect now, and gives it if it leaves.
func (i *Integration) stateOf(name string) (b Batch, s owed.State) {
	i.lock()
	defer i.mu.Unlock()
	e, err := owed.Read(name)
	switch {
	case i.gone:
		return b, owed.Over
	case i.held:
		i.ordered.book.Defer(name)
		return b, owed.Later
	case i.closed || i.lost != nil || i.carrier == nil:
		return b, owed.Later
	case err != nil || e.Life != i.life():
		return b, owed.Over
	case i.post.Carries(e.Effect):
		return b, owed.UnderWay
	}
	if b = i.depart([]kernel.Effect{e.Effect}); b.Empty() {
		return b, owed.Over
	}
	return b, owed.Leaves
}

// Carry carries out an effect of a name, if it is called for and can leave.
func (i *Integration) Carry(name string) {
	b, state := i.stateOf(name)
	switch state {
	case owed.Leaves:
		go i.Send(b)
	case owed.Over:
		go i.putOver(name)
	case owed.Later, owed.UnderWay:
	}
}

// Carry carries out an effect of a name, if it is called for and can leave; nobody calls
// for one of an integration that was deleted.
func (r *Registry) Carry(name string) {
	id, _, _ := strings.Cut(name, "\x00")
	if i := r.Get(id); i != nil {
		i.Carry(name)
		return
	}
	in := &Input{Kind: InputNothing, Integration: id, Answers: name}
	go insist(r.ended, func() error { return r.by.Put(in, func() []string { return nil }) })
}

// Owe notes effects of integrations that Stand has made, which the order knows.
func (r *Registry) Owe(names []string) {
	for _, name := range names {
		id, _, _ := strings.Cut(name, "\x00")
		e, err := owed.Read(name)
		if i := r.Get(id); i != nil && err == nil && e.Life == i.life() {
			i.ordered.book.Owe(name, e.Effect)
		}
	}
}

// putOver tells the order that nobody calls for an effect any more.
func (i *Integration) putOver(name string) {
	in := i.locked(InputNothing)
	in.Answers = name
	i.putResult(i.order(), in)
}

// answered notes that an effect has its answer; the lock is held.
func (i *Integration) answered(name string) {
	if i.ordered.book.Answered(name) {
		i.news = true // who settles is waiting for it
	}
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
