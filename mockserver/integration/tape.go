package integration

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// Reading is what a look at the tape has found.
type Reading struct {
	// Meta describes the tape.
	Meta tape.Meta
	// Gap is the stretch of the tape behind since that has been dropped; it is
	// empty when nothing is missing.
	Gap tape.Gap
	// Entries are the entries that pass the filter, oldest first.
	Entries []tape.Entry
	// More says that the filter's Limit or Bytes ended the reading, or [Integration.Seek] has looked
	// through its piece.
	More bool
	// Last is the number up to which was looked, and Newest that of the newest entry.
	Last, Newest uint64
}

// Read looks at the tape; under a manual clock after what is under way has come
// back, so that the same calls read the same. It waits until
// an entry passes the filter or the context ends; a context that has ended
// reads what is there.
func (i *Integration) Read(ctx context.Context, f tape.Filter) Reading {
	i.settleToRead()
	gap, begun := tape.Gap{}, false
	for {
		r, found, changed := i.read(f)
		if !begun {
			gap, begun = r.Gap, true
		}
		if r.Gap = gap; found.Empty() && found.More {
			f.Since = found.Last
			continue
		}
		r.Entries, r.More, r.Last = found.Entries(), found.More, found.Last
		if len(r.Entries) > 0 || ctx.Err() != nil || changed == nil {
			return r
		}
		select {
		case <-ctx.Done():
			return r
		case <-changed:
			i.settleToRead()
		}
	}
}

// Seek looks through one piece of the tape, without waiting: where a text is looked
// for, there may be more of the tape behind it.
func (i *Integration) Seek(f tape.Filter) Reading {
	i.settleToRead()
	r, found, _ := i.read(f)
	r.Entries, r.More, r.Last = found.Entries(), found.More, found.Last
	return r
}

// Await returns when an entry passes the filter, the integration is reset, so that its
// numbers begin anew, or the context ends, without reading: who waits holds nothing.
func (i *Integration) Await(ctx context.Context, f tape.Filter) {
	f.Limit, f.Bytes = 1, 1
	for life := i.Life(); ctx.Err() == nil && i.Life() == life; {
		i.settleToRead()
		_, found, changed := i.read(f)
		if found.Empty() && found.More {
			f.Since = found.Last
			continue
		}
		if !found.Empty() || changed == nil {
			return
		}
		select {
		case <-ctx.Done():
		case <-changed:
		}
	}
}

// Look reads entries newest first until fn says stop, without waiting.
func (i *Integration) Look(f tape.Filter, fn func(tape.Entry) bool) {
	i.lock()
	defer i.mu.Unlock()
	i.tape.ScanBack(f.Since, f, fn)
}

// Peek is what the tape holds now, for those who look on: it waits for nothing that
// is under way, and fires nothing.
func (i *Integration) Peek(f tape.Filter) Reading {
	i.lock()
	r := Reading{Meta: i.meta(), Gap: i.tape.Gap(f.Since)}
	found := i.tape.Copy(f.Since, f)
	i.mu.Unlock()
	r.Entries, r.More, r.Last = found.Entries(), found.More, found.Last
	return r
}

// Asks asks the world something before a call.
func (i *Integration) Asks(ask func(w *world.World) bool) bool {
	i.lockToRead()
	defer i.mu.Unlock()
	defer i.letGo()
	return ask(i.world)
}

// Heads goes over the numbers, causes and kinds of entries after since, oldest first,
// until fn says stop. Everybody waits meanwhile.
func (i *Integration) Heads(since uint64, fn func(seq, cause uint64, k tape.Kind) bool) {
	i.lock()
	defer i.mu.Unlock()
	i.tape.Heads(since, fn)
}

// LabelsAbout gives each entity that is named the label of the newest entry about it.
func (i *Integration) LabelsAbout(about map[string]string) {
	i.lock()
	defer i.mu.Unlock()
	i.tape.LabelsAbout(about)
}

// Entry gives one entry of the tape.
func (i *Integration) Entry(seq uint64) (tape.Entry, bool) {
	i.lock()
	defer i.mu.Unlock()
	return i.tape.Get(seq)
}

// Newest gives the numbers of the oldest and the newest entry, 0 when there is none,
// and what is closed when there is news; nil when there will be none.
func (i *Integration) Newest() (first, last uint64, changed <-chan struct{}) {
	i.lock()
	defer i.mu.Unlock()
	if i.changed == nil && !i.closed {
		i.changed = make(chan struct{})
	}
	return i.tape.First(), i.tape.Last(), i.changed
}

// settleToRead settles under a manual clock only: under a real one answers are
// taken in as they come, and a reader waits for nobody.
func (i *Integration) settleToRead() {
	if i.opts.Load().Clock == Manual {
		i.Settle()
	}
}

