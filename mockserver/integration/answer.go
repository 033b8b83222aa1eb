package integration

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/google/uuid"

	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/secret"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// takeIn makes a result an input.
func (i *Integration) takeIn(j *job) {
	defer close(j.landed)
	i.lock()
	if j.epoch != i.epoch || i.closed {
		i.mu.Unlock()
		return
	}
	j.taken = true
	if o := i.order(); o != nil {
		in := i.result(j)
		i.mu.Unlock()
		i.putResult(o, in)
		return
	}
	now := i.clock.now()
	i.fire(now)
	if j.effect.Kind == kernel.SendDelivery {
		if i.opts.Load().Clock == Manual {
			j.attempt.Took = 0
		}
		i.recordAttempt(now, j.effect.ID, j.effect.Cause, j.attempt, j.retryAfter)
	} else {
		i.recordFetch(now, j.effect.ID, j.effect.Cause, j.fetch)
	}
	i.flush()
	b := i.take()
	i.mu.Unlock()
	i.Send(b)
}

// recordAttempt gives an attempt's outcome to the world and to the tape.
func (i *Integration) recordAttempt(now int64, id uuid.UUID, cause uint64, a tape.Attempt, retryAfter string) {
	seq := i.world.Begin(world.Input{Now: now, Digest: kernel.Digest{}.Bytes(id[:])})
	out, err := i.world.Webhooks().Attempted(id, delivery.AttemptResult{Status: a.Status, RetryAfter: retryAfter, Error: a.Error})
	if err != nil {
		a.Reason = err.Error()
	} else {
		a.Next, a.Reason = out.Next, out.Reason
	}
	i.scratch.entry = tape.Entry{
		Seq: seq, Cause: cause, At: i.world.Now().UnixNano(), Kind: tape.KindAttempt,
		Entities: []string{a.Delivery, a.Event, a.Endpoint}, Attempt: &a,
	}
	i.append(&i.scratch.entry)
}

// recordFetch gives a downloaded file to the world and to the tape.
func (i *Integration) recordFetch(now int64, id uuid.UUID, cause uint64, f tape.Fetch) {
	seq := i.world.Begin(world.Input{Now: now, Digest: kernel.Digest{}.Bytes(id[:])})
	problem := f.Error
	if problem == "" && f.Status != http.StatusOK {
		problem = "the file's server answered " + strconv.Itoa(f.Status)
	}
	// A file that the world no longer waits for stays on the tape alone.
	_ = i.world.AttachmentFetched(world.FetchedAttachment{ID: id, ContentType: f.ContentType, Data: f.Body, Problem: problem})
	i.scratch.entry = tape.Entry{
		Seq: seq, Cause: cause, At: i.world.Now().UnixNano(), Kind: tape.KindFetch,
		Entities: []string{id.String()}, Fetch: &f,
	}
	i.append(&i.scratch.entry)
}

// HungUp notes, as an input, that the caller of c hung up while its answer was
// held back; after is the wall time that it had waited. Call it after Do.
func (i *Integration) HungUp(c *Call, after time.Duration) {
	i.lock()
	if c.epoch != i.epoch || i.closed {
		i.mu.Unlock()
		return
	}
	if o := i.order(); o != nil {
		in := i.input(InputHangup)
		in.Cause, in.Entities, in.After = c.Seq, c.Entities, int64(after)
		i.mu.Unlock()
		if b, err := i.put(o, in); err == nil {
			i.Send(b)
		}
		return
	}
	now := i.clock.now()
	i.fire(now)
	i.recordHangup(now, c.Seq, c.Entities, tape.Hangup{After: int64(after)})
	b := i.take()
	i.mu.Unlock()
	i.Send(b)
}

