package integration

import (
	"cmp"
	"errors"
	"io"
	"maps"
	"slices"

	"paysandbox/mockserver/integration/press"
	"paysandbox/mockserver/kernel"
)

// Standing writes all integrations, for Stand, compressed and drawn from the budget until
// back is called. No input may be applied meanwhile. Errors: budget.ErrNoRoom.
func (r *Registry) Standing() (state [][]byte, back func(), err error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	s := standing{secret: r.drawn.Secret, turn: r.drawn.Turn, first: r.lives.First}
	for _, id := range slices.Sorted(maps.Keys(r.lives.Former)) {
		s.former = append(s.former, former{id, r.lives.Former[id]})
	}
	h := press.Hold(r.budget)
	h.Put(&s)
	for _, i := range r.order {
		i.stands(h)
	}
	return h.Close()
}

// stands writes the integration as it stands: all but its snapshot, and that.
func (i *Integration) stands(h *press.Held) {
	i.mu.Lock()
	defer i.mu.Unlock()
	s := stood{latest: i.ordered.latest, asleep: cmp.Or(i.asleep, i.astray)}
	if s.asleep != nil { // or cannot be woken: perhaps it can be another time
		s.identity, s.moment = i.identity(), i.moment()
		h.Put(&s)
		return
	}
	c := i.standing(&s)
	h.Put(&s)
	h.Record((c.tape.Bytes()+c.weight.Bytes)*17/16, c.writeTo)
}

// standing puts what is saved into s, and gives the rest.
func (i *Integration) standing(s *stood) *content {
	c := i.content()
	c.jobs = i.jobsOf(i.ordered.book.Unasked()) // the order knows the others
	s.named = i.saved.named
	for _, one := range i.saved.list {
		s.saved = append(s.saved, kept{one.Name, one.raw})
	}
	return c
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
	r.drawn.Secret, r.lives.First = s.secret, s.first
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
	r.lives.Former = make(map[string]uint64, len(s.former))
	for _, f := range s.former {
		r.lives.Former[f.id] = f.life
	}
	return nil
}

// stand adds one integration, the one that is known if there is one; the lock is held.
func (r *Registry) stand(s *stood, known map[string]*Integration) error {
	c := &content{identity: s.identity, moment: s.moment}
	var err error
	if s.asleep == nil {
		n := 2 * int64(len(s.snapshot)) // itself, and what is made of it until that is drawn
		r.budget.Force(n)
		defer r.budget.Give(n)
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
	i.clock.Stand(o.Clock, c.now)
	i.clock.GoOn(c.offset)
	i.clock.Reach(c.now)
	i.ordered.latest, i.asleep = s.latest, s.asleep
	if i.scratch = nil; i.asleep == nil {
		i.rise(c, s)
	}
	r.enter(i)
	return nil
}

// standing is a registry between two inputs; today its integrations follow.
type standing struct {
	secret      []byte
	turn, first uint64
	former      []former
	list        []stood
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
