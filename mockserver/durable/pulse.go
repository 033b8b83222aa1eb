package durable

import (
	"time"

	"github.com/google/uuid"
)

// Pulse is how processes that share a log hear of each other. It is not kept.
type Pulse interface {
	// Beat tells the others that a process lives, and the newest engine that it has.
	Beat(process uuid.UUID, engine uint64) error
	// Hear calls fn for every beat, in turn, until stop is called.
	Hear(fn func(process uuid.UUID, engine uint64)) (stop func(), err error)
}

// Look lets the runner hear of the other processes, tell them that it lives, and take
// over what those owe that are silent. It returns when the runner ends.
func (r *Runner) Look(p Pulse) error {
	type heard struct {
		process uuid.UUID
		engine  uint64
	}
	all := make(chan heard, 64)
	stop, err := p.Hear(func(process uuid.UUID, engine uint64) {
		select {
		case all <- heard{process, engine}:
		case <-r.ctx.Done():
		}
	})
	if err != nil {
		return err
	}
	defer stop()
	w := NewWatch(r.Self(), Engine, r.opts.Wall())
	beat := time.NewTicker(Beat)
	defer beat.Stop()
	last := r.opts.Wall()
	for {
		select {
		case <-r.ctx.Done():
			return nil
		case h := <-all:
			w.Heard(h.process, h.engine, r.opts.Wall())
		case <-beat.C:
			now := r.opts.Wall()
			if now.Sub(last) > Silence || w.self != r.Self() { // it was this one that slept: the others are heard anew
				w = NewWatch(r.Self(), Engine, now)
			}
			last = now
			_ = p.Beat(w.self, Engine) // who is not heard is taken to be silent
			for _, l := range r.lines {
				r.propose(l, w)
			}
		}
	}
}

// Begin lets effects go: what the log held is applied.
func (r *Runner) Begin() {
	r.begun.Store(true)
	for _, l := range r.lines {
		l.at.Lock()
		l.shard.Begin()
		l.at.Unlock()
	}
}

// TakeOver takes over the effects of the processes that had the log before, which are
// gone: this one has it alone. Who shares it calls Look. The machine must be ready to
// carry them out.
func (r *Runner) TakeOver() {
	for _, l := range r.lines {
		r.propose(l, nil)
	}
}

// propose offers what the silence of others calls for; a nil watch says that there are
// no others.
func (r *Runner) propose(l *line, w *Watch) {
	l.at.Lock()
	now := r.opts.Wall()
	if w == nil {
		w = NewWatch(r.Self(), Engine, now.Add(-2*Silence))
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
