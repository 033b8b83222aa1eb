package integration

import (
	"crypto/sha256"
	"errors"
	"time"

	"paysandbox/mockserver/fault"
	"paysandbox/mockserver/integration/press"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/secret"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// content is everything that is kept of an integration. What belongs to the process
// alone is not: locks, callers who wait, the secret that secrets are drawn from.
type content struct {
	identity
	moment
	state
}

// Pack lists what is kept.
func (c *content) Pack(k *kernel.Codec) {
	c.identity.Pack(k)
	c.moment.Pack(k)
	if k.Reading() {
		if !k.Sound() {
			return
		}
		c.state = newState(&c.opts)
	}
	c.state.Pack(k)
}

// identity is who an integration is and what it was made from.
type identity struct {
	id   string
	opts Options
	// life and turn are its secrets' (see lives and drawn.Source).
	life, turn uint64
}

// Pack lists the fields of an identity.
func (d *identity) Pack(k *kernel.Codec) {
	o := &d.opts
	k.Strs(&d.id, &o.Name, (*string)(&o.Environment), &o.ClientID, &o.ClientSecret, (*string)(&o.Clock),
		&o.StatusKey, &o.WebhookURL, &o.WebhookSecret)
	k.Num(&o.Seed)
	k.Bools(&o.Strict)
	packTime(k, &o.Start)
	settings := o.Settings.String()
	k.Str(&settings)
	if err := o.Settings.UnmarshalText([]byte(settings)); err != nil && k.Reading() {
		k.Refuse("choices of the latitude ledger", err.Error())
	}
	k.Int(&o.Tape.Entries)
	k.Ints(&o.Tape.Bytes)
	k.Num(&d.life)
	k.Num(&d.turn)
	k.Require((o.Clock == Real || o.Clock == Manual) && (o.Environment == world.Sandbox || o.Environment == world.Rehearsal), "a clock and an environment that there are")
}

// packTime writes or reads a moment, or none.
func packTime(k *kernel.Codec, t *time.Time) {
	set, at := !t.IsZero(), t.UnixNano()
	k.Bools(&set)
	if !set {
		*t = time.Time{}
		return
	}
	k.Ints(&at)
	*t = time.Unix(0, at).UTC()
}

// moment is where the clock stands: now is virtual time, and offset how far a real
// clock was ahead of the wall.
type moment struct{ now, offset, began int64 }

// Pack lists the fields of a moment.
func (m *moment) Pack(k *kernel.Codec) { k.Ints(&m.now, &m.offset, &m.began) }

// state is what the same inputs bring about again, and how full it is.
type state struct {
	world   *world.World
	faults  *fault.Set
	limiter limiter
	secrets secrets
	guests  guests
	weight  weight
	tape    *tape.Memory
	jobs    []*job
}

// newState is an empty one, to be read into.
func newState(o *Options) state {
	return state{world: world.New(o.world(nil)), faults: &fault.Set{}, tape: tape.New(o.Tape)}
}

// Pack lists the fields of a state.
func (s *state) Pack(k *kernel.Codec) {
	s.packWorld(k)
	s.secrets.Pack(k)
	if k.Reading() {
		s.secrets.of, s.secrets.state = s.world, s.world.Webhooks().Changes()-1 // gathered anew, with its own
	}
	k.Int(&s.guests.entries)
	k.Ints(&s.guests.bytes, &s.weight.bytes, &s.weight.brought, &s.weight.files)
	k.Int(&s.weight.entities)
	kernel.PackEach(k, &s.jobs, 1, func(j **job) {
		if k.Reading() {
			*j = &job{}
		}
		(*j).Pack(k)
	})
	if !k.Reading() {
		k.Long(s.tape.Written(), s.tape.WriteTo)
		return
	}
	if written := k.View(); k.Sound() {
		if err := s.tape.Load(written); err != nil {
			k.Refuse("the entries of a tape", err.Error())
		}
	}
}

// packWorld lists what all who have applied the same inputs agree on.
func (s *state) packWorld(k *kernel.Codec) {
	s.world.Pack(k)
	s.faults.Pack(k)
	k.Ints(&s.limiter.burst, &s.limiter.every, &s.limiter.full)
	k.Require(s.limiter.burst >= 0 && (s.limiter.burst == 0) == (s.limiter.every == 0) && s.limiter.every >= 0, "a rate limit")
}

// Pack lists the secrets, in the order in which they became known.
func (s *secrets) Pack(k *kernel.Codec) {
	known := s.Known()
	kernel.PackEach(k, &known, 1, k.Str)
	if !k.Reading() {
		return
	}
	*s = secrets{Values: secret.NewValues(tokenHead)}
	for _, value := range known {
		s.Add(value)
	}
}

// Pack lists what is under way: what the effect asks for, and how it left.
func (j *job) Pack(k *kernel.Codec) {
	j.effect.Pack(k)
	k.Require(j.effect.Kind == kernel.FetchAttachment || j.effect.Kind == kernel.SendDelivery, "an effect that there is")
	j.view.Pack(k)
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

func (i *Integration) identity() identity {
	return identity{id: i.ID, opts: *i.opts.Load(), life: i.life(), turn: i.drawn.Turn}
}

func (i *Integration) moment() moment {
	return moment{now: i.clock.now(), offset: i.clock.offset, began: i.began}
}

// Shelf keeps what sleeps, outside memory.
type Shelf interface {
	// Put keeps bytes of an integration and gives the name that Get knows them by.
	Put(id string, b []byte) (name string, err error)
	Get(name string) ([]byte, error)
	// Keep says that a name is needed, and Drop that it is not any more.
	Keep(name string) error
	Drop(name string)
}

var errNoShelf = errors.New("integrations sleep in this snapshot, and nothing says where")

// asleep is what is known of an integration that is out of memory.
type asleep struct {
	shelf Shelf
	name  string
	// due is when its next timer fires, if pending says that there is one.
	due      int64
	pending  bool
	entries  int
	bytes    int64
	entities int
}

// savedAgain is Save and Unsave as inputs that another process has taken; the lock is held.
func (i *Integration) savedAgain(in *Input) {
	if in.Kind == InputUnsave {
		i.saved.drop(in.Label, i.budget)
		return
	}
	if snapshot, err := ReadSnapshot(in.Snapshot); err == nil {
		_, _ = i.saved.add(in.Label, snapshot, i.budget) // a refusal was told to who asked
	}
}

// stands writes the integration as it stands: all but its snapshot, and that.
func (i *Integration) stands(h *press.Held) {
	i.mu.Lock()
	defer i.mu.Unlock()
	s := stood{latest: i.ordered.latest, asleep: i.asleep}
	if i.asleep != nil {
		s.identity, s.moment = i.identity(), i.moment()
		h.Put(&s)
		return
	}
	c := i.standing(&s)
	h.Put(&s)
	h.Record((c.tape.Bytes()+c.weight.bytes)*17/16, c.writeTo)
}

// writeTo writes the bytes of a snapshot piece by piece.
func (c *content) writeTo(sink func(piece []byte)) {
	sum := sha256.New()
	both := func(piece []byte) {
		_, _ = sum.Write(piece)
		sink(piece)
	}
	both(header())
	kernel.EncodeTo(c, both)
	sink(sum.Sum(nil))
}
