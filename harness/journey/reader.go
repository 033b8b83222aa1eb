package journey

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"paysandbox/harness/partner"
	"paysandbox/mockserver/tape"
)

// longPoll is the longest that one look at the tape waits.
const longPoll = 10 * time.Second

// reader follows the tape of the play's integration.
type reader struct {
	stage    *partner.Stage
	patience time.Duration
	// longer is how much longer the partner was asked to take.
	longer   time.Duration
	now      func() time.Time
	progress func(string)

	meta tape.Meta
	// last is the number of the last entry that was read.
	last uint64
	// entries are those of the journey under way, oldest first.
	entries []tape.Entry
}

// begin forgets what was read, and goes to the end of the tape.
func (r *reader) begin(ctx context.Context) error {
	if err := r.look(ctx, 0); err != nil {
		return err
	}
	r.entries = nil
	return nil
}

// look reads what is new; it waits for it when it is told to.
func (r *reader) look(ctx context.Context, wait time.Duration) error {
	path := fmt.Sprintf("/tape?since=%d", r.last)
	if wait > 0 {
		path += "&wait=" + wait.Round(time.Millisecond).String()
	}
	a, err := r.stage.Get(ctx, path)
	if err != nil {
		return fmt.Errorf("read the tape: %w", err)
	}
	meta, entries, err := tape.Read(bytes.NewReader(a.Body))
	if err != nil {
		return fmt.Errorf("read the tape: %w", err)
	}
	r.meta = meta
	if len(entries) > 0 {
		r.last = entries[len(entries)-1].Seq
		r.entries = append(r.entries, entries...)
	}
	return nil
}

// until waits until the tape shows something, at most as long as the plan is
// patient. what says in words what is waited for; problem says what is not as it
// should be, and is empty when all is well.
func (r *reader) until(ctx context.Context, what string, problem func() string) error {
	began, patience := r.now(), r.patience
	if patience > 0 {
		patience += r.longer
	}
	if err := r.look(ctx, 0); err != nil {
		return err
	}
	for {
		wrong := problem()
		if wrong == "" {
			return nil
		}
		waited := r.now().Sub(began)
		left := patience - waited
		if left <= 0 || ctx.Err() != nil {
			return inVain(ctx, patience, what, wrong)
		}
		if r.progress != nil {
			r.progress(fmt.Sprintf("waiting for %s (%s of %s)", what, spell(waited), spell(patience)))
		}
		if err := r.look(ctx, min(left, longPoll)); err != nil {
			return err
		}
	}
}

// errInVain says that something did not happen while a step was patient.
var errInVain = errors.New("in vain")

// inVain says what was waited for and what came instead.
func inVain(ctx context.Context, patience time.Duration, what, wrong string) error {
	if ctx.Err() != nil {
		return fmt.Errorf("waiting for %s: %w", what, ctx.Err())
	}
	if patience > 0 {
		return fmt.Errorf("waited %s %w for %s: %s", spell(patience), errInVain, what, wrong)
	}
	return fmt.Errorf("waited %w for %s: %s", errInVain, what, wrong)
}

// quiet returns when the tape has shown nothing new for a while, at most as long
// as the plan is patient.
func (r *reader) quiet(ctx context.Context) error {
	began := r.now()
	for r.now().Sub(began) < r.patience {
		before := r.last
		if err := r.look(ctx, min(r.patience, longPoll)); err != nil {
			return err
		}
		if r.last == before {
			return nil
		}
	}
	return r.look(ctx, 0)
}

// silent says whether the partner has called nothing in the journey under way.
func (r *reader) silent() bool {
	for i := range r.entries {
		if r.entries[i].Kind == tape.KindExchange {
			return false
		}
	}
	return true
}

// virtual is the virtual time of the last entry; the beginning of the world when
// there is none.
func (r *reader) virtual() time.Time {
	at := r.meta.Start
	if n := len(r.entries); n > 0 {
		at = r.entries[n-1].At
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
