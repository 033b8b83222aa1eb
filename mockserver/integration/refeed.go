package integration

import (
	"context"
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
	i.mu.Lock()
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
