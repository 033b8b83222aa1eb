package durable_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"time"

	"paysandbox/mockserver/durable"
)

// epoch is the wall clock's time at the beginning of a run.
var epoch = time.Unix(0, 0)

// model is a machine whose state follows from all that it was given, in order.
type model struct {
	p     *process
	shard int
	state uint64
	// before is the state before the last input.
	before uint64
}

func mix(state uint64, in *durable.Input, engine uint64) uint64 {
	var head [16]byte
	binary.BigEndian.PutUint64(head[:], state)
	binary.BigEndian.PutUint64(head[8:], engine)
	sum := sha256.Sum256(append(append(head[:], in.ID[:]...), in.Data...))
	return binary.BigEndian.Uint64(sum[:])
}

// wants are the effects of an input. They belong to one of two integrations, which some
// inputs reset: what was asked for before is not called for any more.
func wants(in *durable.Input) (asked durable.Asked) {
	of := string('a' + rune(in.ID[2]%2))
	switch {
	case in.Answers != "":
	case in.ID[3]%16 == 0:
		asked.Voids = of
	case in.ID[0]%3 == 0:
		asked.Effects = []string{of + hex.EncodeToString(in.ID[:8])}
	}
	return asked
}

func (m *model) Apply(in *durable.Input, engine uint64, mine any) durable.Asked {
	if m.p.sim.plant == "lost input" && in.ID[1]%16 == 0 {
		return durable.Asked{}
	}
	m.before = m.state
	m.state = mix(m.state, in, engine)
	if c, ok := mine.(*call); ok {
		c.done, c.answer, c.answered, c.bent = true, m.state, m.p.sim.now, m.p.bent
	}
	asked := wants(in)
	if asked.Voids != "" {
		m.p.sim.hit["effects not called for any more"]++
		if m.p.sim.plant == "effects of a former life" {
			asked.Voids = ""
		}
	}
	return asked
}

func (*model) Skip(*durable.Input, any) {}

func (m *model) Carry(effect string) {
	p := m.p
	p.carry(m.shard, effect)
	if p.sim.plant == "doubled effect" && effect[1] == '0' {
		p.carry(m.shard, effect)
	}
}

func broken(err error) string {
	if errors.Is(err, durable.ErrDiffers) {
		return "outvoted"
	}
	if errors.Is(err, durable.ErrNewer) {
		return "stepped aside"
	}
	return "chain broken"
}
