package integration

import (
	"context"
	"errors"
	"fmt"
	"time"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// Shelf keeps what sleeps, outside memory.
type Shelf interface {
	// Put keeps bytes of an integration and gives the name that Get knows them by.
	Put(id string, b []byte) (name string, err error)
	Get(name string) ([]byte, error)
	// Size is how many bytes Get gives; 0 when it gives none.
	Size(name string) int64
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

// How often nobody may have asked for an integration when it is put to sleep, and what is
// due so soon that sleep is not worth it.
const (
	drowsy  = 4
	dueSoon = int64(time.Minute)
)

// Sleeping is how many integrations sleep.
func (r *Registry) Sleeping() (n int) {
	for _, i := range r.List() {
		i.mu.Lock()
		if i.asleep != nil {
			n++
		}
		i.mu.Unlock()
	}
	return n
}

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
		r.budget.Release()
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
	if len(i.post.UnderWay()) > 0 || i.ordered.book.Len() > 0 || pending && i.clock.Mode == Real && due-i.clock.Now() < dueSoon {
		return false, nil
	}
	if err := i.world.LostFile(); err != nil {
		return false, fmt.Errorf("integration %s stays awake: %w", i.ID, err)
	}
	defer i.budget.Copy(writing * (i.tape.Bytes() + i.weight.Bytes))()
	s := i.wholly()
	a := &asleep{shelf: shelf, due: due, pending: pending, entries: i.tape.Len(), bytes: i.tape.Bytes(), entities: i.world.Entities()}
	var err error
	if a.name, err = shelf.Put(i.ID, kernel.Encode(make([]byte, 0, len(s.snapshot)*17/16+4096), &s)); err != nil {
		return false, fmt.Errorf("integration %s stays awake: %w", i.ID, err)
	}
	i.empty()
	i.files.Drop()
	i.files = nil
	i.saved.clear(i.budget)
	i.world, i.tape, i.secrets, i.scratch, i.asleep = nil, nil, secrets{}, nil, a
	return true, nil
}

// writing is how many times its size an integration takes while it is put to sleep.
const writing = 2

// wholly is all of the integration; the lock is held.
func (i *Integration) wholly() stood {
	s := stood{latest: i.ordered.latest}
	s.snapshot = i.written(i.standing(&s)).raw
	return s
}

// lock takes the lock, and wakes the integration.
func (i *Integration) lock() {
	i.mu.Lock()
	i.idle = 0
	if i.asleep != nil {
		i.awake()
	}
}

// past is what was on the tape before this process went on with it. Of an integration that
// slept then nobody knows before it wakes.
type past struct {
	last  uint64
	slept bool
}

// Past says that all integrations stand as they were kept: nothing of theirs has happened
// in this process.
func (r *Registry) Past() {
	for _, i := range r.List() {
		i.mu.Lock()
		if i.past.slept = i.asleep != nil; !i.past.slept {
			i.past.last = i.tape.Last()
		}
		i.mu.Unlock()
	}
}

// Overhear is Read for who tells what everybody does, and not what had happened before
// this process went on with it, or before it was forked: it is no asking for the
// integration, which falls asleep beside it; of one that sleeps nothing is heard until the
// context ends. Its tape counts anew when it is given another one (a reset, a restore):
// tapes is which this one is, from 1, and 0 while it sleeps.
func (i *Integration) Overhear(ctx context.Context, f tape.Filter) (r Reading, tapes uint64) {
	for {
		i.mu.Lock()
		changed := i.changed
		if tapes = 0; i.asleep == nil {
			tapes = i.epoch + 1
			since := max(f.Since, i.past.last)
			r = Reading{Meta: i.meta(), Gap: i.tape.Gap(since)}
			found := i.tape.Copy(since, f)
			r.Entries, r.More = found.Entries(), found.More
			if changed == nil && !i.closed {
				changed = make(chan struct{})
				i.changed = changed
			}
		}
		i.mu.Unlock()
		if len(r.Entries) > 0 || ctx.Err() != nil {
			return r, tapes
		}
		select {
		case <-ctx.Done():
			return r, tapes
		case <-changed:
		}
	}
}

var errOthersAwake = &kernel.Error{Code: kernel.Unavailable, Detail: "the integration sleeps, and the memory is full of others that are awake: call again later, when some of them sleep; reset or delete some; or give the sandbox a larger --memory"}

// Wake wakes the integration if it sleeps and there is memory for it beside those that are
// awake; the error says that there is none, and it sleeps on.
func (i *Integration) Wake() error {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.idle = 0
	if i.asleep == nil {
		return nil
	}
	size := i.asleep.shelf.Size(i.asleep.name)
	defer i.budget.Copy(reading * size)()
	if !i.budget.Has(size - reading*size) {
		return errOthersAwake
	}
	i.readBack()
	return nil
}

// awake wakes the integration, whatever is left of the memory.
func (i *Integration) awake() {
	defer i.budget.Copy(reading * i.asleep.shelf.Size(i.asleep.name))()
	i.readBack()
}

// readBack reads the integration back. One that cannot be read is empty and lost: it takes
// no input but those that make it another one.
func (i *Integration) readBack() {
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
		i.lost, i.astray, i.world, i.tape, i.scratch = err, a, world.New(o.world(nil)), tape.New(o.Tape), &scratch{}
		return
	}
	i.rise(c, &s)
	if i.past.slept {
		i.past = past{last: i.tape.Last()}
	}
	a.shelf.Drop(a.name)
}

// rise gives the integration what was read of it, all but its clock; the lock is held.
func (i *Integration) rise(c *content, s *stood) {
	i.world, i.limiter, i.secrets, i.guests, i.weight, i.tape, i.scratch = c.world, c.limiter, c.secrets, c.guests, c.weight, c.tape, &scratch{}
	i.faults.Become(c.faults)
	i.budget.Force(i.weight.Bytes)
	i.tape.Draw(i.budget.ForTape())
	i.keepFiles()
	for _, j := range c.jobs { // which the order has not been told of
		i.ordered.book.Ask(i.effectName(j.Effect), j.Effect)
	}
	for _, one := range s.saved {
		i.savedAgain(&Input{Kind: InputSave, Label: one.name, Snapshot: one.raw})
	}
	i.saved.named = s.named
}

// giveUp forgets what it could not wake from, if anything: it becomes another one.
func (i *Integration) giveUp() {
	if i.lost != nil {
		i.astray.shelf.Drop(i.astray.name)
	}
	i.lost, i.astray = nil, nil
}

// asLost is why the integration cannot be woken, as an answer; nil when it is awake.
func (i *Integration) asLost() error {
	if i.lost == nil {
		return nil
	}
	return &kernel.Error{Code: kernel.Unavailable, Detail: "the integration slept and cannot be woken: " + i.lost.Error() +
		"; reset it, restore a snapshot of it, or restore the data folder from a backup"}
}
