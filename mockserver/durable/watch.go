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
	if common := w.Common(now); common > s.engine && !s.asked {
		s.asked = true
		s.Offer(Input{ID: id(), Kind: Upgrade, Data: binary.AppendUvarint(nil, common)}, nil)
	}
}

// upgrade goes over to another engine; one that is older than the present is left.
func (s *Shard) upgrade(in *Input) {
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
