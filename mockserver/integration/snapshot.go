package integration

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"paysandbox/mockserver/budget"
	"paysandbox/mockserver/integration/envelope"
	"paysandbox/mockserver/kernel"
)

// ErrLostFile says that a snapshot cannot be whole.
var ErrLostFile = errors.New("a file of an attachment that was kept on the disk cannot be had any more, and the snapshot would not be whole; reset the integration, or restore an older snapshot")

// Snapshot is an integration as it was at a moment. It holds the integration's
// secrets. It never changes.
type Snapshot struct {
	raw []byte
	About
}

// About says what a snapshot holds.
type About struct {
	// Of is the id of the integration that it was taken of, and Name its name.
	Of, Name string
	// Options are what that was made from.
	Options Options
	// Now is its virtual time and Seq the number of its newest entry.
	Now time.Time
	Seq uint64
	// Entities and Entries are how many things and entries of the tape there are.
	Entities, Entries int
	// bytes are what it draws from the budget once it is awake.
	bytes int64
}

// ReadSnapshot reads what Bytes gives; the bytes are the snapshot's from now on. The
// error is a *kernel.DamageError: it says where the bytes are not what they should
// be. A snapshot of a newer version is refused.
func ReadSnapshot(b []byte) (*Snapshot, error) {
	c, err := decode(b)
	if err != nil {
		return nil, err
	}
	return &Snapshot{b, c.about()}, nil
}

// IsSnapshot says whether bytes begin as a snapshot does.
func IsSnapshot(b []byte) bool { return envelope.Begins(b) }

// Bytes are the snapshot as it stands in a file; they must not be changed.
func (s *Snapshot) Bytes() []byte { return s.raw }

// Under is the snapshot with another mode of the clock: time goes on from where it
// stood. An empty mode is the snapshot's own.
func (s *Snapshot) Under(mode ClockMode) *Snapshot {
	under := *s
	if mode != "" {
		under.Options.Clock = mode
	}
	return &under
}

// content reads everything once more: what is read belongs to one integration.
func (s *Snapshot) content() (*content, error) {
	c, err := decode(s.raw)
	if err == nil {
		c.opts.Clock = s.Options.Clock
	}
	return c, err
}

// decode reads everything.
func decode(b []byte) (*content, error) {
	body, at, err := envelope.Open(b)
	if err != nil {
		return nil, err
	}
	c := &content{}
	if err := kernel.Decode(body, c); err != nil {
		var damage *kernel.DamageError
		if errors.As(err, &damage) {
			damage.At += at
		}
		return nil, err
	}
	return c, nil
}

// Snapshot writes everything that the integration is at this moment, what is under
// way included.
func (i *Integration) Snapshot() *Snapshot {
	i.lock()
	defer i.mu.Unlock()
	return i.snapshot()
}

// Settled is Snapshot; under a manual clock after what is under way has come back, so
// that the same calls come to the same.
func (i *Integration) Settled() *Snapshot {
	i.settleToRead()
	return i.Snapshot()
}

// snapshot is Snapshot under the lock.
func (i *Integration) snapshot() *Snapshot { return i.written(i.content()) }

// written is a snapshot of what is kept.
func (i *Integration) written(c *content) *Snapshot {
	b := append(make([]byte, 0, (c.tape.Bytes()+c.weight.Bytes)*9/8+4096), envelope.Header()...)
	return &Snapshot{envelope.Close(kernel.Encode(b, c)), c.about()}
}

// Reserve draws so many times what the integration weighs, for work on copies of it:
// see Budget.
func (i *Integration) Reserve(times int64) (back func(), err error) {
	i.lock()
	c := i.content()
	n := c.tape.Bytes() + c.weight.Bytes
	i.mu.Unlock()
	return i.budget.Reserve(n * times)
}

// ReserveBytes draws so many bytes, for what is kept of it.
func (i *Integration) ReserveBytes(n int64) (back func(), err error) { return i.budget.Reserve(n) }

// lostFile is ErrLostFile when a file of the world cannot be read.
func (i *Integration) lostFile() error {
	i.lock()
	defer i.mu.Unlock()
	if err := i.world.LostFile(); err != nil {
		return fmt.Errorf("%w: %w", ErrLostFile, err)
	}
	return nil
}

// maxSaved bounds the snapshots that are kept of one integration.
const maxSaved = 100

// Errors of Save.
var (
	// ErrSavedName says that a snapshot of the integration has the name.
	ErrSavedName = errors.New("another snapshot of this integration has the name")
	// ErrTooManySaved says that no more snapshots are kept.
	ErrTooManySaved = errors.New("there are 100 snapshots of this integration; delete some first")
)

// Saved is a snapshot that is kept under a name.
type Saved struct {
	Name string
	*Snapshot
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

// Saved lists the snapshots that are kept, oldest first, those too that another process
// has saved.
func (i *Integration) Saved() []Saved {
	i.Current()
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

// kept is a saved snapshot's bytes under its name.
type kept struct {
	name string
	raw  []byte
}

// saved are the snapshots of an integration, oldest first. They outlive a reset.
type saved struct {
	list  []Saved
	named int
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
