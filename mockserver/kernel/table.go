package kernel

import (
	"hash/maphash"
	"iter"

	"github.com/google/uuid"
)

const (
	tableShift = 9
	tableChunk = 1 << tableShift
)

// Table keeps rows in the order of their creation, numbered from 1 so that 0 can mean none, in chunks that never move,
// and finds them by id. A row holds no pointers and is never removed.
type Table[T any] struct {
	chunks [][]T
	n      uint32
	index  map[uuid.UUID]uint32
}

// Add keeps a row under its id and gives its number, counted from 1.
func (t *Table[T]) Add(id uuid.UUID, row T) (*T, uint32) {
	if t.index == nil {
		t.index = map[uuid.UUID]uint32{}
	}
	p := t.Push(row)
	t.index[id] = t.n
	return p, t.n
}

// Push keeps a row that nobody looks up by id.
func (t *Table[T]) Push(row T) *T {
	at := int(t.n >> tableShift)
	if at == len(t.chunks) {
		t.chunks = append(t.chunks, nil)
	}
	if c := t.chunks[at]; len(c) == cap(c) { // only the first chunk grows
		size := tableChunk
		if at == 0 {
			size = min(tableChunk, max(4, 2*len(c)))
		}
		t.chunks[at] = append(make([]T, 0, size), c...)
	}
	t.chunks[at] = append(t.chunks[at], row)
	t.n++
	return &t.chunks[at][(t.n-1)&(tableChunk-1)]
}

// At gives the row with the number n, counted from 1. The pointer is good until
// the next row is added.
func (t *Table[T]) At(n uint32) *T { return &t.chunks[(n-1)>>tableShift][(n-1)&(tableChunk-1)] }

// Find gives the row with the id and its number, or nil and 0.
func (t *Table[T]) Find(id uuid.UUID) (*T, uint32) {
	n := t.index[id]
	if n == 0 {
		return nil, 0
	}
	return t.At(n), n
}

// Len is how many rows there are, which is the number of the newest one.
func (t *Table[T]) Len() uint32 { return t.n }

// All walks the rows in the order of their creation, with their numbers.
func (t *Table[T]) All() iter.Seq2[uint32, *T] {
	return func(yield func(uint32, *T) bool) {
		for n := uint32(1); n <= t.n; n++ {
			if !yield(n, t.At(n)) {
				return
			}
		}
	}
}

// textSeed hashes texts for look-up only; nothing that leaves the world depends
// on it.
var textSeed = maphash.MakeSeed()

// TextIndex finds row numbers by a text without holding the text: rows of the
// same hash are chained through next, and the caller compares.
type TextIndex struct {
	heads map[uint64]uint32
	next  []uint32 // by row number, kept only where two texts share a hash
}

// Put notes that row n is known by key.
func (x *TextIndex) Put(key string, n uint32) {
	if x.heads == nil {
		x.heads = map[uint64]uint32{}
	}
	h := maphash.String(textSeed, key)
	if head := x.heads[h]; head != 0 {
		for uint32(len(x.next)) <= n { //nolint:gosec // G115: shorter than the table.
			x.next = append(x.next, 0)
		}
		x.next[n] = head
	}
	x.heads[h] = n
}

// Find gives the newest row known by key for which same says yes, or 0.
func (x *TextIndex) Find(key string, same func(n uint32) bool) uint32 {
	n := x.heads[maphash.String(textSeed, key)]
	for n != 0 && !same(n) {
		if int(n) >= len(x.next) {
			return 0
		}
		n = x.next[n]
	}
	return n
}
