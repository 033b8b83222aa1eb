package integration

import (
	"sync/atomic"
	"time"

	"paysandbox/mockserver/integration/owed"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/tape"
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

// InputKind says what an input is.
type InputKind uint8

// The kinds of inputs.
const (
	// InputCall is a request: an exchange, a page or a control call.
	InputCall InputKind = iota + 1
	// InputAttempt and InputFetch are what came back of an effect, and InputNothing says
	// that an effect is not called for any more.
	InputAttempt
	InputFetch
	InputNothing
	// InputHangup is a caller that hung up.
	InputHangup
	// InputMove begins a move of the clock; InputTime says what time it is.
	InputMove
	InputTime
	// InputReset, InputCreate and InputDelete begin and end lives; InputRestore makes an
	// integration what Snapshot holds.
	InputReset
	InputCreate
	InputDelete
	InputRestore
	// InputSave keeps Snapshot under the name in Label, and InputUnsave forgets it.
	InputSave
	InputUnsave
	inputEnd
)

// Input is one thing that came from outside, as it stands in an order of inputs.
type Input struct {
	Kind InputKind
	// Integration is the id of the integration, and Life the one of its lives.
	Integration string
	Life        uint64
	// At is what its taker's clock said, in virtual nanoseconds since 1970 UTC, and
	// Offset how far that was ahead of the wall, under a real clock.
	At, Offset int64
	// Call is the request, without its answer, of kind On.
	On     tape.Kind
	Call   tape.Exchange
	Label  string
	Judged Judged
	// Effect is what Attempt or Fetch came back of, and RetryAfter what the receiver
	// asked for.
	Effect     kernel.Effect
	Answers    string // the effect's name
	Attempt    tape.Attempt
	Fetch      tape.Fetch
	RetryAfter string
	// Voids, set where the input is applied, begins the names of effects that were asked
	// for before it and are not called for any more.
	Voids string
	// Cause and Entities are those of a hanging up After so many nanoseconds.
	Cause    uint64
	Entities []string
	After    int64
	// To is where the clock is to go.
	To int64
	// Created is what an integration is made from, Turn and Secret what its secrets
	// are drawn from.
	Created Options
	Turn    uint64
	// Snapshot is what an integration becomes, under the Clock, or what is saved of it.
	Snapshot []byte
	Clock    ClockMode
}

// Judged is what a surface has found out about a caller before the call was taken.
type Judged struct {
	// Auth and Token are the verdict and the token's id.
	Auth, Token string
	// Generation and Life are the token's, and Expires its end in unix nanoseconds.
	Generation, Life uint64
	Expires          int64
}

// Judged is what is known of the caller.
func (c *Caller) Judged() Judged {
	return Judged{Auth: c.Verdict, Token: c.Token, Generation: c.Generation, Life: c.life, Expires: c.Expires.UnixNano()}
}

// Caller is who was judged so.
func (a *Again) Caller() Caller {
	c := Caller{Integration: a.Integration, Verdict: a.Auth, Token: a.Token}
	if a.Judged != nil {
		c.Generation, c.life, c.Expires = a.Judged.Generation, a.Judged.Life, time.Unix(0, a.Judged.Expires)
	}
	return c
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

// agree gives the time of an input: what its taker's clock said, but never before the
// input that precedes it. What was taken in a former life says nothing of the time. The
// lock is held.
func (i *Integration) agree(in *Input) int64 {
	if in.Life != i.life() {
		return i.ordered.latest
	}
	at := max(in.At, i.ordered.latest)
	i.ordered.latest = at
	if i.clock.mode == Real {
		i.clock.offset = max(i.clock.offset, in.Offset)
	}
	return at
}

// start sets the clock where a life begins: where the input says, so that it is the
// same wherever it is applied.
func (i *Integration) start(in *Input) {
	i.began = i.clock.now()
	if in == nil {
		return
	}
	i.began, i.ordered.latest = in.At, in.At
	i.clock.goOn(in)
}

// Agree is when a call is to be applied that another process has taken.
func (i *Integration) Agree(in *Input) int64 {
	i.lock()
	defer i.mu.Unlock()
	return i.agree(in)
}

// Wanted gives the effects that were asked for since it was called last, by name.
func (i *Integration) Wanted() []string {
	i.lock()
	defer i.mu.Unlock()
	return i.ordered.book.Asked()
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
	i.lost = nil
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
	i.clock.reach(at)
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
		in.Cause = i.recordMove(at, in.To, string(i.clock.mode), in.Label)
	case InputAttempt:
		i.recordAttempt(at, in.Effect.ID, in.Effect.Cause, in.Attempt, in.RetryAfter)
	case InputFetch:
		i.recordFetch(at, in.Effect.ID, in.Effect.Cause, in.Fetch)
	case InputHangup:
		i.recordHangup(at, in.Cause, in.Entities, tape.Hangup{After: in.After})
	default:
	}
}

// effectName is what an effect is called in the order.
func (i *Integration) effectName(e kernel.Effect) string {
	return owed.Name(i.ID, owed.Effect{Effect: e, Life: i.life()})
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
	case i.closed || i.lost != nil || i.post.carrier == nil:
		return b, owed.Later
	case err != nil || e.Life != i.life():
		return b, owed.Over
	case i.post.carries(e.Effect):
		return b, owed.UnderWay
	}
	if b = i.depart([]kernel.Effect{e.Effect}); b.Empty() {
		return b, owed.Over
	}
	return b, owed.Leaves
}

// putOver tells the order that nobody calls for an effect any more.
func (i *Integration) putOver(name string) {
	in := i.locked(InputNothing)
	in.Answers = name
	i.putResult(i.order(), in)
}

// Ordered says whether inputs are ordered before they are applied.
func (i *Integration) Ordered() bool { return i.order() != nil }

// answered notes that an effect has its answer; the lock is held.
func (i *Integration) answered(name string) {
	if i.ordered.book.Answered(name) {
		i.news = true // who settles is waiting for it
	}
}

// locked is input for who does not hold the lock.
func (i *Integration) locked(kind InputKind) *Input {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.input(kind)
}

// insist does something until it is done, or the registry has ended.
func insist(ended <-chan struct{}, do func() error) {
	for do() != nil {
		select {
		case <-time.After(tickAgain):
		case <-ended:
			return
		}
	}
}
