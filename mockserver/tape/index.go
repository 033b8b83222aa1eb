package tape

import "sort"

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
