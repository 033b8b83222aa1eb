package durable

import "time"

// meetWithin is how long a message that has come first is waited for: it is on its way
// to all that follow the log, and asking for it takes three calls.
const meetWithin = 50 * time.Millisecond

// meets waits until what has come before the line's own message was read by Follow, which
// then frees what was in it; false when it does not come soon.
func (r *Runner) meets(l *line) bool {
	if !r.opts.Shared {
		return false
	}
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
