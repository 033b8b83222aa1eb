package durable

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/google/uuid"
)

// Beat is how often a process says that it lives, and Silence how long it may say
// nothing before another one takes its effects over.
const (
	Beat    = time.Second
	Silence = 5 * time.Second
)

// Watch knows when the other processes were heard last. A lapse only proposes: what
// stands in the log decides. It has no lock.
type Watch struct {
	self    uuid.UUID
	engine  uint64
	since   time.Time
	heard   map[uuid.UUID]time.Time
	engines map[uuid.UUID]uint64
}

// NewWatch begins to watch at a time.
func NewWatch(self uuid.UUID, engine uint64, now time.Time) *Watch {
	return &Watch{self: self, engine: engine, since: now, heard: map[uuid.UUID]time.Time{}, engines: map[uuid.UUID]uint64{}}
}

// Heard notes that a process lives, and the newest engine that it has.
func (w *Watch) Heard(process uuid.UUID, engine uint64, now time.Time) {
	w.heard[process], w.engines[process] = now, engine
}

// Silent says whether a process has been silent for too long. One that has never been
// heard is silent once this one has listened long enough.
func (w *Watch) Silent(process uuid.UUID, now time.Time) bool {
	if process == w.self {
		return false
	}
	last, ok := w.heard[process]
	if !ok {
		last = w.since
	}
	return now.Sub(last) > Silence
}

// Common is the newest engine that every process has which is not silent; 0 until
// this one has listened long enough to know them.
func (w *Watch) Common(now time.Time) uint64 {
	if now.Sub(w.since) <= Silence {
		return 0
	}
	common := w.engine
	for process, last := range w.heard {
		if now.Sub(last) > Silence {
			delete(w.heard, process)
			continue
		}
		common = min(common, w.engines[process])
	}
	return common
}

// Propose offers what the silence of others calls for: to take their effects over, and
// to go on with a newer engine that all have. id draws the ids of the inputs.
func (s *Shard) Propose(w *Watch, now time.Time, id func() uuid.UUID) {
	if s.broken != nil {
		return
	}
	for _, owner := range s.duties.owners() {
		silent := w.Silent(owner, now)
		switch {
		case !silent:
			delete(s.proposed, owner)
		case !s.proposed[owner]:
			if s.proposed == nil {
				s.proposed = map[uuid.UUID]bool{}
			}
			s.proposed[owner] = true
			s.Offer(Input{ID: id(), Kind: Takeover, Data: owner[:]}, nil)
		}
	}
	s.askAgain(now, id)
	if common := w.Common(now); common > s.engine && !s.asked {
		s.asked = true
		s.Offer(Input{ID: id(), Kind: Upgrade, Data: binary.AppendUvarint(nil, common)}, nil)
	}
}

// upgrade goes over to another engine; one that is older than the present is left.
func (s *Shard) upgrade(in *Input, by uuid.UUID) {
	if t, is := toldOf(in); is {
		if by != s.self {
			s.hear(&t, by)
		}
		return
	}
	r := reader{rest: in.Data}
	switch v := r.number(); {
	case r.bad || v <= s.engine:
	case v > s.supports:
		s.broken = fmt.Errorf("shard %d, message %d: %w (engine %d, this one has %d)", s.number, s.at.Seq, ErrNewer, v, s.supports)
	default:
		s.engine, s.asked = v, false
	}
}

// Begin says that what the log held is applied: from now on effects are carried out.
func (s *Shard) Begin() { s.carries = true }

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
			if r.Broken() != nil { // others take over what this one owes
				continue
			}
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
