package durable_test

import (
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"paysandbox/mockserver/durable"
	"paysandbox/mockserver/durable/compare"
)

// witness replays the log alone, one input after the other, and knows what every
// process must have come to.
type witness struct {
	// answers and places are by input: what it is answered, and which it is.
	answers map[uuid.UUID]uint64
	places  map[uuid.UUID]int
	state   [simShards]uint64
	at      [simShards]durable.Position
	// owners are the effects of a shard with their owners, after each message.
	owners [simShards]map[uint64]map[string]durable.Duty
	duties [simShards][]durable.Duty
	err    error
}

// sequential is a machine that notes what it is given.
type sequential struct {
	w     *witness
	shard int
}

func (m *sequential) Apply(in *durable.Input, engine uint64, _ any) durable.Asked {
	m.w.state[m.shard] = mix(m.w.state[m.shard], in, engine)
	m.w.answers[in.ID] = m.w.state[m.shard]
	m.w.places[in.ID] = len(m.w.places)
	return wants(in)
}

func (*sequential) Skip(*durable.Input, any) {}
func (*sequential) Carry(string)             {}

func (*sequential) Stand(int, []string) []compare.Part { return nil }

func (s *sim) witness() *witness {
	w := &witness{answers: map[uuid.UUID]uint64{}, places: map[uuid.UUID]int{}}
	for n := range simShards {
		shard := durable.NewShard(n, uuid.UUID{}, 2, &sequential{w, n})
		w.owners[n] = map[uint64]map[string]durable.Duty{}
		for _, m := range s.log {
			if m.shard != n {
				continue
			}
			if w.err = errors.Join(w.err, shard.Receive(m.seq, m.data)); shard.Err() != nil {
				break
			}
			owners := map[string]durable.Duty{}
			for _, d := range shard.Duties().List() {
				owners[d.Effect] = d
			}
			w.owners[n][m.seq] = owners
		}
		w.at[n], w.duties[n] = shard.At(), shard.Duties().List()
	}
	return w
}

// judge gives what a run has done wrong, or "".
func (s *sim) judge() string {
	w := s.witness()
	if s.fatal != "" {
		if w.err == nil {
			return s.fatal + ", and a restart has not found it"
		}
		return s.agree(w, true)
	}
	if w.err != nil {
		return "the log is broken, and nothing was done to it: " + w.err.Error()
	}
	for _, check := range []func(*witness) string{s.answered, s.ordered, s.owned, s.done} {
		if wrong := check(w); wrong != "" {
			return wrong
		}
	}
	return s.agree(w, false)
}

// answered: each answer is the one that the log gives.
func (s *sim) answered(w *witness) string {
	for _, c := range s.calls {
		want, kept := w.answers[c.id]
		switch {
		case !c.done || c.bent || s.lost >= 0 && c.answered >= s.lost:
		case !kept:
			return fmt.Sprintf("call %s was answered at %s and is not in the log", c.id, c.answered)
		case want != c.answer:
			return fmt.Sprintf("call %s was answered %x, the log gives %x", c.id, c.answer, want)
		}
	}
	return ""
}

// ordered: what was answered before another call was asked stands before it.
func (s *sim) ordered(w *witness) string {
	for _, asked := range s.calls { // in the order in which they were asked
		place, kept := w.places[asked.id]
		if !kept || s.lost >= 0 {
			continue
		}
		for _, before := range s.calls {
			if before.done && before.shard == asked.shard && before.answered < asked.asked && w.places[before.id] > place {
				return fmt.Sprintf("call %s was answered before %s was asked, and stands behind it", before.id, asked.id)
			}
		}
	}
	return ""
}

// owned: an effect is carried out by who owned it where the log stood, once in each
// ownership.
func (s *sim) owned(w *witness) string {
	seen := map[durable.Duty]bool{}
	for _, c := range s.carried {
		if s.lost >= 0 {
			continue
		}
		duty := w.owners[c.shard][c.after][c.effect]
		switch {
		case duty.Owner != c.process:
			return fmt.Sprintf("effect %s was carried out by %s, its owner is %s", c.effect, c.process, duty.Owner)
		case seen[duty]:
			return fmt.Sprintf("effect %s was carried out twice by %s", c.effect, c.process)
		}
		seen[duty] = true
	}
	return ""
}

// done: when the faults are over, every effect gets its answer.
func (s *sim) done(w *witness) string {
	for n := range w.duties {
		if len(w.duties[n]) > 0 {
			return fmt.Sprintf("shard %d: %d effects were never carried out, the first is %s of %s", n, len(w.duties[n]), w.duties[n][0].Effect, w.duties[n][0].Owner)
		}
	}
	return ""
}

// foundOut says whether a process stopped rightly: it is bent, or the log is spoilt.
func (p *process) foundOut(err error, spoilt bool) bool {
	differs := errors.Is(err, durable.ErrDiffers)
	return p.bent && (spoilt || differs) || spoilt && err != nil && !differs
}

// outvoted says whether the process knows that a state of its is not what the log gives.
func (p *process) outvoted() bool {
	return slices.ContainsFunc(p.shards[:], func(s *durable.Shard) bool { return errors.Is(s.Err(), durable.ErrDiffers) })
}

// agree: in the end all processes have read all and have come to the same, but for
// those that have found the log broken.
func (s *sim) agree(w *witness, spoilt bool) string {
	states := map[uint64]uint64{}
	for n := range simShards {
		for _, p := range s.processes {
			shard := p.shards[n]
			switch at := shard.At(); {
			case p.foundOut(shard.Err(), spoilt), p.bent && p.outvoted(): // all of it ends when one shard is
				continue
			case shard.Err() != nil:
				return fmt.Sprintf("process %d does not go on: %v", p.number, shard.Err())
			case !spoilt && at != w.at[n]:
				return fmt.Sprintf("process %d has read shard %d to message %d, not to %d", p.number, n, at.Seq, w.at[n].Seq)
			case !spoilt && p.models[n].state != w.state[n]:
				return fmt.Sprintf("process %d has come to another state of shard %d", p.number, n)
			default:
				if other, ok := states[at.Seq]; ok && at.Seq > 0 && other != p.models[n].state {
					return fmt.Sprintf("two processes have come to different states of shard %d", n)
				}
				states[at.Seq] = p.models[n].state
			}
		}
	}
	return ""
}
