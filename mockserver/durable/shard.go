package durable

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"paysandbox/mockserver/durable/compare"
)

// Machine is what inputs are applied to.
type Machine interface {
	// Apply applies an input by the rules of an engine and gives what it asks of the
	// outside. mine is what the input was offered with, nil when another process has
	// taken it or this is a restart.
	Apply(in *Input, engine uint64, mine any) Asked
	// Skip leaves an input that was applied before, or answers what was answered.
	Skip(in *Input, mine any)
	// Carry carries an effect out. Its answer is offered as an input that Answers it.
	Carry(effect string)
	// Stand hashes what inputs of a shard have changed since it was asked last, and what is asked
	// for, part by part: every process must come to the same.
	Stand(shard int, asked []string) []compare.Part
}

// Asked is what an input asks of the outside.
type Asked struct {
	// Effects are to be carried out, by name.
	Effects []string
	// Voids, when not empty, begins the names of the effects that were asked for before and
	// that nobody calls for any more: what comes back of them is left.
	Voids string
}

// The errors of a shard that can apply no more.
var (
	// ErrBroken says that the log is not as it was written: something in its middle
	// was lost, doubled or changed.
	ErrBroken = errors.New("the log is broken")
	// ErrNewer says that a newer engine applies from here on.
	ErrNewer = errors.New("the log is applied by a newer paysandbox from here on: start that one")
)

// Position is a place in a shard of the log.
type Position struct {
	// Seq is the log's number of the shard's batch that was read last; 0 for none.
	Seq uint64
	// Digest is that batch's digest.
	Digest Digest
}

// Message is a batch that is to be appended.
type Message struct {
	Shard int
	// Behind is the number of the shard's batch that must be the last.
	Behind uint64
	// Inputs is how many are in it.
	Inputs int
	// ID tells the message from others, for a log that knows what it has taken.
	ID   string
	Data []byte
}

// Shard is what one process knows of one shard of the log. It does nothing by
// itself and has no lock: who holds it calls in turn what it needs.
type Shard struct {
	number  int
	self    uuid.UUID
	machine Machine

	at      Position
	engine  uint64
	seen    recent
	duties  Duties
	pending []offered
	// sent are the inputs of the message whose outcome is awaited.
	sent    []offered
	turns   turns
	message Message
	digest  Digest
	broken  error
	late    uint64
	fresh   int64
	// marked says that a batch is to be appended, even an empty one.
	marked  bool
	carries bool
	// supports is the newest engine that this process has.
	supports uint64
	// asked says that this one has proposed a newer engine.
	asked bool
	// proposed are the processes whose effects this one has asked to take over.
	proposed map[uuid.UUID]bool
	compared
}

// NewShard makes a shard before its first batch, for a process that has every engine
// up to supports. Effects are carried out from Begin on: what a log holds from before
// is applied without.
func NewShard(number int, self uuid.UUID, supports uint64, m Machine) *Shard {
	return &Shard{number: number, self: self, machine: m, engine: 1, supports: supports}
}

// At is where the shard has read to.
func (s *Shard) At() Position { return s.at }

// Err is why the shard applies no more, or nil.
func (s *Shard) Err() error { return s.broken }

// Late counts the answers that came when their effect had been answered already.
func (s *Shard) Late() uint64 { return s.late }

// Fresh counts the inputs that have been read since it was asked last.
func (s *Shard) Fresh() int64 {
	n := s.fresh
	s.fresh = 0
	return n
}

// Duties are the effects that nobody has answered yet.
func (s *Shard) Duties() *Duties { return &s.duties }

// Offer takes an input in, to leave with the next batch. mine is handed to the
// machine when the input is applied.
func (s *Shard) Offer(in Input, mine any) { s.pending = append(s.pending, offered{in, mine}) }

// Waiting is how many inputs have been offered and not been sent.
func (s *Shard) Waiting() int { return len(s.pending) }

// Mark has the shard's next batch appended, even if nothing is offered: the log is to be
// cut behind its last one.
func (s *Shard) Mark() { s.marked = true }

// Next gives the message that is to be appended: the one whose outcome is unknown
// again, or one of what was offered; false when there is none.
func (s *Shard) Next() (Message, bool) {
	if s.sent != nil {
		return s.message, true
	}
	if len(s.pending) == 0 && !s.marked || s.broken != nil {
		return Message{}, false
	}
	n, size := 0, 0
	for n < len(s.pending) && n < MaxBatchInputs && (n == 0 || size+len(s.pending[n].in.Data) <= MaxBatchBytes) {
		size += len(s.pending[n].in.Data)
		n++
	}
	b := Batch{Shard: s.number, Engine: s.engine, Before: s.at.Digest, By: s.self, Inputs: make([]Input, n)}
	for k := range n {
		b.Inputs[k] = s.pending[k].in
	}
	s.sent, s.pending = s.pending[:n:n], s.pending[n:]
	if n == 0 {
		s.sent = []offered{}
	}
	data := b.Encode()
	s.digest = sha256.Sum256(data)
	s.message = Message{Shard: s.number, Behind: s.at.Seq, Inputs: n, ID: hex.EncodeToString(s.digest[:16]), Data: data}
	return s.message, true
}

