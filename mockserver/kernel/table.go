package kernel

import (
	"fmt"
	"hash/maphash"
	"iter"
	"maps"
	"slices"

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

// Chain puts row n behind the others of one owner. first and last are the ends of the
// owner's chain, 0 when it is empty; next gives where a row names the one behind it.
func Chain(first, last *uint32, n uint32, next func(row uint32) *uint32) {
	if *last == 0 {
		*first = n
	} else {
		*next(*last) = n
	}
	*last = n
}

// Find gives the row with the id and its number, or nil and 0.
func (t *Table[T]) Find(id uuid.UUID) (*T, uint32) {
	n := t.index[id]
	if n == 0 {
		return nil, 0
	}
	return t.At(n), n
}

// Lookup finds a row by an id as a caller gave it. Errors: NotFound, which names what
// was looked for.
func (t *Table[T]) Lookup(what, id string) (*T, uint32, error) {
	if key, ok := ParseID(id); ok {
		if row, n := t.Find(key); n != 0 {
			return row, n, nil
		}
	}
	return nil, 0, NoSuch(what, id)
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

// PackTable writes or reads a table. id gives the id of a row; nil for rows that
// nobody looks up by id.
func PackTable[T any, P interface {
	*T
	Packable
}](k *Codec, t *Table[T], id func(*T) uuid.UUID) {
	n := uint64(t.n)
	if k.reading {
		*t = Table[T]{}
		n = uint64(k.length(1)) //nolint:gosec // G115: a length
	} else {
		k.Num(&n)
	}
	if k.reading && n > 0 && id != nil {
		t.index = make(map[uuid.UUID]uint32, n)
	}
	var row T
	for i := range uint32(n) { //nolint:gosec // G115: a table has fewer rows than 2^32.
		k.row = i + 1
		if !k.reading {
			P(t.At(i + 1)).Pack(k)
			continue
		}
		p := t.Push(row)
		P(p).Pack(k)
		if !k.Sound() {
			return
		}
		if id != nil {
			t.index[id(p)] = t.n
		}
	}
	k.row = 0
	k.Require(id == nil || len(t.index) == int(t.n), "ids that differ")
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

// Pack writes or reads which of the rows are known by a text, in the order in which
// they became so: for texts that are alike the newest is found first. key gives the
// text of a row.
func (x *TextIndex) Pack(k *Codec, rows uint32, key func(n uint32) string) {
	chains := x.chains(k.reading)
	PackEach(k, &chains, 1, func(chain *[]uint32) { PackNums(k, chain) })
	if !k.reading {
		return
	}
	*x = TextIndex{}
	known := make([]bool, rows+1)
	for _, chain := range chains {
		for _, n := range slices.Backward(chain) {
			if n == 0 || n > rows || known[n] {
				k.Refuse("a row that is there, once", fmt.Sprint(n))
				return
			}
			known[n] = true
			x.Put(key(n), n)
		}
	}
}

// chains are the rows by their texts, the newest of each first.
func (x *TextIndex) chains(none bool) [][]uint32 {
	if none {
		return nil
	}
	chains := make([][]uint32, 0, len(x.heads))
	for _, head := range slices.Sorted(maps.Values(x.heads)) {
		chain := []uint32{head}
		for n := head; int(n) < len(x.next) && x.next[n] != 0; n = x.next[n] {
			chain = append(chain, x.next[n])
		}
		chains = append(chains, chain)
	}
	return chains
}

// maxRowKinds is how many tables rows may refer to.
const maxRowKinds = 32

// Rows writes or reads numbers of rows of one kind, 0 for none. Bound says later how
// many there are.
func (k *Codec) Rows(kind int, fields ...*uint32) {
	for _, n := range fields {
		packNum(k, n, 1<<32-1)
		k.rows[kind] = max(k.rows[kind], *n)
	}
}

// Later is Rows for a row that comes behind the one in hand in its chain, and so was
// made later. A chain that is read has an end.
func (k *Codec) Later(kind int, n *uint32) {
	k.Rows(kind, n)
	k.Require(*n == 0 || *n > k.row || !k.whole, "a later row")
}

// Earlier is Later for a chain that begins with the newest.
func (k *Codec) Earlier(kind int, n *uint32) {
	k.Rows(kind, n)
	k.Require(*n < k.row || *n == 0 || !k.whole, "an earlier row")
}

// Bound refuses numbers of rows that are not there.
func (k *Codec) Bound(kind int, rows uint32) {
	k.Require(k.rows[kind] <= rows, "the number of a row that is there")
}

// PackList writes or reads a list of values.
func PackList[T any, P interface {
	*T
	Packable
}](k *Codec, list *[]T) {
	PackEach(k, list, 1, func(v *T) { P(v).Pack(k) })
}

// PackEach writes or reads a list, each of at least so many bytes, by a function.
func PackEach[T any](k *Codec, list *[]T, each int, pack func(*T)) {
	n := uint64(len(*list))
	if !k.reading {
		k.Num(&n)
	} else if *list = nil; true {
		if n := k.length(each); n > 0 {
			*list = make([]T, n)
		}
	}
	for i := range *list {
		pack(&(*list)[i])
	}
}

// PackMap writes or reads a map in the order of its keys.
func PackMap[K comparable, V any](k *Codec, m *map[K]V, order func(a, b K) int, pack func(*K, *V)) {
	var keys []K
	if !k.reading {
		keys = slices.SortedFunc(maps.Keys(*m), order)
	} else {
		*m = nil
	}
	last := -1
	var before K
	PackEach(k, &keys, 1, func(key *K) {
		var v V
		if !k.reading {
			v = (*m)[*key]
		}
		pack(key, &v)
		if last++; k.reading && k.Sound() {
			k.Require(last == 0 || order(before, *key) < 0, "keys in order")
			before = *key
			if *m == nil {
				*m = make(map[K]V, len(keys))
			}
			(*m)[*key] = v
		}
	})
}

// PackNums writes or reads a list of numbers of 32 bits.
func PackNums(k *Codec, list *[]uint32) { PackEach(k, list, 1, func(n *uint32) { k.Num32s(n) }) }
