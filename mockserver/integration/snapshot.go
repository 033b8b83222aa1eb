package integration

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"paysandbox/mockserver/budget"
	"paysandbox/mockserver/kernel"
)

// A snapshot is magic, the two versions, what is kept, and the SHA-256 of all that.
const (
	snapshotMagic = "paysandbox snapshot\n"
	// Format is the version of how a snapshot is written: it goes up with durable.Format.
	Format = 2
	// Engine is the version of what integrations answer: another one may answer the
	// same inputs with other bytes.
	Engine = 1
)

// ErrLostFile says that a snapshot cannot be whole.
var ErrLostFile = errors.New("a file of an attachment that was kept on the disk cannot be had any more, and the snapshot would not be whole; reset the integration, or restore an older snapshot")

// maxSaved bounds the snapshots that are kept of one integration.
const maxSaved = 100

// Errors of Save.
var (
	// ErrSavedName says that a snapshot of the integration has the name.
	ErrSavedName = errors.New("another snapshot of this integration has the name")
	// ErrTooManySaved says that no more snapshots are kept.
	ErrTooManySaved = errors.New("there are 100 snapshots of this integration; delete some first")
)

// Snapshot is an integration as it was at a moment. It holds the integration's
// secrets. It never changes.
type Snapshot struct {
	raw []byte
	About
}