// recordHangup puts a caller's hanging up on the tape; the world has no use for it.
func (i *Integration) recordHangup(now int64, cause uint64, entities []string, h tape.Hangup) {
	seq := i.world.Begin(world.Input{Now: now})
	i.scratch.entry = tape.Entry{
		Seq: seq, Cause: cause, At: i.world.Now().UnixNano(), Kind: tape.KindHangup, Entities: entities, Hangup: &h,
	}
	i.append(&i.scratch.entry)
}

// ErrAstray says that a replay has not come to where the tape was: the tape was
// made from another seed or other options, or by another version.
var ErrAstray = errors.New("the replay has come to another entry than the tape")

// errNotRefed says that an entry is no input that the integration itself takes.
var errNotRefed = errors.New("this kind of entry is not fed to an integration")

// Refeed takes a recorded input that did not come by a request: a move of the
// clock, a receiver's answer, a downloaded file, a caller's hanging up.
func (i *Integration) Refeed(e *tape.Entry) error {
	i.lock()
	defer i.mu.Unlock()
	i.clock.move(e.At)
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
		i.recordAttempt(e.At, id, e.Cause, a, retryAfter(e.Attempt))
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

// retryAfter is what the receiver asked for.
func retryAfter(a *tape.Attempt) string {
	for _, h := range a.ResponseHeader {
		if h.Name == "Retry-After" {
			return h.Value
		}
	}
	return ""
}

// CatchUp fires what fell due between the last recorded input and the last
// recorded entry.
func (i *Integration) CatchUp(at int64) {
	i.lock()
	defer i.mu.Unlock()
	i.clock.move(at)
	i.fire(at)
	i.scratch.effects = i.scratch.effects[:0]
	i.take()
}

// Again marks a request that is played from a tape: what the outside decided
// then (the time, the verdict on the caller) is not decided again.
type Again struct {
	// Integration is where the request is played.
	Integration *Integration
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

// keepFiles lets the files of the world go to the disk, where there is one; the lock is
// held. What the one before held there is let go of afterwards: files of both stay.
func (i *Integration) keepFiles() {
	before := i.files
	if i.files = i.budget.Holder(); i.files != nil {
		i.world.KeepFiles(i.files)
	}
	before.Drop()
}

// Reserve draws so many times what the integration weighs, for work on copies of it:
// see Budget.
func (i *Integration) Reserve(times int64) (back func(), err error) {
	i.lock()
	c := i.content()
	n := c.tape.Bytes() + c.weight.bytes
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

// asLost is why the integration cannot be woken, as an answer; nil when it is awake.
func (i *Integration) asLost() error {
	if i.lost == nil {
		return nil
	}
	return &kernel.Error{Code: kernel.Unavailable, Detail: "the integration slept and cannot be woken: " + i.lost.Error() +
		"; reset it, restore a snapshot of it, or restore the data folder from a backup"}
}

// Settled is Snapshot; under a manual clock after what is under way has come back, so
// that the same calls come to the same.
func (i *Integration) Settled() *Snapshot {
	i.settleToRead()
	return i.Snapshot()
}

// Under is the snapshot with another mode of the clock: time goes on from where it
// stood. An empty mode is the snapshot's own.
func (s *Snapshot) Under(mode ClockMode) *Snapshot {
	under := *s
	if mode != "" {
		under.Options.Clock = mode
	}
	return &under
}

// pass lets the secrets of a call's addresses be struck until the call is over.
func (i *Integration) pass(c *Call) (over func()) {
	i.scratch.passing = secret.ValuesOf(c.Passing)
	return func() { i.scratch.passing = secret.Values{} }
}

// lockToRead takes the lock when all that is ordered was applied, and what is due has
// fired.
func (i *Integration) lockToRead() {
	if o := i.order(); o != nil {
		i.catchUp(o)
	}
	i.lock()
	if i.order() == nil {
		i.fire(i.clock.now())
	}
}

// letGo sends what firing has brought; the lock is held, so that nobody waits for it.
func (i *Integration) letGo() {
	if b := i.take(); !b.Empty() {
		go i.Send(b)
	}
}