// read copies what there is; the caller decodes it without the lock.
func (i *Integration) read(f tape.Filter) (Reading, tape.Chunk, <-chan struct{}) {
	i.lockToRead()
	defer i.mu.Unlock()
	r := Reading{Meta: i.meta(), Gap: i.tape.Gap(f.Since), Newest: i.tape.Last()}
	found := i.tape.Copy(f.Since, f)
	i.letGo()
	if i.changed == nil && !i.closed {
		i.changed = make(chan struct{})
	}
	return r, found, i.changed
}

// lockToRead takes the lock when all that is ordered was applied, and what is due has
// fired.
func (i *Integration) lockToRead() {
	if o := i.order(); o != nil {
		i.catchUp(o)
	}
	i.lock()
	if i.order() == nil {
		i.fire(i.clock.Now())
	}
}

// letGo sends what firing has brought; the lock is held, so that nobody waits for it.
func (i *Integration) letGo() {
	if b := i.take(); !b.Empty() {
		go i.Send(b)
	}
}

// meta describes the tape for a reader; the lock is held.
func (i *Integration) meta() tape.Meta {
	name := i.ID
	if name == DefaultID {
		name = ""
	}
	return tape.Meta{
		Version: tape.Version, Integration: name, Seed: i.opts.Load().Seed, Environment: string(i.opts.Load().Environment), Start: i.began,
		Clock: string(i.opts.Load().Clock), Strict: i.opts.Load().Strict, Latitude: i.opts.Load().Settings.Map(), WebhookURL: i.struck(i.opts.Load().WebhookURL),
		First: i.tape.First(), Dropped: i.tape.Dropped(),
	}
}

// ErrAstray says that a replay has not come to where the tape was: the tape was
// made from another seed or other options, or by another version.
var ErrAstray = errors.New("the replay has come to another entry than the tape")

// errNotRefed says that an entry is no input that the integration itself takes.
var errNotRefed = errors.New("this kind of entry is not fed to an integration")

// Again marks a request that is played from a tape: what the outside decided
// then (the time, the verdict on the caller) is not decided again.
type Again struct {
	// Integration is where the request is played.
	Integration *Integration
	// As is the id of the one that it was made to: links lead to its pages. Empty: where
	// it is played.
	As string
	// At is the recorded virtual time in nanoseconds since 1970 UTC.
	At int64
	// Auth and Token are the recorded verdict and token id.
	Auth, Token string
	// InFlight is true when another call with the same key was at work.
	InFlight bool
	// Judged is set where the call is applied in an order of inputs: the last word on the
	// caller is then said anew.
	Judged *Judged
}

type againKey struct{}

// WithAgain marks a request's context.
func WithAgain(ctx context.Context, a *Again) context.Context {
	return context.WithValue(ctx, againKey{}, a)
}

// AgainFrom gives the mark of a request, or nil for one that is new.
func AgainFrom(ctx context.Context) *Again {
	a, _ := ctx.Value(againKey{}).(*Again)
	return a
}

// Refeed takes a recorded input that did not come by a request: a move of the
// clock, a receiver's answer, a downloaded file, a caller's hanging up.
func (i *Integration) Refeed(e *tape.Entry) error {
	i.lock()
	defer i.mu.Unlock()
	i.clock.Move(e.At)
	i.fire(e.At)
	if next := i.world.Seq() + 1; next != e.Seq {
		return fmt.Errorf("%w: its next entry is %d, the tape's %d", ErrAstray, next, e.Seq)
	}
	switch e.Kind {
	case tape.KindClock:
		i.recordMove(e.At, e.Clock.To, e.Clock.Mode, e.Label)
	case tape.KindAttempt:
		id, err := uuid.Parse(e.Attempt.Delivery)
		if err != nil {
			return err
		}
		a := *e.Attempt
		a.Next, a.Reason = 0, ""
		i.recordAttempt(e.At, id, e.Cause, a, tape.HeaderOf(e.Attempt.ResponseHeader, "Retry-After"))
	case tape.KindFetch:
		id, err := uuid.Parse(e.Entities[0])
		if err != nil {
			return err
		}
		i.recordFetch(e.At, id, e.Cause, *e.Fetch)
	case tape.KindHangup:
		i.recordHangup(e.At, e.Cause, e.Entities, *e.Hangup)
	default:
		return errNotRefed
	}
	i.flush()
	i.scratch.effects = i.scratch.effects[:0]
	i.take()
	return nil
}

// CatchUp fires what fell due between the last recorded input and the last
// recorded entry.
func (i *Integration) CatchUp(at int64) {
	i.lock()
	defer i.mu.Unlock()
	i.clock.Move(at)
	i.fire(at)
	i.scratch.effects = i.scratch.effects[:0]
	i.take()
}
