package durable_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"time"

	"paysandbox/mockserver/durable"
)

// simPlace is where the processes of a simulation keep the snapshots that cut the log.
type simPlace struct {
	sim  *sim
	kept map[uint64][]byte
}

func (*simPlace) Name(top uint64) string { return "snapshot " + strconv.FormatUint(top, 10) }

func (p *simPlace) List(context.Context) ([]uint64, error) {
	return slices.Sorted(maps.Keys(p.kept)), nil
}

func (*simPlace) Written(context.Context, uint64) (time.Time, error) { return epoch, nil }

func (p *simPlace) Read(_ context.Context, top uint64) ([]byte, error) {
	raw, ok := p.kept[top]
	if !ok {
		return nil, durable.ErrImage
	}
	return raw, nil
}

func (p *simPlace) Write(_ context.Context, top uint64, pieces [][]byte) error {
	s := p.sim
	switch {
	case s.chance("snapshot not written", 10):
		return errUnknown
	case s.plant == "cut behind a snapshot that nobody can read" && top%3 == 0:
		return nil
	}
	for newer := range p.kept {
		if newer > top {
			s.hit["late snapshot"]++
			break
		}
	}
	p.kept[top] = slices.Concat(pieces...)
	return nil
}

func (p *simPlace) Drop(_ context.Context, drop func(top uint64) bool) error {
	maps.DeleteFunc(p.kept, func(top uint64, _ []byte) bool {
		if p.sim.plant == "a late snapshot removes newer ones" && top != p.sim.written {
			return true
		}
		return drop(top)
	})
	return nil
}

// damage flips a bit of the newest snapshot, once in a run.
func (p *simPlace) damage() {
	s := p.sim
	if tops, _ := p.List(context.Background()); len(tops) > 1 && s.hit["snapshot damaged"] == 0 && s.rng.IntN(3) == 0 {
		s.hit["snapshot damaged"]++
		raw := bytes.Clone(p.kept[tops[len(tops)-1]])
		raw[s.rng.IntN(len(raw))] ^= 1 << s.rng.IntN(8)
		p.kept[tops[len(tops)-1]] = raw
	}
}

// simLog is the log as who begins with a snapshot looks at it.
type simLog struct {
	durable.Log // nothing else of it is asked for
	sim         *sim
}

func (l simLog) Held(context.Context) (first, last uint64, err error) {
	return l.sim.first, l.sim.last, nil
}

func (l simLog) Read(_ context.Context, shard int, after uint64, fn func(seq uint64, data []byte) error) (last uint64, err error) {
	for _, m := range l.sim.held() {
		if m.shard != shard {
			continue
		}
		last = m.seq
		if m.seq > after {
			if err := fn(m.seq, m.data); err != nil {
				return last, err
			}
		}
	}
	return last, nil
}

// held are the messages that were not purged.
func (s *sim) held() []stored {
	at := 0
	for at < len(s.log) && s.log[at].seq < s.first {
		at++
	}
	return s.log[at:]
}

// purge drops messages; the witness still knows them.
func (s *sim) purge(below uint64) {
	if below > s.first {
		s.hit["log cut"]++
		s.first = below
	}
}

// goOn begins with the newest snapshot, if there is one; false when none leads up to the log.
func (p *process) goOn() bool {
	s := p.sim
	list, err := p.cuts.Newest(context.Background(), simLog{sim: s}, slog.New(slog.DiscardHandler))
	if err != nil {
		s.hit["no snapshot leads up to the log"]++
		return false
	}
	p.followed, p.bent = 0, false
	for n := range simShards {
		p.models[n] = &model{p: p, shard: n}
		p.shards[n] = durable.NewShard(n, p.id, p.engine, p.models[n])
	}
	defer func() {
		for _, shard := range p.shards {
			p.compare(shard)
		}
	}()
	for n := range list {
		s.hit["snapshot loaded"]++
		at := list[n].Shard
		p.models[at].state = binary.BigEndian.Uint64(list[n].State[0])
		shard, err := durable.Restore(&list[n], p.id, p.engine, p.models[at])
		if err != nil { // a newer engine applies
			return false
		}
		p.shards[at] = shard
		p.followed = max(p.followed, list[n].At.Seq)
	}
	return true
}

// rejoin goes on from a snapshot when the log was cut behind what the process has read: as
// another process would.
func (p *process) rejoin() {
	s := p.sim
	s.hit["log cut behind a sleeper"]++
	if s.plant != "a sleeper goes on under its name" {
		p.id = s.id()
	}
	p.watch = durable.NewWatch(p.id, p.engine, epoch.Add(s.now))
	if !p.goOn() {
		p.crash()
		return
	}
	for n := range simShards {
		p.shards[n].Begin()
	}
}

// cut takes a snapshot of all shards, which stand at the log's end. It is written some time
// later, and the log is cut later still: the process may sleep meanwhile.
//
// One that is bent takes none until it knows: what it has kept then others would begin with.
func (p *process) cut() {
	s := p.sim
	if p.bent {
		return
	}
	var list []durable.Image
	for n, shard := range p.shards {
		state := p.models[n].state
		if s.plant == "snapshot bound to the wrong position" {
			state = p.models[n].before
		}
		if shard.At().Seq > 0 {
			list = append(list, shard.Image([][]byte{binary.BigEndian.AppendUint64(nil, state)}))
		}
	}
	cuts := p.cuts
	p.later(s.upTo(2000), func() {
		for n := range list {
			s.written = max(list[0].At.Seq, list[n].At.Seq)
		}
		c, err := cuts.Keep(context.Background(), list)
		if err != nil || c.Below == 0 {
			return
		}
		s.hit["snapshot kept"]++
		for _, n := range c.Idle {
			s.hit["idle shard marked"]++
			p.shards[n].Mark()
			p.pump(n)
		}
		if s.plant == "a shard's last message is cut off" {
			c.Below = s.written + 1
		}
		p.later(s.upTo(500), func() { s.purge(c.Below) })
	})
}

var _ durable.Place = (*simPlace)(nil)

// behind says whether a message does not follow because those before it were cut off.
func (p *process) behind(shard *durable.Shard, m *stored) bool {
	return shard.Misses(m.seq, m.data) && p.sim.first > shard.At().Seq+1
}
