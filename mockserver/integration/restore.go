package integration

import (
	"errors"

	"paysandbox/mockserver/budget"
	"paysandbox/mockserver/integration/clock"
	"paysandbox/mockserver/integration/outbox"
	"paysandbox/mockserver/integration/owed"
	"paysandbox/mockserver/integration/stranger"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/tape"
)

// reading is how many times its size a snapshot takes while it is read: a copy, the tape
// as it was written, and what is made of both.
const reading = 3

// Restore makes the integration what it was, or another was, when the snapshot was
// taken. It keeps its id, its credentials and the bounds of its tape, and with them
// its access tokens: what has been revoked since stays so. Time goes on from where it
// stood then. What was under way leaves
// again. A snapshot for which there is no memory is budget.ErrNoRoom; nothing is changed then.
func (i *Integration) Restore(s *Snapshot) error {
	back, err := i.budget.Reserve(reading * int64(len(s.raw)))
	if err != nil {
		return err
	}
	defer back()
	c, err := s.content()
	if err != nil {
		return err
	}
	defer i.budget.Release()
	i.moving.Lock()
	defer i.moving.Unlock()
	i.lock()
	if !i.budget.Has(s.bytes - i.tape.Bytes() - i.weight.Bytes) {
		i.mu.Unlock()
		return budget.ErrNoRoom
	}
	if order := i.order(); order != nil {
		in := i.input(InputRestore)
		in.Snapshot, in.Clock, in.Offset = s.raw, c.opts.Clock, c.ahead(i.clock.Wall)
		i.mu.Unlock()
		b, err := i.put(order, in)
		i.Send(b)
		return err
	}
	b := i.goOnFrom(c)
	i.mu.Unlock()
	i.Send(b)
	return nil
}

// restored is Restore as an input; the lock is held.
func (i *Integration) restored(in *Input) (Batch, []string) {
	c, err := decode(in.Snapshot)
	if err != nil {
		return Batch{}, nil
	}
	c.opts.Clock = in.Clock
	b := i.goOnFrom(c)
	i.clock.GoOn(in.Offset)
	i.arm()
	in.Voids = owed.Of(i.ID)
	return b, i.ordered.book.Asked()
}

// goOnFrom makes the integration what was read, under its own name and credentials. A
// token that was revoked does not come back: it may have been stolen. The lock is held.
func (i *Integration) goOnFrom(c *content) Batch {
	o := c.opts.owned(i.opts.Load())
	i.opts.Store(&o)
	c.world.KeepRevoked(i.world, c.id == i.ID)
	c.faults.KeepRevoked(&i.faults)
	return i.become(c)
}

// become makes the integration what was read, and lets it go on; the lock is held.
func (i *Integration) become(c *content) Batch {
	i.drop()
	i.epoch++
	i.empty()
	i.past.last = c.tape.Last()
	if l := i.opts.Load().Tape; l.Entries != c.opts.Tape.Entries || l.Bytes != c.opts.Tape.Bytes {
		c.tape = c.tape.Within(l)
	}
	i.world, i.limiter, i.secrets, i.guests, i.weight, i.tape, i.began = c.world, c.limiter, c.secrets, c.guests, c.weight, c.tape, c.began
	i.faults.Become(c.faults)
	i.keepFiles()
	i.weight.Bytes = 0
	i.weight.Follow(i.budget, i.world, 0)
	i.tape.Draw(i.budget.ForTape())
	i.clock.Stand(i.opts.Load().Clock, c.now)
	i.scratch.effects = i.scratch.effects[:0]
	i.news = true
	i.ordered.book.Void()
	if i.order() != nil { // what was under way is asked for anew
		i.ordered.latest = c.now
		for _, j := range c.jobs {
			i.scratch.effects = append(i.scratch.effects, j.Effect)
		}
		return i.take()
	}
	b := i.take()
	b.jobs = append(i.departAgain(c.jobs), b.jobs...)
	return b
}

// departAgain puts what was under way on its way again; the lock is held.
func (i *Integration) departAgain(jobs []*outbox.Job) []*outbox.Job {
	if i.carrier == nil || i.held {
		return nil
	}
	for _, j := range jobs {
		j.Leave(i.epoch)
	}
	i.post.Add(jobs)
	return jobs
}

// Fork adds an integration that goes on from a snapshot: the same calls get the same
// answers as from the one that it was taken of, but for the id and the credentials,
// which are its own, and what follows from them: access tokens and the addresses of
// pages. Of the options Name, ClientID and ClientSecret count. Errors: those of Create,
// budget.ErrNoRoom.
func (r *Registry) Fork(s *Snapshot, o Options) (*Integration, error) {
	back, err := r.budget.Reserve(reading * int64(len(s.raw)))
	if err != nil {
		return nil, err
	}
	defer back()
	if !r.budget.Has(s.bytes) {
		return nil, budget.ErrNoRoom
	}
	o.Tape = r.main.opts.Load().Tape
	o = s.Options.owned(&o)
	for {
		r.mu.RLock()
		id, d := r.free(&o), r.drawn
		r.mu.RUnlock()
		d.Turn++
		c, err := s.under(id, d)
		if err != nil {
			return nil, err
		}
		o.WebhookSecret = c.opts.WebhookSecret
		if made, err := r.create(id, o, c); !errors.Is(err, errIDTaken) {
			return made, err
		}
	}
}