// content reads everything once more: what is read belongs to one integration.
func (s *Snapshot) content() (*content, error) {
	c, err := decode(s.raw)
	if err == nil {
		c.opts.Clock = s.Options.Clock
	}
	return c, err
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

func (c *content) about() About {
	return About{
		Of: c.id, Name: c.opts.Name, Options: c.opts, Now: time.Unix(0, c.now).UTC(), Seq: c.world.Seq(),
		Entities: c.world.Entities(), Entries: c.tape.Len(), bytes: c.tape.Bytes() + c.weight.bytes,
	}
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

// Bytes are the snapshot as it stands in a file; they must not be changed.
func (s *Snapshot) Bytes() []byte { return s.raw }

// decode reads everything.
func decode(b []byte) (*content, error) {
	body, err := opened(b)
	if err != nil {
		return nil, err
	}
	c := &content{}
	if err := kernel.Decode(body, c); err != nil {
		var damage *kernel.DamageError
		if errors.As(err, &damage) {
			damage.At += len(b) - sha256.Size - len(body)
		}
		return nil, err
	}
	return c, nil
}

// IsSnapshot says whether bytes begin as a snapshot does.
func IsSnapshot(b []byte) bool { return bytes.HasPrefix(b, []byte(snapshotMagic)) }

// opened takes what is kept out of a snapshot that is whole and of a known version.
func opened(b []byte) ([]byte, error) {
	if !IsSnapshot(b) {
		return nil, &kernel.DamageError{Expected: "a snapshot of paysandbox", Received: kernel.Quote(string(b[:min(len(b), len(snapshotMagic))]))}
	}
	at := len(snapshotMagic)
	for _, v := range [...]struct {
		what string
		this uint64
	}{{"format", Format}, {"engine", Engine}} {
		n, size := binary.Uvarint(b[at:])
		if size <= 0 || n != v.this {
			age := "a newer"
			if n < v.this {
				age = "an older"
			}
			what := fmt.Sprintf("%s %d, of %s paysandbox: use that one", v.what, n, age)
			return nil, &kernel.DamageError{At: at, Expected: fmt.Sprintf("%s %d", v.what, v.this), Received: what, Version: true}
		}
		at += size
	}
	end := len(b) - sha256.Size
	if end < at {
		return nil, &kernel.DamageError{At: len(b), Expected: "more bytes", Received: "the end"}
	}
	if sum := sha256.Sum256(b[:end]); !bytes.Equal(sum[:], b[end:]) {
		return nil, &kernel.DamageError{At: end, Expected: "the digest " + hex.EncodeToString(sum[:]), Received: hex.EncodeToString(b[end:])}
	}
	return b[at:end], nil
}

// Snapshot writes everything that the integration is at this moment, what is under
// way included.
func (i *Integration) Snapshot() *Snapshot {
	i.lock()
	defer i.mu.Unlock()
	return i.snapshot()
}

// snapshot is Snapshot under the lock.
func (i *Integration) snapshot() *Snapshot { return i.written(i.content()) }

// written is a snapshot of what is kept.
func (i *Integration) written(c *content) *Snapshot {
	b := append(make([]byte, 0, (c.tape.Bytes()+c.weight.bytes)*9/8+4096), header()...)
	return &Snapshot{closed(kernel.Encode(b, c)), c.about()}
}

// reading is how many times its size a snapshot takes while it is read: a copy, the tape
// as it was written, and what is made of both.
const reading = 3

// header begins a snapshot.
func header() []byte {
	return binary.AppendUvarint(binary.AppendUvarint([]byte(snapshotMagic), Format), Engine)
}

// closed ends a snapshot.
func closed(b []byte) []byte {
	sum := sha256.Sum256(b)
	return append(b, sum[:]...)
}

// Hash tells states apart that the same inputs should have made the same. What is
// dropped from the tape, the clock and the identity do not count.
func (i *Integration) Hash() [sha256.Size]byte {
	i.lock()
	defer i.mu.Unlock()
	c := i.content()
	return sha256.Sum256(kernel.Encode(nil, agreed{&c.state}))
}

// agreed is the part of a state that Hash looks at.
type agreed struct{ *state }

// Pack lists it.
func (a agreed) Pack(k *kernel.Codec) { a.packWorld(k) }

// content is what is kept; the lock is held.
func (i *Integration) content() *content {
	i.known()
	files, _ := i.world.FileBytes()
	weight := i.weight
	weight.bytes = weight.of(i.world, files) // wherever they are kept
	return &content{
		identity: i.identity(), moment: i.moment(),
		state: state{
			world: i.world, faults: &i.faults, limiter: i.limiter, secrets: i.secrets, guests: i.guests, weight: weight, tape: i.tape,
			jobs: i.underWay(),
		},
	}
}

// underWay are the jobs whose results have not been taken in; the integration's lock
// is held.
func (o *outbox) underWay() []*job {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(o.jobs), func(j *job) bool { return j.taken })
}

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
	if !i.budget.Has(s.bytes - i.tape.Bytes() - i.weight.bytes) {
		i.mu.Unlock()
		return budget.ErrNoRoom
	}
	if order := i.order(); order != nil {
		in := i.input(InputRestore)
		in.Snapshot, in.Clock, in.Offset = s.raw, c.opts.Clock, c.ahead(i.clock.wall)
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

// owned are the options with what another owner goes by.
func (o Options) owned(by *Options) Options {
	o.Name, o.ClientID, o.ClientSecret = by.Name, by.ClientID, by.ClientSecret
	o.Secret, o.Tape, o.Budget = by.Secret, by.Tape, by.Budget
	return o
}

// become makes the integration what was read, and lets it go on; the lock is held.
func (i *Integration) become(c *content) Batch {
	i.post.drop(i.ID)
	i.epoch++
	i.empty()
	if l := i.opts.Load().Tape; l.Entries != c.opts.Tape.Entries || l.Bytes != c.opts.Tape.Bytes {
		c.tape = c.tape.Within(l)
	}
	i.world, i.limiter, i.secrets, i.guests, i.weight, i.tape, i.began = c.world, c.limiter, c.secrets, c.guests, c.weight, c.tape, c.began
	i.faults.Become(c.faults)
	i.keepFiles()
	i.weight.bytes = 0
	i.weight.follow(i.budget, i.world, 0)
	i.tape.Draw(i.budget.ForTapes())
	i.clock.stand(i.opts.Load().Clock, c.now)
	i.scratch.effects = i.scratch.effects[:0]
	i.wakeAt, i.news = 0, true
	i.ordered.book.Void()
	if i.order() != nil { // what was under way is asked for anew
		i.ordered.latest = c.now
		for _, j := range c.jobs {
			i.scratch.effects = append(i.scratch.effects, j.effect)
		}
		return i.take()
	}
	b := i.take()
	b.jobs = append(i.departAgain(c.jobs), b.jobs...)
	return b
}

// departAgain puts what was under way on its way again; the lock is held.
func (i *Integration) departAgain(jobs []*job) []*job {
	if i.post.carrier == nil || i.held {
		return nil
	}
	for _, j := range jobs {
		j.epoch, j.done, j.landed = i.epoch, make(chan struct{}), make(chan struct{})
	}
	i.post.add(jobs)
	return jobs
}
