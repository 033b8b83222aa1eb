package integration

import (
	"encoding/binary"
	"errors"
	"slices"
	"strconv"
	"sync"

	"paysandbox/mockserver/budget"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// What an entity is taken to weigh, besides what its request brought; and an event on
// its way to a receiver, with the attempt that may be under way.
const (
	entityBytes   = 512
	deliveryBytes = 4 << 10
)

// weight is what a world has drawn from the budget: bytes in all, of which some were
// brought by the inputs that made its entities.
type weight struct {
	bytes, brought, files int64
	entities              int
}

// follow draws what the world has grown by since the last time, or gives back what it
// has shrunk by. An input that has made no entity has brought nothing that stays.
func (w *weight) follow(b *budget.Bytes, world *world.World, brought int64) {
	entities := world.Entities()
	files, inMemory := world.FileBytes()
	if entities > w.entities {
		w.brought += max(brought-(files-w.files)*4/3, 0) // a file came as Base64
	}
	w.entities, w.files = entities, files
	now := w.of(world, inMemory)
	if now > w.bytes {
		b.Force(now - w.bytes)
	} else if now < w.bytes {
		b.Give(w.bytes - now)
	}
	w.bytes = now
}

// of is what a world weighs with so many bytes of files.
func (w *weight) of(world *world.World, files int64) int64 {
	return w.brought + files + int64(w.entities)*entityBytes + int64(world.Webhooks().OnTheirWay())*deliveryBytes
}

// empty gives what tape and world have drawn back to the budget.
func (i *Integration) empty() {
	i.tape.Reset()
	i.budget.Give(i.weight.bytes)
	i.weight, i.guests = weight{}, guests{}
}

// Calls that come without a token, or with one that is nobody's, are shown to the
// owner, who may have forgotten it; but they must not push the owner's own entries
// off the tape. So only a few of them go there, and only while the tape is not half
// full. The others go on a small tape of their own.
const (
	maxGuests     = 500
	maxGuestBytes = 1 << 20
)

// guests counts the strangers' calls on an owner's tape.
type guests struct {
	entries int
	bytes   int64
}

// room says whether one more may go there.
func (g *guests) room(m *tape.Memory) bool {
	l := m.Limits()
	return g.entries < maxGuests && g.bytes < maxGuestBytes && m.Len() < l.Entries/2 && m.Bytes() < l.Bytes/2
}

func (g *guests) count(bytes int64) {
	g.entries++
	g.bytes += max(0, bytes)
}

// Life tells the present life from those before a reset.
func (i *Integration) Life() uint64 {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.epoch
}

// Seq is the number of the newest entry.
func (i *Integration) Seq() uint64 {
	i.lock()
	defer i.mu.Unlock()
	return i.world.Seq()
}

// Outside says whether others than the owner can call: secrets are drawn from one of
// the process then.
func (i *Integration) Outside() bool { return len(i.drawn.Secret) > 0 }

// Trace tells a call from all others: by seed and number, or where others than the owner
// can call by nothing that they could read.
func (i *Integration) Trace(seq uint64) (id [16]byte) {
	if i.Outside() {
		copy(id[:], i.drawn.Key("trace\x00"+strconv.FormatUint(seq, 10), i.ID))
		return id
	}
	binary.BigEndian.PutUint64(id[:8], i.Seed())
	binary.BigEndian.PutUint64(id[8:], seq)
	return id
}

// The bounds of the strangers' tape.
const (
	strangersKept  = 200
	strangersBytes = 256 << 10
)

// Saved is a snapshot that is kept under a name.
type Saved struct {
	Name string
	*Snapshot
}

// saved are the snapshots of an integration, oldest first. They outlive a reset.
type saved struct {
	list  []Saved
	named int
}

// Save keeps a snapshot of the integration as it is now; an empty name lets it be
// called snapshot-1, snapshot-2, … Errors: ErrSavedName, ErrTooManySaved, budget.ErrNoRoom,
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
		return Saved{}, budget.ErrNoRoom
	}
	apply := func() []string {
		i.lock()
		defer i.mu.Unlock()
		one, err = i.saved.add(name, snapshot, i.budget)
		return nil
	}
	if o == nil {
		apply()
		return one, err
	}
	failed := o.Put(&Input{Kind: InputSave, Integration: i.ID, Label: name, Snapshot: snapshot.raw}, apply)
	return one, errors.Join(failed, err)
}

// add keeps one more.
func (s *saved) add(name string, snapshot *Snapshot, b *budget.Bytes) (Saved, error) {
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

// Saved lists the snapshots that are kept, oldest first, those too that another process
// has saved.
func (i *Integration) Saved() []Saved {
	if o := i.order(); o != nil && o.Shared() {
		o.Current(i.ID)
	}
	i.lock()
	defer i.mu.Unlock()
	return slices.Clone(i.saved.list)
}

// Unsave forgets a snapshot and says whether it was there.
func (i *Integration) Unsave(name string) (was bool, err error) {
	apply := func() []string {
		i.lock()
		defer i.mu.Unlock()
		was = i.saved.drop(name, i.budget)
		return nil
	}
	o := i.order()
	if o == nil {
		apply()
		return was, nil
	}
	return was, o.Put(&Input{Kind: InputUnsave, Integration: i.ID, Label: name}, apply)
}

func (s *saved) drop(name string, b *budget.Bytes) bool {
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
func (s *saved) clear(b *budget.Bytes) {
	for _, one := range s.list {
		b.Give(int64(len(one.raw)))
	}
	s.list = nil
}

// Strangers keeps the last calls of nobody. It is safe for concurrent use.
type Strangers struct {
	mu   sync.Mutex
	tape *tape.Memory
}

func newStrangers() *Strangers {
	return &Strangers{tape: tape.New(tape.Limits{Entries: strangersKept, Bytes: strangersBytes})}
}

// keep puts a call on the tape, under a number of that tape's own.
func (s *Strangers) keep(c *Call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := c.Exchange
	err := s.tape.Append(&tape.Entry{Seq: s.tape.Last() + 1, At: c.Time.UnixNano(), Kind: c.Kind, Exchange: &x})
	if err != nil {
		panic("integration: strangers are numbered here: " + err.Error())
	}
}

// Entries gives what is kept, oldest first, and how many calls were dropped.
func (s *Strangers) Entries() (list []tape.Entry, dropped uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tape.Scan(0, tape.Filter{}, func(e tape.Entry) bool {
		list = append(list, e)
		return true
	})
	return list, s.tape.Dropped()
}

// forget gives back what a deleted integration holds.
func (i *Integration) forget() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.gone = true
	i.disown()
	i.post.drop(i.ID)
	if i.asleep != nil {
		i.asleep.shelf.Drop(i.asleep.name)
		return
	}
	i.empty()
	i.anew(i.life())
	i.files.Drop()
	i.saved.clear(i.budget)
}

// disown tells the order that nobody calls for what this process owes any more: its
// inputs do not stand where the integration is deleted. The lock is held.
func (i *Integration) disown() {
	o := i.order()
	if o == nil {
		return
	}
	names := i.ordered.book.Deferred()
	for _, j := range i.post.underWay() {
		names = append(names, i.effectName(j.effect))
	}
	go func() {
		for _, name := range names {
			i.putOver(name)
		}
	}()
}
