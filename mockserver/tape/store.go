package tape

import (
	"encoding/binary"
	"math"
	"math/bits"
	"sort"
)

const (
	minSegment = 4 << 10
	maxSegment = 256 << 10
)

// segments is a queue of bytes in blocks: written at the end, released at the
// front, blocks used again. Nothing in it points anywhere, so the garbage
// collector has one pointer a block to follow. An entry may run over into the
// next blocks.
type segments struct {
	list  [][]byte // list[:live] hold entries, oldest first; the rest are free
	live  int
	base  uint32 // the number of list[0]; the next block has the next number
	limit int    // the largest block to allocate, a power of two
	total int64  // the bytes allocated
}

// start returns where the next byte will be written.
func (s *segments) start() (seg, off uint32) {
	if s.room() == 0 {
		s.grow()
	}
	last := s.live - 1
	return s.base + uint32(last), uint32(len(s.list[last])) //nolint:gosec // G115: a block has at most 256 KiB, and block numbers may wrap
}

func (s *segments) room() int {
	if s.live == 0 {
		return 0
	}
	last := s.list[s.live-1]
	return cap(last) - len(last)
}

// grow opens a free block, or a new one of an eighth of what there is, so that
// a small tape stays small and a large one wastes little.
func (s *segments) grow() {
	if s.live == len(s.list) {
		size := minSegment
		for size < s.limit && int64(size)*16 <= s.total {
			size *= 2
		}
		s.list = append(s.list, make([]byte, 0, size))
		s.total += int64(size)
	}
	s.live++
}

func (s *segments) write(p []byte) {
	for len(p) > 0 {
		n := min(s.nextRoom(), len(p))
		t := &s.list[s.live-1]
		*t = append(*t, p[:n]...)
		p = p[n:]
	}
}

func (s *segments) nextRoom() int {
	n := s.room()
	if n == 0 {
		s.grow()
		n = s.room()
	}
	return n
}

// view returns the bytes of one entry: the block itself when they lie in one,
// else a fresh copy. They are valid until the next write or release.
func (s *segments) view(at slot) []byte {
	i := int(at.seg - s.base)
	first := s.list[i][at.off:]
	if uint64(len(first)) >= uint64(at.size) {
		return first[:at.size:at.size]
	}
	whole := make([]byte, 0, at.size)
	whole = append(whole, first...)
	for uint64(len(whole)) < uint64(at.size) {
		i++
		rest := int(at.size) - len(whole)
		whole = append(whole, s.list[i][:min(rest, len(s.list[i]))]...)
	}
	return whole
}

// release frees the blocks before the numbered one.
func (s *segments) release(until uint32) {
	n := int(until - s.base)
	if n > 0 {
		s.free(min(n, s.live))
	}
}

// free empties the first n blocks and puts them behind the others.
func (s *segments) free(n int) {
	for range n {
		first := s.list[0][:0]
		copy(s.list, s.list[1:s.live])
		s.live--
		s.list[s.live] = first
		s.base++
	}
}

// slot says where one entry lies. It has no pointers.
type slot struct {
	seq  uint64
	seg  uint32
	off  uint32
	size uint32
	kind Kind
}

// index is a ring of slots in the order of their numbers.
type index struct {
	ring []slot
	head int // the position of the oldest slot
	n    int
}

// at returns the i-th oldest slot.
func (x *index) at(i int) slot { return x.ring[(x.head+i)%len(x.ring)] }

// push adds the newest slot; the ring doubles up to limit slots.
func (x *index) push(s slot, limit int) {
	if x.n == len(x.ring) {
		x.resize(min(max(2*x.n, 16), limit))
	}
	x.ring[(x.head+x.n)%len(x.ring)] = s
	x.n++
}

func (x *index) resize(size int) {
	ring := make([]slot, size)
	n := copy(ring, x.ring[x.head:])
	copy(ring[n:], x.ring[:x.head])
	x.ring, x.head = ring, 0
}

// pop takes the oldest slot away.
func (x *index) pop() slot {
	s := x.ring[x.head]
	x.head = (x.head + 1) % len(x.ring)
	x.n--
	return s
}

// after returns how many of the oldest slots have a number up to since.
func (x *index) after(since uint64) int {
	return sort.Search(x.n, func(i int) bool { return x.at(i).seq > since })
}

// find returns which of the slots has this number, or -1.
func (x *index) find(seq uint64) int {
	if seq == 0 {
		return -1
	}
	i := x.after(seq - 1)
	if i == x.n || x.at(i).seq != seq {
		return -1
	}
	return i
}

