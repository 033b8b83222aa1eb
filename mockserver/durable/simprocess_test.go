package durable_test

import (
	"cmp"
	"slices"
	"time"

	"github.com/google/uuid"

	"paysandbox/mockserver/durable"
	"paysandbox/mockserver/durable/compare"
)

// process is one sandbox of the simulation.
type process struct {
	sim    *sim
	number int
	id     uuid.UUID
	engine uint64
	alive  bool
	paused time.Duration
	life   int
	shards [simShards]*durable.Shard
	models [simShards]*model
	busy   [simShards]bool
	watch  *durable.Watch
	cuts   *durable.Images
	// followed is the message up to which all shards were read.
	followed uint64
	stopped  bool
	// bent says that it has come to another state than the log gives.
	bent bool
}

// bend lets a process come to another state, as a fault of its memory does, or of what
// applies inputs; the others are as they should be.
func (s *sim) bend(p *process) {
	for _, other := range s.processes {
		if other.bent || s.now > faultsFor-5*time.Second {
			return
		}
	}
	if n := s.rng.IntN(simShards); p.alive && p.shards[n].Err() == nil {
		s.hit["state bent"]++
		p.bent = true
		p.models[n].state++
	}
}

// compareEvery is how many messages lie between two before which states are compared.
const compareEvery = 8

// compare has what a process comes to held against the others'.
func (p *process) compare(shard *durable.Shard) {
	every := uint64(compareEvery)
	if p.sim.plant == "nobody compares states" {
		every = 0
	}
	shard.Compare(every, "", func(_ uuid.UUID, differ []string) {
		p.sim.hit["states compared"]++
		if len(differ) > 0 {
			p.sim.hit["states differ: "+shard.Verdict().String()]++
		}
	})
}

// Stand is durable.Machine's.
func (m *model) Stand(int, []string) []compare.Part {
	return []compare.Part{{Name: "state", Hash: m.state}}
}

// carry carries an effect out; the answer comes later, if the process lives.
func (p *process) carry(shard int, effect string) {
	s := p.sim
	s.carried = append(s.carried, carried{effect, shard, p.id, p.shards[shard].At().Seq})
	p.later(s.upTo(2500), func() {
		p.shards[shard].Offer(durable.Input{ID: s.id(), Kind: durable.Applied, Answers: effect, Data: []byte("answer")}, nil)
		p.pump(shard)
	})
	if s.plant == "stale owner" { // it does not look whether it is still its own
		p.later(8*time.Second, func() {
			s.carried = append(s.carried, carried{effect, shard, p.id, p.shards[shard].At().Seq})
		})
	}
}

// later does something in this life of the process, once it is awake.
func (p *process) later(d time.Duration, do func()) {
	life := p.life
	var run func()
	run = func() {
		switch {
		case p.life != life || !p.alive:
		case p.paused > p.sim.now:
			p.sim.after(p.paused-p.sim.now, run)
		default:
			do()
		}
	}
	p.sim.after(d, run)
}

func (p *process) start() {
	if p.alive {
		return
	}
	s := p.sim
	p.id, p.alive, p.paused, p.stopped = s.id(), true, 0, false
	p.watch = durable.NewWatch(p.id, p.engine, epoch.Add(s.now))
	p.cuts = durable.SharedImages(s.place)
	if !p.goOn() {
		p.crash()
		return
	}
	for n := range simShards {
		p.busy[n] = false
		p.read(n)
		p.shards[n].Begin()
	}
	p.later(0, p.beat)
	p.later(s.upTo(300), p.tail)
}

func (p *process) crash() { p.alive, p.life = false, p.life+1 }

func (p *process) broken() bool {
	for _, s := range p.shards {
		if s.Err() != nil {
			return true
		}
	}
	return false
}

// take takes a client's call.
func (p *process) take(shard int) {
	s := p.sim
	if !p.alive || p.paused > s.now || p.shards[shard].Err() != nil {
		return
	}
	if p.shards[shard].Verdict() != compare.Same {
		s.hit["call refused: states differ"]++
		return
	}
	c := &call{id: s.id(), shard: shard, asked: s.now}
	s.calls = append(s.calls, c)
	if s.plant == "answered before it is kept" && c.id[1]%16 == 0 {
		c.done, c.answered = true, s.now
	}
	p.shards[shard].Offer(durable.Input{ID: c.id, Kind: durable.Applied, Data: []byte("call")}, c)
	p.pump(shard)
}

