package durable

// Begin lets effects go: what the log held is applied. Effects of processes that are
// gone are taken over: at once where this one is alone, and where it is not once they
// have been silent.
func (r *Runner) Begin() {
	for _, l := range r.lines {
		l.at.Lock()
		l.shard.Begin()
		l.at.Unlock()
		if !r.opts.Shared {
			r.propose(l, nil)
		}
	}
}

// propose offers what the silence of others calls for; a nil watch says that there are
// no others.
func (r *Runner) propose(l *line, w *Watch) {
	l.at.Lock()
	now := r.opts.Wall()
	if w == nil {
		w = NewWatch(r.opts.Self, Engine, now.Add(-2*Silence))
	}
	l.shard.Propose(w, now, r.opts.ID)
	offered := l.shard.Waiting() > 0
	l.at.Unlock()
	if offered {
		l.inbox.Lock()
		r.wake(l)
		l.inbox.Unlock()
	}
}
