package integration

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"paysandbox/mockserver/integration/press"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// Standing writes all integrations, for Stand, compressed and drawn from the budget until
// back is called. No input may be applied meanwhile. Errors: budget.ErrNoRoom.
func (r *Registry) Standing() (state [][]byte, back func(), err error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	s := standing{secret: r.drawn.Secret, turn: r.drawn.Turn, first: r.lives.first}
	for _, id := range slices.Sorted(maps.Keys(r.lives.former)) {
		s.former = append(s.former, former{id, r.lives.former[id]})
	}
	h := press.Hold(r.budget)
	h.Put(&s)
	for _, i := range r.order {
		i.stands(h)
	}
	return h.Close()
}

// Stand makes the registry what Standing has written, until Begin. Effects that were under
// way are the order's to carry out. Where this process has lagged behind others,
// integrations that there are go on as they stand there, and those that others have deleted
// end.
func (r *Registry) Stand(written []byte) error {
	read, s := press.Read(written), standing{}
	if err := read.Into(&s); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	known := r.byID
	r.byID, r.byClient, r.order, r.begun = map[string]*Integration{}, map[string]*Integration{}, nil, false
	r.drawn.Secret, r.lives.first = s.secret, s.first
	for n := range s.list {
		if err := r.stand(&s.list[n], known); err != nil {
			return err
		}
	}
	for {
		var one stood
		err := read.Into(&one)
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil && one.asleep == nil {
			one.snapshot, err = read.Next()
		}
		if err == nil {
			err = r.stand(&one, known)
		}
		if err != nil {
			return err
		}
	}
	for _, i := range known {
		i.Close()
		i.forget()
	}
	r.tokens.forget()
	r.drawn.Turn = s.turn
	if r.main == nil {
		r.main = r.byID[DefaultID]
	}
	r.lives.former = make(map[string]uint64, len(s.former))
	for _, f := range s.former {
		r.lives.former[f.id] = f.life
	}
	return nil
}