// pump appends what is to be appended, one message at a time.
func (p *process) pump(n int) {
	if p.busy[n] {
		return
	}
	m, ok := p.shards[n].Next()
	if !ok {
		return
	}
	p.busy[n] = true
	p.sim.send(m, func(seq uint64, err error) {
		p.later(0, func() { p.outcome(n, m, seq, err) })
	})
}

func (p *process) outcome(n int, m durable.Message, seq uint64, err error) {
	s, life := p.sim, p.life
	on := func() {
		if p.life == life {
			p.busy[n] = false
			p.pump(n)
		}
	}
	switch p.shards[n].Appended(m, seq, err) {
	case durable.GoOn:
		on()
	case durable.ReadOn:
		s.hit["read on"]++
		p.later(s.upTo(50), func() { p.read(n); on() })
	case durable.WaitAndRead:
		s.hit["outcome unknown"]++
		p.later(s.upTo(500), func() { p.read(n); on() })
	case durable.Stop:
		s.hit["stopped"]++
	}
}

// read reads a shard on; now and then the log tells what it has told before.
func (p *process) read(n int) {
	s, shard := p.sim, p.shards[n]
	if s.stalled > s.now && !s.calm {
		s.hit["read while stalled"]++
		return
	}
	from := shard.At().Seq
	if s.chance("messages told again", 10) {
		from = 0
	}
	at, _ := slices.BinarySearchFunc(s.log, max(from+1, s.first), func(m stored, seq uint64) int { return cmp.Compare(m.seq, seq) })
	for _, m := range s.log[at:] {
		if m.shard != n {
			continue
		}
		if p.behind(shard, &m) {
			s.hit["read on behind the cut"]++
			return
		}
		data := m.data
		if s.plant == "skipped chain check" {
			data = repaired(shard, data)
		}
		if err := shard.Receive(m.seq, data); err != nil {
			s.hit[broken(err)]++
			return
		}
	}
	end := s.first - 1
	for _, m := range s.held() {
		if m.shard == n {
			end = m.seq
		}
	}
	if shard.ReadTo(end) != nil {
		s.hit["end missed"]++
	}
}

// repaired makes a batch follow whatever was read last: what a check that is
// skipped would let pass.
func repaired(shard *durable.Shard, data []byte) []byte {
	b, err := durable.Decode(data)
	if err != nil {
		return data
	}
	if b.Before != shard.At().Digest {
		b.Before = shard.At().Digest
		return b.Encode()
	}
	return data
}

// tail reads all shards on, and keeps a snapshot now and then.
func (p *process) tail() {
	s := p.sim
	if !p.broken() && s.first > p.followed+1 && (s.calm || s.stalled <= s.now) {
		p.rejoin()
	}
	top := uint64(0)
	for n := range simShards {
		p.read(n)
		top = max(top, p.shards[n].At().Seq)
		p.pump(n)
	}
	if top == s.last && !p.broken() && (s.calm || s.stalled <= s.now) {
		p.followed = top
		if s.rng.IntN(12) == 0 && top > 0 && p.flushed(top) && s.now < faultsFor+calmFor/2 {
			p.cut()
		}
	}
	p.later(s.upTo(300), p.tail)
}

// flushed says whether what a snapshot stands on cannot be lost any more.
func (p *process) flushed(seq uint64) bool {
	s := p.sim
	return s.always || s.synced > 0 && s.synced <= len(s.log) && s.log[s.synced-1].seq >= seq
}

// beat tells the others that this one lives, and looks for those that do not.
func (p *process) beat() {
	s := p.sim
	for _, other := range s.processes {
		if other != p && !p.broken() && !s.chance("heartbeat lost", 10) {
			from, engine := p.id, p.engine
			other.later(s.upTo(200), func() { other.watch.Heard(from, engine, epoch.Add(s.now)) })
		}
	}
	for n := range simShards {
		before := p.shards[n].Waiting()
		p.shards[n].Propose(p.watch, epoch.Add(s.now), s.id)
		if p.shards[n].Waiting() > before {
			s.hit["proposed"]++
		}
		p.pump(n)
	}
	p.later(durable.Beat, p.beat)
}
