package durable_test

import (
	"container/heap"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"

	"paysandbox/mockserver/durable"
)

// The simulation runs real shards on a log that misbehaves, in one thread and in
// virtual time: a seed decides everything.

const (
	simShards    = 2
	simProcesses = 3
	faultsFor    = 25 * time.Second
	calmFor      = 60 * time.Second
	appendWaits  = 2 * time.Second
)

// event is something that happens at a moment.
type event struct {
	at time.Duration
	n  int
	do func()
}

type events []event

func (e events) Len() int { return len(e) }
func (e events) Less(i, j int) bool {
	return e[i].at < e[j].at || e[i].at == e[j].at && e[i].n < e[j].n
}
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)   { *e = append(*e, x.(event)) } //nolint:forcetypeassert // heap gives back what it was given.
func (e *events) Pop() any {
	old := *e
	x := old[len(old)-1]
	*e = old[:len(old)-1]
	return x
}

// stored is a message of the log.
type stored struct {
	seq   uint64
	shard int
	id    string
	data  []byte
}

// call is what a client asked, and what it was answered.
type call struct {
	id              uuid.UUID
	shard           int
	asked, answered time.Duration
	done, bent      bool
	answer          uint64
}

// carried is an effect that a process has carried out.
type carried struct {
	effect  string
	shard   int
	process uuid.UUID
	after   uint64 // the position at which it was
}

// sim is one run.
type sim struct {
	rng    *rand.Rand
	plant  string
	queue  events
	n      int
	now    time.Duration
	calm   bool
	always bool // the log is flushed with each message

	log     []stored
	first   uint64 // what stands before it in log was purged
	last    uint64
	synced  int
	syncAt  time.Duration
	stalled time.Duration
	cuts    int           // how often the power was lost
	lost    time.Duration // answers from then on may be lost: the power was
	fatal   string        // what was done to the log that must be found

	place     *simPlace
	written   uint64 // the snapshot that was written last
	processes []*process
	calls     []*call
	carried   []carried
	hit       map[string]int
}

func newSim(seed uint64, plant string) *sim {
	s := &sim{rng: rand.New(rand.NewPCG(seed, 1)), plant: plant, hit: map[string]int{}, lost: -1, first: 1}
	s.place = &simPlace{s, map[uint64][]byte{}}
	s.always = s.rng.IntN(2) == 0
	for n := range simProcesses {
		p := &process{sim: s, number: n, engine: 1}
		s.processes = append(s.processes, p)
		p.start()
	}
	return s
}

func (s *sim) id() uuid.UUID {
	var id uuid.UUID
	for n := range 2 {
		v := s.rng.Uint64()
		for k := range 8 {
			id[n*8+k] = byte(v >> (8 * k))
		}
	}
	return id
}

func (s *sim) after(d time.Duration, do func()) {
	s.n++
	heap.Push(&s.queue, event{s.now + d, s.n, do})
}

func (s *sim) upTo(ms int) time.Duration { return time.Duration(1+s.rng.IntN(ms)) * time.Millisecond }

// chance says yes so often in a hundred, while there are faults.
func (s *sim) chance(fault string, percent int) bool {
	if s.calm || s.rng.IntN(1000) >= percent*10 {
		return false
	}
	s.hit[fault]++
	return true
}

// run plays a run: faults, and then peace.
func (s *sim) run() {
	s.clients()
	s.trouble()
	s.until(faultsFor)
	s.calm = true
	for _, p := range s.processes {
		p.paused = 0
		if newest := s.newest(); !p.alive || p.broken() || p.engine < newest {
			p.crash()
			p.engine = newest
			p.start()
		}
	}
	s.until(faultsFor + calmFor)
}

func (s *sim) newest() uint64 {
	var v uint64
	for _, p := range s.processes {
		v = max(v, p.engine)
	}
	return v
}

func (s *sim) until(end time.Duration) {
	for len(s.queue) > 0 && s.queue[0].at <= end {
		e := heap.Pop(&s.queue).(event) //nolint:forcetypeassert // It holds nothing else.
		s.now = e.at
		e.do()
	}
	s.now = end
}

// clients call, faster and slower.
func (s *sim) clients() {
	var next func()
	next = func() {
		if s.now < faultsFor+5*time.Second {
			s.processes[s.rng.IntN(simProcesses)].take(s.rng.IntN(simShards))
			s.after(s.upTo(600), next)
		}
	}
	for range 2 {
		next()
	}
}

func (s *sim) append(m durable.Message) (uint64, error) {
	var last uint64
	for n := len(s.log) - 1; n >= 0 && s.log[n].seq >= s.first; n-- {
		if s.log[n].shard != m.Shard {
			continue
		}
		if s.log[n].id == m.ID {
			s.hit["repeated message known"]++
			return s.log[n].seq, nil
		}
		last = s.log[n].seq
		break
	}
	if last != m.Behind {
		s.hit["another came first"]++
		return 0, durable.ErrBehind
	}
	s.last++
	s.log = append(s.log, stored{s.last, m.Shard, m.ID, m.Data})
	return s.last, nil
}

var errUnknown = errors.New("no answer")

// send takes a message to the log and brings its answer back, or not.
func (s *sim) send(m durable.Message, answer func(uint64, error)) {
	cuts := s.cuts
	keep := func() (uint64, error) {
		if s.cuts != cuts { // who sent it is gone, and it with him
			return 0, errUnknown
		}
		return s.append(m)
	}
	there, back := s.upTo(60), s.upTo(60)
	there = max(there, s.stalled-s.now)
	switch {
	case s.chance("message lost on its way", 4):
		s.after(appendWaits, func() { answer(0, errUnknown) })
	case s.chance("acknowledgement lost", 6):
		s.after(there, func() { _, _ = keep() })
		s.after(appendWaits, func() { answer(0, errUnknown) })
	case there+back > appendWaits:
		s.hit["acknowledgement late"]++
		s.after(there, func() { _, _ = keep() })
		s.after(appendWaits, func() { answer(0, errUnknown) })
	default:
		s.after(there, func() {
			seq, err := keep()
			s.after(back, func() { answer(seq, err) })
		})
	}
}
