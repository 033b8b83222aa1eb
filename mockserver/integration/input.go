package integration

import (
	"time"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/tape"
)

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

// Pack lists the fields of an input, those alone that its kind has. Its Answers stand
// beside it.
func (in *Input) Pack(k *kernel.Codec) {
	k.Num8s((*uint8)(&in.Kind))
	k.Require(in.Kind > 0 && in.Kind < inputEnd, "a kind of input that there is")
	k.Str(&in.Integration)
	k.Num(&in.Life)
	k.Ints(&in.At, &in.Offset)
	switch in.Kind {
	case InputCall:
		in.packCall(k)
	case InputAttempt:
		in.Effect.Pack(k)
		k.Str(&in.RetryAfter)
		packAttempt(k, &in.Attempt)
	case InputFetch:
		in.Effect.Pack(k)
		f := &in.Fetch
		k.Strs(&f.URL, &f.ContentType, &f.Error)
		k.Int(&f.Status)
		k.Bytes(&f.Body)
	case InputHangup:
		k.Num(&in.Cause)
		kernel.PackEach(k, &in.Entities, 1, k.Str)
		k.Ints(&in.After)
	case InputMove:
		k.Ints(&in.To)
		k.Str(&in.Label)
	case InputCreate:
		made := identity{id: in.Integration, opts: in.Created, life: in.Life, turn: in.Turn}
		made.Pack(k)
		k.Bytes(&made.opts.Secret)
		in.Created, in.Turn = made.opts, made.turn
		k.Bytes(&in.Snapshot)
	case InputRestore:
		k.Str((*string)(&in.Clock))
		k.Require(in.Clock == Real || in.Clock == Manual, "a clock that there is")
		k.Bytes(&in.Snapshot)
	case InputSave, InputUnsave:
		k.Str(&in.Label)
		k.Bytes(&in.Snapshot)
	default:
	}
}

func (in *Input) packCall(k *kernel.Codec) {
	x, j := &in.Call, &in.Judged
	k.Num8s((*uint8)(&in.On))
	k.Require(in.On == tape.KindExchange || in.On == tape.KindPage || in.On == tape.KindControl, "a kind of call")
	k.Strs(&x.Method, &x.Path, &x.Query, &in.Label, &j.Auth, &j.Token)
	k.Bools(&x.InFlight)
	k.Num(&j.Generation)
	k.Num(&j.Life)
	k.Ints(&j.Expires)
	packHeaders(k, &x.Request.Header)
	k.Bytes(&x.Request.Body)
}

func packHeaders(k *kernel.Codec, list *[]tape.Header) {
	kernel.PackEach(k, list, 2, func(h *tape.Header) { k.Strs(&h.Name, &h.Value) })
}

func packAttempt(k *kernel.Codec, a *tape.Attempt) {
	k.Strs(&a.Delivery, &a.Endpoint, &a.Event, (*string)(&a.Profile), &a.URL, &a.Error)
	k.Int(&a.Number)
	k.Int(&a.Status)
	k.Ints(&a.Took)
	packHeaders(k, &a.Header)
	packHeaders(k, &a.ResponseHeader)
	k.Bytes(&a.Body)
	k.Bytes(&a.ResponseBody)
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

// input begins an input; the lock is held.
func (i *Integration) input(kind InputKind) *Input {
	in := &Input{Kind: kind, Integration: i.ID, Life: i.life(), At: i.clock.Now()}
	if i.clock.Mode == Real {
		in.Offset = i.clock.Offset
	}
	return in
}

// locked is input for who does not hold the lock.
func (i *Integration) locked(kind InputKind) *Input {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.input(kind)
}