// Revive brings back an integration as it was when the snapshot was taken: with its
// id, its credentials and its access tokens. One that has the id becomes it. A manual
// clock stands where it stood, a real one has gone on meanwhile: what fell due fires.
func (r *Registry) Revive(s *Snapshot) (*Integration, error) {
	c, err := s.content()
	if err != nil {
		return nil, err
	}
	c.now = max(c.now, r.wall().UnixNano()+c.offset)
	if c.opts.Clock == Manual {
		c.now = s.Now.UnixNano()
	}
	r.mu.Lock()
	i, b, err := r.revive(c)
	r.mu.Unlock()
	if err == nil {
		i.Send(b)
	}
	return i, err
}

// revive is Revive under the registry's lock.
func (r *Registry) revive(c *content) (*Integration, Batch, error) {
	if other := r.byClient[c.opts.ClientID]; other != nil && other.ID != c.id {
		return nil, Batch{}, ErrClientIDTaken
	}
	i, turn := r.byID[c.id], r.drawn.Turn
	if i == nil {
		r.lives.End(c.id, c.life-1)
		r.drawn.Turn = c.turn - 1
		defer func() { r.drawn.Turn = max(turn, c.turn) }()
		return r.add(c.id, c.opts, c, nil)
	}
	delete(r.byClient, i.opts.Load().ClientID)
	r.byClient[c.opts.ClientID] = i
	return i, i.revive(c), nil
}

// revive gives an integration back its credentials and its life.
func (i *Integration) revive(c *content) Batch {
	i.lock()
	defer i.mu.Unlock()
	o, own := c.opts, i.opts.Load()
	o.Secret, o.Budget, i.drawn.Turn = own.Secret, own.Budget, c.turn
	i.opts.Store(&o)
	i.keys.Store(o.keys(i.ID, c.life))
	return i.become(c)
}

// Twin is an integration like this one in its present life, as it was when that
// began: a tape of this life can be played into it. It stands in no registry, draws
// from no budget, its clock stands, and nothing leaves it. The number tells the
// lives apart.
func (i *Integration) Twin() (*Integration, uint64, error) {
	i.lock()
	defer i.mu.Unlock()
	o, life := *i.opts.Load(), i.life()
	o.Budget = nil
	w, err := o.fresh(i.began, i.drawn.Key(worldSecret(life), i.ID))
	if err != nil {
		return nil, 0, err
	}
	t := &Integration{
		ID: i.ID, drawn: i.drawn, strangers: stranger.NewCalls(), world: w, began: i.began, held: true,
		tape: tape.New(tape.Limits{Entries: o.Tape.Entries, Bytes: o.Tape.Bytes}), limiter: o.limit(), scratch: &scratch{},
		clock: clock.Still(i.began),
	}
	t.keys.Store(o.keys(i.ID, life))
	o.Clock = Manual
	t.opts.Store(&o)
	return t, i.epoch, nil
}

// Copy is a twin of the integration as it is now.
func (i *Integration) Copy() (*Integration, error) { return i.Return(i.Stop()) }

// Stop is an integration as it stood at an entry, without its tape. It never changes.
type Stop struct {
	raw []byte
	seq uint64
}

// Seq is the number of the newest entry there; Size is what the stop takes, in bytes.
func (s *Stop) Seq() uint64 { return s.seq }

// Size is what it takes, in bytes.
func (s *Stop) Size() int64 { return int64(len(s.raw)) }

// Stop keeps the integration as it is now.
func (i *Integration) Stop() *Stop {
	i.lock()
	defer i.mu.Unlock()
	c := i.content()
	c.tape = tape.New(c.opts.Tape)
	return &Stop{kernel.Encode(nil, c), c.world.Seq()}
}

// Return is a twin that stands at a stop of this integration, or of a twin of it in the
// same life: both have the same tape up to there.
func (i *Integration) Return(s *Stop) (*Integration, error) {
	t, _, err := i.Twin()
	if err != nil {
		return nil, err
	}
	c := &content{}
	if err := kernel.Decode(s.raw, c); err != nil {
		return nil, err
	}
	i.lock()
	c.tape = i.tape.Until(s.seq, c.opts.Tape)
	i.mu.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.become(c)
	return t, nil
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

// owned are the options with what another owner goes by.
func (o Options) owned(by *Options) Options {
	o.Name, o.ClientID, o.ClientSecret = by.Name, by.ClientID, by.ClientSecret
	o.Secret, o.Tape, o.Budget = by.Secret, by.Tape, by.Budget
	return o
}