// Appended takes the outcome of appending a message that Next has given.
func (s *Shard) Appended(m Message, seq uint64, err error) Then {
	switch {
	case s.sent == nil || m.ID != s.message.ID: // it was met while the shard was being read
	case err == nil:
		_ = s.Receive(seq, s.message.Data)
	case errors.Is(err, ErrBehind):
		return ReadOn
	default:
		return WaitAndRead
	}
	if s.broken != nil {
		return Stop
	}
	return GoOn
}

// ReadTo says that all was read up to the number of the shard's last message. When that
// lies before what was read once, the log has lost its end.
func (s *Shard) ReadTo(last uint64) error {
	if s.broken == nil && last < s.at.Seq {
		s.broken = fmt.Errorf("shard %d: %w: it does not hold message %d any more, which was there", s.number, ErrBroken, s.at.Seq)
	}
	return s.broken
}

// Misses says whether a batch does not follow the one that was read last: others came
// between, or the log is broken.
func (s *Shard) Misses(seq uint64, data []byte) bool {
	b, err := Decode(data)
	return seq > s.at.Seq && err == nil && b.Shard == s.number && b.Before != s.at.Digest
}

// Receive takes a batch that the log holds, in the log's order: one that was read
// before is left, any other must follow the one before it. A message of ours that
// it has come before can never be taken any more, and is made anew.
func (s *Shard) Receive(seq uint64, data []byte) error {
	if s.broken != nil {
		return s.broken
	}
	if seq <= s.at.Seq {
		return nil
	}
	b, err := s.follows(data)
	if err != nil {
		s.broken = fmt.Errorf("shard %d, message %d: %w", s.number, seq, err)
		return s.broken
	}
	s.tell(seq, &b)
	digest := Digest(sha256.Sum256(data))
	var mine []offered
	switch {
	case s.sent == nil:
	case digest == s.digest:
		mine = s.sent
		s.sent, s.message = nil, Message{}
		defer clear(mine) // what is behind it in the same list lives on
	default:
		s.pending = append(s.sent, s.pending...)
		s.sent = nil
	}
	s.at, s.marked = Position{seq, digest}, false
	s.fresh += int64(len(b.Inputs))
	s.turns.took(b.By)
	var effects []string
	for n := range b.Inputs {
		var of any
		if mine != nil {
			of = mine[n].mine
		}
		effects = append(effects, s.apply(&b.Inputs[n], b.By, of)...)
	}
	s.carry(effects, b.By)
	return s.broken
}

// follows reads a batch and checks that it is the next.
func (s *Shard) follows(data []byte) (Batch, error) {
	b, err := Decode(data)
	switch {
	case errors.Is(err, ErrFormat) || errors.Is(err, ErrOlder):
		return b, err
	case err != nil:
		return b, fmt.Errorf("%w: %w", ErrBroken, err)
	case b.Shard != s.number:
		return b, fmt.Errorf("%w: the batch belongs to shard %d", ErrBroken, b.Shard)
	case b.Before != s.at.Digest:
		return b, fmt.Errorf("%w: the batch follows %x, but the last one was %x (message %d)", ErrBroken, b.Before[:6], s.at.Digest[:6], s.at.Seq)
	case b.Engine != s.engine:
		return b, fmt.Errorf("%w: the batch was made for engine %d, but engine %d applies", ErrBroken, b.Engine, s.engine)
	}
	return b, nil
}

// apply takes one input of a batch, and gives the effects that are its taker's from
// now on. One that was applied before is left.
func (s *Shard) apply(in *Input, by uuid.UUID, mine any) (effects []string) {
	if s.broken != nil || !s.seen.add(in.ID) {
		s.machine.Skip(in, mine)
		return nil
	}
	switch in.Kind {
	case Takeover:
		if from, err := uuid.FromBytes(in.Data); err == nil {
			delete(s.proposed, from)
			effects = s.duties.takeOver(from, by)
		}
	case Upgrade:
		s.upgrade(in, by)
	default:
		if in.Answers != "" && !s.duties.answer(in.Answers) {
			s.late++
			s.machine.Skip(in, mine)
			return nil
		}
		asked := s.machine.Apply(in, s.engine, mine)
		s.duties.void(asked.Voids)
		effects = asked.Effects
		for _, e := range effects {
			s.duties.add(Duty{Effect: e, Owner: by})
		}
	}
	return effects
}

// carry lets the effects of a batch go that are this process's, unless the batch has
// answered them, too.
func (s *Shard) carry(effects []string, by uuid.UUID) {
	if by != s.self || !s.carries {
		return
	}
	for _, e := range effects {
		if _, owed := s.duties.all[e]; owed {
			s.machine.Carry(e)
		}
	}
}
