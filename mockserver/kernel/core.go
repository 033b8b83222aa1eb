package kernel

import (
	"time"

	"github.com/google/uuid"
)

// Core is what is the same for every deterministic machine: its present, what
// it waits for, what it has done and why, and where its chances come from. It
// is not safe for concurrent use.
type Core struct {
	strict     bool
	timerNames []string

	now        int64
	seq, cause uint64
	timers     timers
	random     random

	advisories []Finding
	records    []Record
	effects    []Effect
}

// CoreConfig is what a Core is made from.
type CoreConfig struct {
	// Seed decides every id and every draw.
	Seed uint64
	// Secret decides what nobody may guess; empty: the seed does.
	Secret []byte
	// Strict turns advisory findings into refusals.
	Strict bool
	// TimerNames are the names of the timers on the tape, by their kinds.
	TimerNames []string
}

// NewCore makes a Core at the beginning of time.
func NewCore(cfg CoreConfig) Core {
	return Core{strict: cfg.Strict, timerNames: cfg.TimerNames, random: newRandom(cfg.Seed, cfg.Secret)}
}

// Reseal lets all that is drawn from now on follow from a secret; an empty one changes
// nothing.
func (c *Core) Reseal(seed uint64, secret []byte) {
	if len(secret) > 0 {
		fresh := newRandom(seed, secret)
		c.random.seed, c.random.secret = fresh.seed, fresh.secret
	}
}

// Pack lists what lasts from input to input. Whoever decodes a core gives it its
// strictness and the names of its timers.
func (c *Core) Pack(k *Codec) {
	k.Ints(&c.now)
	k.Num(&c.seq)
	k.Num(&c.cause)
	c.timers.Pack(k)
	c.random.Pack(k)
	for i := range c.timers.heap {
		kind := int(c.timers.heap[i].Kind)
		k.Require(kind > 0 && kind < len(c.timerNames), "a kind of timer that there is")
	}
}

// Timers goes through the timers that are set, in no order that means anything.
func (c *Core) Timers(yield func(Timer) bool) {
	for _, t := range c.timers.heap {
		if !yield(t) {
			return
		}
	}
}

// Now is the virtual time of the input or timer in hand, in nanoseconds since
// 1970 UTC.
func (c *Core) Now() int64 { return c.now }

// Seq is the number of the newest entry that has been given out.
func (c *Core) Seq() uint64 { return c.seq }

// Begin takes the next input, once the timers that are due before it have fired,
// and gives its number, which is the cause of all that follows. The digest tells
// it from other inputs.
func (c *Core) Begin(input Digest) uint64 {
	c.random.begin(input, false)
	c.seq++
	c.cause = c.seq
	c.advisories = c.advisories[:0]
	return c.seq
}

// Record numbers and keeps a consequence of the input in hand.
func (c *Core) Record(r Record) uint64 {
	c.seq++
	r.Seq, r.Cause, r.At = c.seq, c.cause, c.now
	c.records = append(c.records, r)
	return r.Seq
}

// Effect asks the outside for something.
func (c *Core) Effect(e Effect) {
	e.Cause = c.cause
	c.effects = append(c.effects, e)
}

// Take hands over what has happened since the last call. Both slices are valid
// until the next input.
func (c *Core) Take() ([]Record, []Effect) {
	r, e := c.records, c.effects
	c.records, c.effects = c.records[:0], c.effects[:0]
	return r, e
}

// Advisories are the findings of the input in hand that did not refuse it. The
// slice is valid until the next input.
func (c *Core) Advisories() []Finding { return c.advisories }

// Transition is the only writer of a status. It refuses what the table does not
// list, and records what it does with its cause.
func (c *Core) Transition(m *Machine, id uuid.UUID, s *State, event, reason string) (Move, error) {
	mv, ok := m.Find(*s, event)
	if !ok {
		return Move{}, m.Refusal(id, *s, event)
	}
	c.Record(Record{
		Kind: RecordTransition, Entity: id, Machine: m.Name, Event: event,
		From: m.States[mv.From], To: m.States[mv.To], Reason: reason,
	})
	*s = mv.To
	return mv, nil
}

// Schedule sets a timer for the entity at a virtual time.
func (c *Core) Schedule(kind TimerKind, due time.Time, id uuid.UUID, arg int64) {
	c.timers.push(Timer{Due: max(due.UnixNano(), c.now), cause: c.cause, Arg: arg, ID: id, Kind: kind})
}

// NextDue is when the next timer fires, in nanoseconds since 1970 UTC; false
// when none is set.
func (c *Core) NextDue() (int64, bool) {
	if len(c.timers.heap) == 0 {
		return 0, false
	}
	return c.timers.heap[0].Due, true
}

// Next lists the timers that fire first, in order.
func (c *Core) Next(limit int) []Timer { return c.timers.first(limit) }

// PendingTimers is how many timers are set.
func (c *Core) PendingTimers() int { return len(c.timers.heap) }

// Advance fires every timer that is due up to a virtual time, in order, each at
// its own due time, and then makes that time the present. A time that lies
// behind changes nothing. fire says whether a timer still meant anything.
func (c *Core) Advance(to int64, fire func(Timer) bool) {
	for len(c.timers.heap) > 0 && c.timers.heap[0].Due <= to {
		c.FireNext(fire)
	}
	c.now = max(c.now, to)
}

// FireNext fires the one timer that is next. A timer whose reason has gone (what
// it was set for was cancelled, say) leaves no trace.
func (c *Core) FireNext(fire func(Timer) bool) {
	t := c.timers.pop()
	c.now = max(c.now, t.Due)
	c.cause = t.cause
	c.random.begin(t.digest(), true)
	seq, mark := c.seq, len(c.records)
	c.cause = c.Record(Record{Kind: RecordTimer, Entity: t.ID, Name: c.timerNames[t.Kind], Due: t.Due})
	if !fire(t) {
		c.seq, c.records = seq, c.records[:mark]
	}
}