// AppendTo writes the whole tape behind dst, for Load.
func (m *Memory) AppendTo(dst []byte) []byte {
	m.WriteTo(func(piece []byte) { dst = append(dst, piece...) })
	return dst
}

// WriteTo is AppendTo piece by piece; a piece is to's until it returns.
func (m *Memory) WriteTo(to func(piece []byte)) {
	var head []byte
	for _, n := range m.heads() {
		head = binary.AppendUvarint(head, n)
	}
	to(head)
	for n := range m.index.n {
		at := m.index.at(n)
		head = binary.AppendUvarint(append(head[:0], byte(at.kind)), at.seq)
		to(binary.AppendUvarint(head, uint64(at.size)))
		to(m.blocks.view(at))
	}
}

// Written is how many bytes WriteTo writes.
func (m *Memory) Written() (bytes int) {
	for _, n := range m.heads() {
		bytes += lengthOf(n)
	}
	for n := range m.index.n {
		at := m.index.at(n)
		bytes += 1 + lengthOf(at.seq) + lengthOf(uint64(at.size)) + int(at.size)
	}
	return bytes
}

// heads are the numbers before the entries.
func (m *Memory) heads() [5]uint64 {
	return [...]uint64{m.last, m.dropped, m.lost.From, m.lost.To, uint64(m.index.n)} //nolint:gosec // G115: a length
}

// lengthOf is how many bytes a number takes.
func lengthOf(n uint64) int { return (max(bits.Len64(n), 1) + 6) / 7 }

// Load makes the tape what AppendTo has written elsewhere. What its own bounds do not
// let it keep is dropped, oldest first. The error wraps ErrEncoding; the tape is
// then empty.
func (m *Memory) Load(b []byte) error {
	m.Reset()
	c := cursor{raw: b}
	last, dropped, lost := c.next(), c.next(), Gap{From: c.next(), To: c.next()}
	n := c.next()
	m.dropped, m.lost = dropped, lost
	for ; n > 0 && !c.bad; n-- {
		kind := Kind(c.next()) //nolint:gosec // G115: Valid says what is none
		seq, raw := c.next(), c.piece()
		if c.bad = c.bad || seq <= m.last || !kind.Valid() || int64(len(raw)) > min(m.limits.Bytes, math.MaxUint32); !c.bad {
			m.put(seq, kind, raw)
		}
	}
	if c.bad || c.pos != len(c.raw) || last < m.last {
		m.Reset()
		return ErrEncoding
	}
	m.last = last
	return nil
}

// put appends an entry that is encoded already.
func (m *Memory) put(seq uint64, kind Kind, raw []byte) {
	m.makeRoom(int64(len(raw)))
	seg, off := m.blocks.start()
	m.blocks.write(raw)
	m.index.push(slot{seq: seq, seg: seg, off: off, size: uint32(len(raw)), kind: kind}, m.limits.Entries) //nolint:gosec // G115: Load has checked
	m.bytes += int64(len(raw))
	m.last = seq
	label, _ := m.label(m.index.n - 1)
	m.labelled = m.labelled || len(label) > 0
}

// Within gives a tape of the same entries within other bounds, which draws from no
// budget; the oldest are dropped as far as the bounds ask.
func (m *Memory) Within(l Limits) *Memory {
	within := m.Until(m.last, l)
	within.last = m.last
	return within
}

// Until is Within of the entries up to one.
func (m *Memory) Until(seq uint64, l Limits) *Memory {
	l.Budget = nil
	within := New(l)
	within.dropped, within.lost = m.dropped, m.lost
	for n := range m.index.after(seq) {
		at := m.index.at(n)
		if int64(at.size) > within.limits.Bytes {
			within.skip(at)
			continue
		}
		within.put(at.seq, at.kind, m.blocks.view(at))
	}
	return within
}

// skip drops an entry that is too large, and with it all before it.
func (m *Memory) skip(at slot) {
	for m.index.n > 0 {
		m.dropOldest()
	}
	m.dropped++
	m.lost.To = at.seq
	if m.lost.From == 0 {
		m.lost.From = at.seq
	}
}

// Draw makes the tape draw from another budget what it holds and what is to come.
func (m *Memory) Draw(b Budget) {
	m.limits.Budget.Give(m.bytes)
	m.limits.Budget = b
	b.Force(m.bytes)
}
