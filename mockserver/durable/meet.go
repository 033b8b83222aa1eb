package durable

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"
)

// meetWithin is how long a message that has come first is waited for: it is on its way
// to all that follow the log, and asking for it takes three calls.
const meetWithin = 50 * time.Millisecond

// meets waits until what has come before the line's own message was read by Follow, which
// then frees what was in it; false when it does not come soon.
func (r *Runner) meets(l *line) bool {
	if !r.opts.Shared {
		return false
	}
	l.at.Lock()
	l.shard.turns.lost()
	l.at.Unlock()
	late := time.NewTimer(meetWithin)
	defer late.Stop()
	for {
		l.at.Lock()
		met := l.shard.sent == nil && l.shard.broken == nil
		l.at.Unlock()
		if met {
			return true
		}
		select {
		case <-l.news:
		case <-late.C:
			return false
		case <-r.ctx.Done():
			return false
		}
	}
}

// tellOf says that Follow has read something.
func tellOf(news chan struct{}) {
	select {
	case news <- struct{}{}:
	default: // it was said
	}
}

// Of several processes that append to one shard at once only one is first, and the others
// append again. They take turns instead while that happens: who has appended lets those
// go first that have appended lately too, so that each batch holds all that has come
// meanwhile, and none is made in vain. That only delays: the log decides.
type turns struct {
	by    [lately]uuid.UUID // a ring
	count uint64
	// until is up to which count turns are taken.
	until uint64
}

// lately is how many batches who appends is remembered for, and contest how many batches
// turns are taken for once a batch came second.
const (
	lately  = 6
	contest = 32
)

func (t *turns) took(by uuid.UUID) {
	t.by[t.count%lately] = by
	t.count++
}

func (t *turns) lost() { t.until = t.count + contest }

// yields says whether another one is to append before self does.
func (t *turns) yields(self uuid.UUID) bool {
	if t.count >= t.until {
		return false
	}
	since, own := map[uuid.UUID]bool{}, false
	for n := t.count; n > 0 && n+lately > t.count; n-- {
		by := t.by[(n-1)%lately]
		switch {
		case by == self:
			own = true
		case !own:
			since[by] = true
		case !since[by]:
			return true
		}
	}
	return false
}

// giveWay waits while another process is to append before this one, for as long as three
// appends take, but not long.
func (r *Runner) giveWay(l *line) {
	if !r.opts.Shared {
		return
	}
	var late *time.Timer
	for {
		l.at.Lock()
		yields := l.shard.sent == nil && l.shard.broken == nil && l.shard.turns.yields(r.Self())
		l.at.Unlock()
		if !yields {
			return
		}
		if late == nil {
			late = time.NewTimer(min(3*time.Duration(l.took.Load()), meetWithin))
			defer late.Stop()
		}
		select {
		case <-l.news:
		case <-late.C:
			return
		case <-r.ctx.Done():
			return
		}
	}
}

// ReadShard reads one shard to the log's end, as when what another shard says must
// stand in it.
func (r *Runner) ReadShard(shard int) error { return r.readOn(r.lines[shard]) }

// Current reads one shard to the log's end, and waits for a while until it has come there:
// for a snapshot, where the log was cut behind what was read, or for a server that lags.
func (r *Runner) Current(shard int) error {
	l := r.lines[shard]
	for late := r.opts.Wall().Add(patience); ; {
		if err := r.readOn(l); err != nil || !l.lags() || r.opts.Wall().After(late) || r.pause(retryAfter) {
			return err
		}
	}
}

// readOn reads a shard to the log's end. That the log cannot be reached is no error:
// the message is appended again.
func (r *Runner) readOn(l *line) error {
	ctx, cancel := context.WithTimeout(r.ctx, appendTimeout)
	defer cancel()
	l.at.Lock()
	defer l.at.Unlock()
	last, err := r.opts.Log.Read(ctx, l.number, l.shard.At().Seq, func(seq uint64, data []byte) error {
		if r.opts.Shared && l.shard.Misses(seq, data) && r.cut(ctx, l) { // Follow will say so, and have a snapshot loaded
			l.lagging = r.opts.Wall()
			return ErrCut
		}
		return l.shard.Receive(seq, data)
	})
	if broken := l.shard.Err(); broken != nil {
		return broken
	}
	if err != nil {
		return nil
	}
	if last >= l.shard.At().Seq {
		l.lagging = time.Time{}
	}
	if last < l.shard.At().Seq && r.opts.Shared && l.behind(r.opts.Wall()) {
		r.opts.Tell.Warn("a server of the log is behind", slog.Int("shard", l.number))
		return nil
	}
	return l.shard.ReadTo(last)
}

// cut says whether what the line is to read next may have been purged.
func (r *Runner) cut(ctx context.Context, l *line) bool {
	first, _, err := r.opts.Log.Held(ctx)
	return err == nil && first > l.shard.at.Seq+1
}

func (l *line) lags() bool {
	l.at.Lock()
	defer l.at.Unlock()
	return !l.lagging.IsZero()
}

// behind says whether a server that does not hold what was read once may only be new to
// its office: so for a while. After a leader has died, the next one may still have to
// apply what was acknowledged.
func (l *line) behind(now time.Time) bool {
	if l.lagging.IsZero() {
		l.lagging = now
	}
	return now.Sub(l.lagging) < lagTimeout
}
