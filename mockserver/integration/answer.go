package integration

import (
	"net/http"
	"strconv"
	"time"

	"github.com/google/uuid"

	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// takeIn makes a result an input.
func (i *Integration) takeIn(j *job) {
	if j.landed != nil {
		defer close(j.landed)
	}
	i.mu.Lock()
	if j.epoch != i.epoch || i.closed {
		i.mu.Unlock()
		return
	}
	now := i.clock.now()
	i.fire(now)
	if j.effect.Kind == kernel.SendDelivery {
		if i.opts.Clock == Manual {
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
	i.mu.Lock()
	if c.epoch != i.epoch || i.closed {
		i.mu.Unlock()
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
