package integration

import (
	"errors"
	"fmt"

	"github.com/google/uuid"

	"paysandbox/mockserver/tape"
)

// ErrAstray says that a replay has not come to where the tape was: the tape was
// made from another seed or other options, or by another version.
var ErrAstray = errors.New("the replay has come to another entry than the tape")

// errNotRefed says that an entry is no input that the integration itself takes.
var errNotRefed = errors.New("this kind of entry is not fed to an integration")

// Refeed takes a recorded input that did not come by a request: a move of the
// clock, a receiver's answer, a downloaded file, a caller's hanging up.
func (i *Integration) Refeed(e *tape.Entry) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.clock.move(e.At)
	i.fire(e.At)
	if next := i.world.Seq() + 1; next != e.Seq {
		return fmt.Errorf("%w: its next entry is %d, the tape's %d", ErrAstray, next, e.Seq)
	}
	switch e.Kind {
	case tape.KindClock:
		i.recordMove(e.At, e.Clock.To, e.Clock.Mode)
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
	i.mu.Lock()
	defer i.mu.Unlock()
	i.clock.move(at)
	i.fire(at)
	i.scratch.effects = i.scratch.effects[:0]
	i.take()
}