// stand adds one integration, the one that is known if there is one; the lock is held.
func (r *Registry) stand(s *stood, known map[string]*Integration) error {
	c := &content{identity: s.identity, moment: s.moment}
	var err error
	if s.asleep == nil {
		c, err = decode(s.snapshot)
	} else if err = errNoShelf; r.shelf != nil {
		s.asleep.shelf = r.shelf
		err = r.shelf.Keep(s.asleep.name)
	}
	if err != nil {
		return err
	}
	o := c.opts
	o.Budget = r.budget
	if c.id == DefaultID {
		o.Secret = r.drawn.Secret
	}
	i := r.bare(c.id, o, &Input{At: c.began, Offset: c.offset, Life: c.life, Turn: c.turn})
	if there := known[c.id]; there != nil {
		delete(known, c.id)
		there.replace(i)
		i = there
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.clock.stand(o.Clock, c.now)
	i.clock.goOn(&Input{Offset: c.offset})
	i.ordered.latest, i.asleep = s.latest, s.asleep
	if i.scratch = nil; i.asleep == nil {
		i.rise(c, s)
	}
	r.enter(i)
	return nil
}

// rise gives the integration what was read of it, all but its clock; the lock is held.
func (i *Integration) rise(c *content, s *stood) {
	i.world, i.limiter, i.secrets, i.guests, i.weight, i.tape, i.scratch = c.world, c.limiter, c.secrets, c.guests, c.weight, c.tape, &scratch{}
	i.faults.Become(c.faults)
	i.budget.Force(i.weight.bytes)
	i.tape.Draw(i.budget.ForTapes())
	i.keepFiles()
	for _, j := range c.jobs { // which the order has not been told of
		i.ordered.book.Ask(i.effectName(j.effect), j.effect)
	}
	for _, one := range s.saved {
		i.savedAgain(&Input{Kind: InputSave, Label: one.name, Snapshot: one.raw})
	}
	i.saved.named = s.named
}

// How often nobody may have asked for an integration when it is put to sleep, and what is
// due so soon that sleep is not worth it.
const (
	drowsy  = 4
	dueSoon = int64(time.Minute)
)

// Doze puts those to sleep that nobody has asked for since it was called four times
// before, that have nothing under way, and nothing due soon. The error is why some could
// not; they stay awake.
func (r *Registry) Doze() (asleep int, err error) {
	for _, i := range r.List() {
		slept, wrong := i.doze(r.shelf)
		err = errors.Join(err, wrong)
		if slept {
			asleep++
		}
	}
	if asleep > 0 { // so that the next snapshot is another one
		err = errors.Join(err, r.by.Put(&Input{Kind: InputNothing}, func() []string { return nil }))
	}
	return asleep, err
}

func (i *Integration) doze(shelf Shelf) (bool, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.asleep != nil || i.closed || i.held || i.lost != nil {
		return false, nil
	}
	if i.idle++; i.idle <= drowsy {
		return false, nil
	}
	i.idle = drowsy
	due, pending := i.world.NextDue()
	if len(i.post.underWay()) > 0 || i.ordered.book.Len() > 0 || pending && i.clock.mode == Real && due-i.clock.now() < dueSoon {
		return false, nil
	}
	if err := i.world.LostFile(); err != nil {
		return false, fmt.Errorf("integration %s stays awake: %w", i.ID, err)
	}
	s := i.wholly()
	a := &asleep{shelf: shelf, due: due, pending: pending, entries: i.tape.Len(), bytes: i.tape.Bytes(), entities: i.world.Entities()}
	var err error
	if a.name, err = shelf.Put(i.ID, kernel.Encode(nil, &s)); err != nil {
		return false, fmt.Errorf("integration %s stays awake: %w", i.ID, err)
	}
	i.empty()
	i.files.Drop()
	i.files = nil
	i.saved.clear(i.budget)
	i.world, i.tape, i.secrets, i.scratch, i.asleep = nil, nil, secrets{}, nil, a
	return true, nil
}

// lock takes the lock, and wakes the integration.
func (i *Integration) lock() {
	i.mu.Lock()
	i.idle = 0
	if i.asleep != nil {
		i.awake()
	}
}

// awake reads the integration back. One that cannot be read is empty and lost: it takes
// no input but those that make it another one.
func (i *Integration) awake() {
	a := i.asleep
	i.asleep = nil
	var s stood
	raw, err := a.shelf.Get(a.name)
	if err == nil {
		err = kernel.Decode(raw, &s)
	}
	var c *content
	if err == nil {
		c, err = decode(s.snapshot)
	}
	if err != nil {
		o := i.opts.Load()
		i.lost, i.world, i.tape, i.scratch = err, world.New(o.world(nil)), tape.New(o.Tape), &scratch{}
		return
	}
	i.rise(c, &s)
	a.shelf.Drop(a.name)
}

// standing is a registry between two inputs; today its integrations follow.
type standing struct {
	secret      []byte
	turn, first uint64
	former      []former
	list        []stood
}

// stood is an integration: its snapshot, the time of its last input, and the snapshots
// that are saved of it; or where it sleeps.
type stood struct {
	snapshot []byte
	latest   int64
	saved    []kept
	named    int
	asleep   *asleep
	identity
	moment
}

// Pack lists what is kept.
func (s *standing) Pack(k *kernel.Codec) {
	k.Bytes(&s.secret)
	k.Num(&s.turn)
	k.Num(&s.first)
	kernel.PackEach(k, &s.former, 2, func(f *former) {
		k.Str(&f.id)
		k.Num(&f.life)
	})
	kernel.PackEach(k, &s.list, 2, func(i *stood) { i.Pack(k) })
}

// Pack lists what is kept.
func (s *stood) Pack(k *kernel.Codec) {
	k.Ints(&s.latest)
	sleeps := s.asleep != nil
	if k.Bools(&sleeps); sleeps {
		if k.Reading() {
			s.asleep = &asleep{}
		}
		a := s.asleep
		s.identity.Pack(k)
		s.moment.Pack(k)
		k.Str(&a.name)
		k.Ints(&a.due, &a.bytes)
		k.Bools(&a.pending)
		k.Int(&a.entries)
		k.Int(&a.entities)
		return
	}
	k.Bytes(&s.snapshot)
	k.Int(&s.named)
	kernel.PackEach(k, &s.saved, 2, func(one *kept) {
		k.Str(&one.name)
		k.Bytes(&one.raw)
	})
}

// jobsOf are effects that are owed, as a snapshot holds them; the lock is held.
func (i *Integration) jobsOf(effects []kernel.Effect) (jobs []*job) {
	for _, e := range effects {
		if j := (&job{effect: e}); i.sees(j) {
			jobs = append(jobs, j)
		}
	}
	return jobs
}

// underWay are the effects whose results have not been taken in; the lock is held.
func (i *Integration) underWay() []*job {
	if i.order() != nil {
		return i.jobsOf(i.ordered.book.Open())
	}
	return i.post.underWay()
}
