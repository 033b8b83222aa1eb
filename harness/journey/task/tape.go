package task

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// longPoll is the longest that one look at the tape waits.
const longPoll = 10 * time.Second

// Tape follows the tape of a play's integration.
type Tape struct {
	setting *Setting
	// longer is how much longer the partner was asked to take.
	longer time.Duration

	// Seen is the number of the last entry that was read.
	Seen uint64
	// Trail is that of the journey under way.
	*trail.Trail
}

// Longer lets the next task take so much longer.
func (r *Tape) Longer(by time.Duration) { r.longer = by }

// Begin forgets what was read, and goes to the end of the tape.
func (r *Tape) Begin(ctx context.Context) error {
	if err := r.Look(ctx, 0); err != nil {
		return err
	}
	r.Trail = trail.New(r.Meta, nil)
	return nil
}

// Look reads what is new; it waits for it when it is told to.
func (r *Tape) Look(ctx context.Context, wait time.Duration) error {
	path := fmt.Sprintf("/tape?since=%d", r.Seen)
	if wait > 0 {
		path += "&wait=" + wait.Round(time.Millisecond).String()
	}
	a, err := r.setting.Stage.Get(ctx, path)
	if err != nil {
		return fmt.Errorf("read the tape: %w", err)
	}
	meta, entries, err := tape.Read(bytes.NewReader(a.Body))
	if err != nil {
		return fmt.Errorf("read the tape: %w", err)
	}
	r.Meta = meta
	if len(entries) > 0 {
		r.Seen = entries[len(entries)-1].Seq
		r.Append(entries)
	}
	return nil
}

// Until waits until the tape shows something, at most as long as the plan is
// patient. what says in words what is waited for; problem says what is not as it
// should be, and is empty when all is well.
func (r *Tape) Until(ctx context.Context, what string, problem func() string) error {
	began, patience := r.setting.Now(), r.setting.Patience
	if patience > 0 {
		patience += r.longer
	}
	if err := r.Look(ctx, 0); err != nil {
		return err
	}
	for {
		wrong := problem()
		if wrong == "" {
			return nil
		}
		waited := r.setting.Now().Sub(began)
		left := patience - waited
		if left <= 0 || ctx.Err() != nil {
			return inVain(ctx, patience, what, wrong)
		}
		r.setting.Progresses(fmt.Sprintf("waiting for %s (%s of %s)", what, spell(waited), spell(patience)))
		if err := r.Look(ctx, min(left, longPoll)); err != nil {
			return err
		}
	}
}

// ErrInVain says that something did not happen while a step was patient.
var ErrInVain = errors.New("in vain")

// inVain says what was waited for and what came instead.
func inVain(ctx context.Context, patience time.Duration, what, wrong string) error {
	if ctx.Err() != nil {
		return fmt.Errorf("waiting for %s: %w", what, ctx.Err())
	}
	if patience > 0 {
		return fmt.Errorf("waited %s %w for %s: %s", spell(patience), ErrInVain, what, wrong)
	}
	return fmt.Errorf("waited %w for %s: %s", ErrInVain, what, wrong)
}

// quiet returns when the tape has shown nothing new for a while, at most as long
// as the plan is patient.
func (r *Tape) quiet(ctx context.Context) error {
	began := r.setting.Now()
	for r.setting.Now().Sub(began) < r.setting.Patience {
		before := r.Seen
		if err := r.Look(ctx, min(r.setting.Patience, longPoll)); err != nil {
			return err
		}
		if r.Seen == before {
			return nil
		}
	}
	return r.Look(ctx, 0)
}

// Silent says whether the partner has called nothing in the journey under way.
func (r *Tape) Silent() bool {
	for range r.Of(tape.KindExchange) {
		return false
	}
	return true
}

// Time is the virtual time of the last entry; the beginning of the world when
// there is none.
func (r *Tape) Time() time.Time { return time.Unix(0, max(r.Meta.Start, r.Last())).UTC() }

// spell writes a duration in seconds or minutes.
func spell(d time.Duration) string {
	if d >= time.Minute && d%time.Minute == 0 {
		return fmt.Sprintf("%d min", d/time.Minute)
	}
	return fmt.Sprintf("%d s", d/time.Second)
}
