package durable

import (
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

// tellOf says that Follow has read something of the line.
func (l *line) tellOf() {
	select {
	case l.news <- struct{}{}:
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
		yields := l.shard.sent == nil && l.shard.broken == nil && l.shard.turns.yields(r.opts.Self)
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
