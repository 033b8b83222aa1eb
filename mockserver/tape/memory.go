package tape

import (
	"fmt"
	"iter"
	"math"
)

// The bounds of a tape whose Limits say nothing.
const (
	// DefaultEntries is how many entries a tape keeps.
	DefaultEntries = 20_000
	// DefaultBytes is how many bytes of encoded entries a tape keeps.
	DefaultBytes = 64 << 20
	// MinBytes is the least byte bound; smaller ones are raised to it, so that
	// the bare fact of an entry always finds room.
	MinBytes = 4 << 10
)

// Limits bounds a tape. Values of 0 or less mean the defaults.
type Limits struct {
	// Entries is the largest number of entries kept.
	Entries int
	// Bytes is the largest number of bytes that the kept entries take together,
	// encoded; at least MinBytes. What a tape really holds in memory
	// ([Memory.Allocated]) is at most two blocks (of 256 KiB, or of a sixteenth
	// of Bytes when that is less, but 4 KiB at least) and 24 bytes an entry more.
	Bytes int64
	// Budget is what the bytes are drawn from besides; nil draws from nothing.
	Budget Budget
}

// Budget is shared by many tapes. A tape that finds it empty drops its own oldest
// entries. It is safe for concurrent use.
type Budget interface {
	// Take draws bytes and says whether they were there; if not, nothing is drawn.
	Take(n int64) bool
	// Force draws bytes although they may not be there.
	Force(n int64)
	// Give puts bytes back.
	Give(n int64)
}

// unbounded is the budget of a tape that shares none.
type unbounded struct{}

func (unbounded) Take(int64) bool { return true }
func (unbounded) Force(int64)     {}
func (unbounded) Give(int64)      {}

// Memory is a bounded tape in memory. It is NOT safe for concurrent use: the
// integration holds its own lock around every call. The function given to a
// scan must not change the tape.
type Memory struct {
	limits  Limits
	index   index
	blocks  segments
	codec   codec
	bytes   int64
	last    uint64 // the newest number, kept or not
	dropped uint64
	lost    Gap
	// labelled is true once an entry with a label was put on the tape.
	labelled bool
}

// New returns an empty tape. It takes its memory as entries come.
func New(l Limits) *Memory {
	if l.Entries <= 0 {
		l.Entries = DefaultEntries
	}
	if l.Bytes <= 0 {
		l.Bytes = DefaultBytes
	}
	l.Bytes = max(l.Bytes, MinBytes)
	if l.Budget == nil {
		l.Budget = unbounded{}
	}
	m := &Memory{limits: l}
	m.Reset()
	return m
}

// Reset forgets everything, also what was dropped, and gives the memory back.
// Numbers may start from 1 again.
func (m *Memory) Reset() {
	limit := minSegment
	for limit < maxSegment && int64(limit)*32 <= m.limits.Bytes {
		limit *= 2
	}
	m.limits.Budget.Give(m.bytes)
	*m = Memory{limits: m.limits, blocks: segments{limit: limit}}
}

// Append puts an entry at the end and copies everything out of it, so that the
// caller may use its memory again. Old entries are dropped first as far as the
// bounds ask. An entry that alone is larger than the byte bound is kept as a
// stub: without body, and with Omitted saying how many bytes it would have
// taken; so the fact itself is never lost. The error wraps ErrSeq, ErrCause,
// ErrKind or ErrBody; the tape is then unchanged.
func (m *Memory) Append(e *Entry) error {
	if err := e.Validate(); err != nil {
		return fmt.Errorf("append to tape: %w", err)
	}
	if e.Seq <= m.last {
		return fmt.Errorf("append to tape: entry %d after entry %d: %w", e.Seq, m.last, ErrSeq)
	}
	m.codec.write(e)
	defer m.codec.done()
	size := m.codec.size()
	if size > min(m.limits.Bytes, math.MaxUint32) {
		return m.Append(stub(e, size))
	}
	m.makeRoom(size)
	seg, off := m.blocks.start()
	m.codec.lay(&m.blocks)
	m.index.push(slot{seq: e.Seq, seg: seg, off: off, size: uint32(size), kind: e.Kind}, m.limits.Entries) //nolint:gosec // G115: checked above
	m.bytes += size
	m.last = e.Seq
	m.labelled = m.labelled || e.Label != ""
	return nil
}

// stub is what is kept of an entry that is too large: its head and, when it is
// short, its main entity.
func stub(e *Entry, size int64) *Entry {
	const longest = 256
	s := &Entry{Seq: e.Seq, Cause: e.Cause, At: e.At, Kind: e.Kind, Omitted: size}
	if len(e.Entities) > 0 && len(e.Entities[0]) <= longest {
		s.Entities = e.Entities[:1]
	}
	return s
}

