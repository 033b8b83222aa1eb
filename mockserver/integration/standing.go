package integration

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"

	"paysandbox/mockserver/kernel"
)

// Standing writes all integrations, for Stand. No input may be applied meanwhile.
func (r *Registry) Standing() []byte {
	r.mu.RLock()
	defer r.mu.RUnlock()
	s := standing{secret: r.drawn.secret, turn: r.drawn.turn, first: r.lives.first}
	for _, id := range slices.Sorted(maps.Keys(r.lives.former)) {
		s.former = append(s.former, former{id, r.lives.former[id]})
	}
	for _, i := range r.order {
		s.list = append(s.list, i.stood())
	}
	return kernel.Encode(nil, &s)
}

// stood is the integration as it stands.
func (i *Integration) stood() stood {
	s := stood{snapshot: i.Snapshot().raw, hash: i.Hash(), latest: i.ordered.latest, named: i.saved.named}
	for _, one := range i.Saved() {
		s.saved = append(s.saved, kept{one.Name, one.raw})
	}
	return s
}

// Stand makes an empty registry what Standing has written. Effects that were under way
// are the order's to carry out.
func (r *Registry) Stand(written []byte) error {
	var s standing
	if err := kernel.Decode(written, &s); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.drawn.secret, r.lives.first = s.secret, s.first
	for n := range s.list {
		if err := r.stand(&s.list[n]); err != nil {
			return err
		}
	}
	r.drawn.turn, r.main = s.turn, r.byID[DefaultID]
	r.lives.former = make(map[string]uint64, len(s.former))
	for _, f := range s.former {
		r.lives.former[f.id] = f.life
	}
	return nil
}

// stand adds one integration; the lock is held.
func (r *Registry) stand(s *stood) error {
	c, err := decode(s.snapshot)
	if err != nil {
		return err
	}
	o := c.opts
	o.Budget = r.budget
	if c.id == DefaultID {
		o.Secret = r.drawn.secret
	}
	i, _, err := r.add(c.id, o, nil, &Input{At: c.began, Offset: c.offset, Life: c.life, Turn: c.turn})
	if err != nil {
		return err
	}
	i.mu.Lock()
	c.jobs = nil
	i.become(c)
	i.clock.goOn(&Input{Offset: c.offset})
	i.ordered.latest = s.latest
	i.mu.Unlock()
	for _, one := range s.saved {
		i.savedAgain(&Input{Kind: InputSave, Label: one.name, Snapshot: one.raw})
	}
	i.saved.named = s.named
	if i.Hash() != s.hash {
		return fmt.Errorf("integration %s: what was read has not the hash of what was written", c.id)
	}
	return nil
}

// standing is a registry between two inputs.
type standing struct {
	secret      []byte
	turn, first uint64
	former      []former
	list        []stood
}

// former is a deleted integration's last life.
type former struct {
	id   string
	life uint64
}

// stood is an integration: its snapshot, its hash, the time of its last input, and the
// snapshots that are saved of it.
type stood struct {
	snapshot []byte
	hash     [sha256.Size]byte
	latest   int64
	saved    []kept
	named    int
}

// kept is a saved snapshot's bytes under its name.
type kept struct {
	name string
	raw  []byte
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
	k.Bytes(&s.snapshot)
	k.Fixed(s.hash[:])
	k.Ints(&s.latest)
	k.Int(&s.named)
	kernel.PackEach(k, &s.saved, 2, func(one *kept) {
		k.Str(&one.name)
		k.Bytes(&one.raw)
	})
}

// openJobs are the effects that are under way in any process; the lock is held.
func (i *Integration) openJobs() []*job {
	jobs := make([]*job, 0, len(i.ordered.open))
	for _, e := range i.ordered.open {
		j := &job{effect: e.effect}
		if e.effect.Kind == kernel.SendDelivery {
			var pending bool
			if j.view, pending = i.world.Webhooks().View(e.effect.ID); !pending {
				continue
			}
		}
		jobs = append(jobs, j)
	}
	return jobs
}

// underWay are the effects whose results have not been taken in; the lock is held.
func (i *Integration) underWay() []*job {
	if o := i.order(); o != nil && o.Shared() {
		return i.openJobs()
	}
	return i.post.underWay()
}
