package task

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"paysandbox/mockserver/tape"
)

// longPoll is the longest that one look at the tape waits.
const longPoll = 10 * time.Second

// Tape follows the tape of a play's integration.
type Tape struct {
	setting *Setting
	// longer is how much longer the partner was asked to take.
	longer time.Duration

	meta tape.Meta
	// Last is the number of the last entry that was read.
	Last uint64
	// Entries are those of the journey under way, oldest first.
	Entries []tape.Entry
}

// Longer lets the next task take so much longer.
func (r *Tape) Longer(by time.Duration) { r.longer = by }

// Begin forgets what was read, and goes to the end of the tape.
func (r *Tape) Begin(ctx context.Context) error {
	if err := r.Look(ctx, 0); err != nil {
		return err
	}
	r.Entries = nil
	return nil
}

// Look reads what is new; it waits for it when it is told to.
func (r *Tape) Look(ctx context.Context, wait time.Duration) error {
	path := fmt.Sprintf("/tape?since=%d", r.Last)
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
	r.meta = meta
	if len(entries) > 0 {
		r.Last = entries[len(entries)-1].Seq
		r.Entries = append(r.Entries, entries...)
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
		before := r.Last
		if err := r.Look(ctx, min(r.setting.Patience, longPoll)); err != nil {
			return err
		}
		if r.Last == before {
			return nil
		}
	}
	return r.Look(ctx, 0)
}

// Silent says whether the partner has called nothing in the journey under way.
func (r *Tape) Silent() bool {
	for i := range r.Entries {
		if r.Entries[i].Kind == tape.KindExchange {
			return false
		}
	}
	return true
}

// Virtual is the virtual time of the last entry; the beginning of the world when
// there is none.
func (r *Tape) Virtual() time.Time {
	at := r.meta.Start
	if n := len(r.Entries); n > 0 {
		at = r.Entries[n-1].At
	}
	return time.Unix(0, at).UTC()
}

// spell writes a duration in seconds or minutes.
func spell(d time.Duration) string {
	if d >= time.Minute && d%time.Minute == 0 {
		return fmt.Sprintf("%d min", d/time.Minute)
	}
	return fmt.Sprintf("%d s", d/time.Second)
}

// Caused finds the entity of a machine that an entry has brought into being.
func (r *Tape) Caused(seq uint64, machine string) string {
	for i := range r.Entries {
		e := &r.Entries[i]
		if e.Transition != nil && e.Cause == seq && e.Transition.Machine == machine && e.Transition.From == "" {
			return e.Transition.Entity
		}
	}
	return ""
}

// State is the present state of an entity, "" when the tape does not show it.
func (r *Tape) State(entity string) string {
	for i := len(r.Entries) - 1; i >= 0; i-- {
		if t := r.Entries[i].Transition; t != nil && t.Entity == entity {
			return t.To
		}
	}
	return ""
}

// Exchanges walks the exchanges of an operation, or of one of several.
func (r *Tape) Exchanges(operations []string, do func(*tape.Entry) bool) {
	for i := range r.Entries {
		e := &r.Entries[i]
		if e.Kind != tape.KindExchange || e.Exchange == nil {
			continue
		}
		for _, op := range operations {
			if e.Exchange.Operation == op && !do(e) {
				return
			}
		}
	}
}
