package integration

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"

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

// Saved is a snapshot that is kept under a name.
type Saved struct {
	Name string
	*Snapshot
}

// saved are the snapshots of an integration, oldest first. They outlive a reset.
type saved struct {
	mu    sync.Mutex
	list  []Saved
	named int
}

// Save keeps a snapshot of the integration as it is now; an empty name lets it be
// called snapshot-1, snapshot-2, … Errors: ErrSavedName, ErrTooManySaved, ErrNoRoom,
// ErrLostFile.
func (i *Integration) Save(name string) (one Saved, err error) {
	back, err := i.Reserve(1)
	if err != nil {
		return Saved{}, err
	}
	defer back()
	i.settleToRead()
	if err := i.lostFile(); err != nil {
		return Saved{}, err
	}
	snapshot := i.Snapshot()
	size := int64(len(snapshot.raw))
	o := i.order()
	if !i.budget.Has(size) {
		return Saved{}, ErrNoRoom
	}
	if o == nil {
		return i.saved.add(name, snapshot, i.budget)
	}
	failed := o.Put(&Input{Kind: InputSave, Integration: i.ID, Label: name, Snapshot: snapshot.raw}, func() []string {
		one, err = i.saved.add(name, snapshot, i.budget)
		return nil
	})
	return one, errors.Join(failed, err)
}

// add keeps one more.
func (s *saved) add(name string, snapshot *Snapshot, b *Budget) (Saved, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.list) >= maxSaved {
		return Saved{}, ErrTooManySaved
	}
	if name != "" && s.find(name) >= 0 {
		return Saved{}, ErrSavedName
	}
	for ; name == "" || s.find(name) >= 0; name = "snapshot-" + strconv.Itoa(s.named) {
		s.named++
	}
	b.Force(int64(len(snapshot.raw)))
	one := Saved{name, snapshot}
	s.list = append(s.list, one)
	return one, nil
}

// savedAgain is Save and Unsave as inputs that another process has taken.
func (i *Integration) savedAgain(in *Input) {
	if in.Kind == InputUnsave {
		i.saved.drop(in.Label, i.budget)
		return
	}
	if snapshot, err := ReadSnapshot(in.Snapshot); err == nil {
		_, _ = i.saved.add(in.Label, snapshot, i.budget) // a refusal was told to who asked
	}
}

// Settled is Snapshot; under a manual clock after what is under way has come back, so
// that the same calls come to the same.
func (i *Integration) Settled() *Snapshot {
	i.settleToRead()
	return i.Snapshot()
}

// Saved lists the snapshots that are kept, oldest first.
func (i *Integration) Saved() []Saved {
	i.saved.mu.Lock()
	defer i.saved.mu.Unlock()
	return slices.Clone(i.saved.list)
}

// Unsave forgets a snapshot and says whether it was there.
func (i *Integration) Unsave(name string) (was bool, err error) {
	o := i.order()
	if o == nil {
		return i.saved.drop(name, i.budget), nil
	}
	err = o.Put(&Input{Kind: InputUnsave, Integration: i.ID, Label: name}, func() []string {
		was = i.saved.drop(name, i.budget)
		return nil
	})
	return was, err
}

func (s *saved) drop(name string, b *Budget) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.find(name)
	if at < 0 {
		return false
	}
	b.Give(int64(len(s.list[at].raw)))
	s.list = slices.Delete(s.list, at, at+1)
	return true
}

func (s *saved) find(name string) int {
	return slices.IndexFunc(s.list, func(one Saved) bool { return one.Name == name })
}

// clear gives back what all take.
func (s *saved) clear(b *Budget) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.list {
		b.Give(int64(len(one.raw)))
	}
	s.list = nil
}
