package durable

import "log/slog"

// refuse tells all that wait that the shard applies no more.
func (r *Runner) refuse(l *line) {
	l.at.Lock()
	err := l.shard.Err()
	l.at.Unlock()
	if r.broken.CompareAndSwap(nil, &err) {
		r.opts.Tell.Error("the log is not applied any more", slog.Any("reason", err))
	}
	r.abandon(l)
}

// abandon ends the waits of a line that is not driven any more.
func (r *Runner) abandon(l *line) {
	l.at.Lock()
	defer l.at.Unlock()
	l.inbox.Lock()
	defer l.inbox.Unlock()
	err := l.shard.Err()
	if err == nil {
		err = ErrUnknown
	}
	for _, list := range [][]offered{l.in, l.shard.pending, l.shard.sent} {
		for _, o := range list {
			if c, ok := o.mine.(*Call); ok && c.Take() {
				c.Done(err)
			}
		}
	}
	l.in, l.active = nil, false
}

// Followed is the number up to which the runner has read the whole log.
func (r *Runner) Followed() uint64 { return r.follow.Load() }

// Broken is why the log is not applied any more, or nil.
func (r *Runner) Broken() error {
	if err := r.broken.Load(); err != nil {
		return *err
	}
	return nil
}

// Err is why the log is not applied, or nil: it is broken, or cannot be reached.
func (r *Runner) Err() error {
	if err := r.Broken(); err != nil {
		return err
	}
	if r.down.Load() {
		return ErrNotTaken
	}
	return nil
}