// makeRoom drops the oldest entries until one of size more bytes fits, and draws
// its bytes from the budget.
func (m *Memory) makeRoom(size int64) {
	for m.index.n > 0 && (m.index.n >= m.limits.Entries || m.bytes+size > m.limits.Bytes) {
		m.dropOldest()
	}
	for !m.limits.Budget.Take(size) {
		if m.index.n == 0 {
			m.limits.Budget.Force(size)
			break
		}
		m.dropOldest()
	}
	if m.index.n == 0 {
		m.blocks.free(m.blocks.live)
		return
	}
	m.blocks.release(m.index.at(0).seg)
}

func (m *Memory) dropOldest() {
	old := m.index.pop()
	m.bytes -= int64(old.size)
	m.limits.Budget.Give(int64(old.size))
	m.dropped++
	m.lost.To = old.seq
	if m.lost.From == 0 {
		m.lost.From = old.seq
	}
}

// Limits are the bounds of the tape.
func (m *Memory) Limits() Limits { return m.limits }

// Len is the number of entries kept.
func (m *Memory) Len() int { return m.index.n }

// Bytes is the number of bytes that the kept entries take, encoded.
func (m *Memory) Bytes() int64 { return m.bytes }

// Allocated is the number of bytes of memory that the tape holds for entries,
// the room for more included.
func (m *Memory) Allocated() int64 {
	const slotSize = 24
	return m.blocks.total + int64(len(m.index.ring))*slotSize
}

// First is the number of the oldest entry kept; 0 when there is none.
func (m *Memory) First() uint64 {
	if m.index.n == 0 {
		return 0
	}
	return m.index.at(0).seq
}

// Last is the number of the newest entry; 0 when there is none.
func (m *Memory) Last() uint64 { return m.last }

// Dropped counts the entries that were dropped since the last Reset.
func (m *Memory) Dropped() uint64 { return m.dropped }

// Get returns the entry with this number, and whether it is kept. When it is
// not, m.Gap(seq-1).Has(seq) tells whether it may have been dropped.
func (m *Memory) Get(seq uint64) (Entry, bool) {
	i := m.index.find(seq)
	if i < 0 {
		return Entry{}, false
	}
	return m.decode(m.index.at(i)), true
}

// Label is the label of the entry with this number; empty where it has none or is
// not kept.
func (m *Memory) Label(seq uint64) string {
	if !m.labelled {
		return ""
	}
	i := m.index.find(seq)
	if i < 0 {
		return ""
	}
	label, _ := m.label(i)
	return string(label)
}

// Heads goes over the numbers, causes and kinds of the entries after since, oldest
// first, until fn says stop.
func (m *Memory) Heads(since uint64, fn func(seq, cause uint64, k Kind) bool) {
	for i := m.index.after(since); i < m.index.n; i++ {
		c := codec{pass: reading, cursor: cursor{raw: m.blocks.view(m.index.at(i))}}
		c.narrow()
		var e Entry
		if c.head(&e); !fn(e.Seq, e.Cause, e.Kind) {
			return
		}
	}
}

// LabelAbout is the label of the newest entry about an entity that has one; empty
// where none is kept.
func (m *Memory) LabelAbout(entity string) string {
	about := map[string]string{entity: ""}
	m.LabelsAbout(about)
	return about[entity]
}

// LabelsAbout gives each entity that is named, and has none yet, the label of
// [Memory.LabelAbout].
func (m *Memory) LabelsAbout(about map[string]string) {
	left := len(about)
	for i := m.index.n - 1; m.labelled && left > 0 && i >= 0; i-- {
		label, rest := m.label(i)
		if len(label) == 0 {
			continue
		}
		for range rest.count(1) {
			id := string(rest.piece())
			if known, asked := about[id]; asked && known == "" {
				about[id] = string(label)
				left--
			}
		}
	}
}

// label reads the label of the i-th oldest entry; the cursor stands behind it.
func (m *Memory) label(i int) ([]byte, *codec) {
	c := &codec{pass: reading, cursor: cursor{raw: m.blocks.view(m.index.at(i))}}
	c.narrow()
	var e Entry
	c.head(&e)
	return c.piece(), c
}

// decode reads an entry back. What Append wrote can always be read; were it
// not so, the fact would still be told, without its body.
func (m *Memory) decode(at slot) Entry { return decodeSlot(at, m.blocks.view(at)) }

func decodeSlot(at slot, raw []byte) Entry {
	e, err := decodeEntry(raw)
	if err != nil {
		return Entry{Seq: at.seq, Kind: at.kind, Omitted: int64(at.size)}
	}
	return e
}

// All returns the entries after since that pass the filter, oldest first. Ask
// [Memory.Gap] for what was dropped.
func (m *Memory) All(since uint64, f Filter) iter.Seq[Entry] {
	return func(yield func(Entry) bool) { m.Scan(since, f, yield) }
}
