package world

import "encoding/binary"

// arenaChunk is the size of a full chunk; the first ones are smaller so that an
// empty world stays light.
const arenaChunk = 256 << 10

// arena keeps texts in large chunks without pointers. Texts are never changed
// or freed; a reset makes a new world.
type arena struct{ chunks [][]byte }

// text is where a kept text lies; the zero value is the empty text.
type text struct{ chunk, off, n uint32 }

// keep copies b into the arena.
func (a *arena) keep(b []byte) text {
	if len(b) == 0 {
		return text{}
	}
	last := len(a.chunks) - 1
	if last < 0 || cap(a.chunks[last])-len(a.chunks[last]) < len(b) {
		a.chunks = append(a.chunks, make([]byte, 0, max(len(b), a.nextSize())))
		last++
	}
	off := len(a.chunks[last])
	a.chunks[last] = append(a.chunks[last], b...)
	//nolint:gosec // G115: a chunk is at most one body long, and there are fewer than 2^32 of them.
	return text{chunk: uint32(last), off: uint32(off), n: uint32(len(b))}
}

// nextSize doubles from 4 KiB to the full chunk.
func (a *arena) nextSize() int { return min(arenaChunk, 4<<10<<min(len(a.chunks), 8)) }

// bytes gives the kept text itself; callers must not change it.
func (a *arena) bytes(t text) []byte {
	if t.n == 0 {
		return nil
	}
	return a.chunks[t.chunk][t.off : t.off+t.n : t.off+t.n]
}

// string copies the kept text out.
func (a *arena) string(t text) string { return string(a.bytes(t)) }

// str keeps a string.
func (w *World) str(s string) text {
	w.body = append(w.body[:0], s...)
	return w.texts.keep(w.body)
}

// record types that are kept whole declare the order of their texts once, in a
// method that takes a codec: the same method writes and reads.
type coded interface{ code(k *codec) }

// codec writes texts one behind the other, or reads them back.
type codec struct {
	out     []byte
	in      string
	reading bool
}

// str writes or reads one text.
func (k *codec) str(s *string) {
	if !k.reading {
		k.out = binary.AppendUvarint(k.out, uint64(len(*s)))
		k.out = append(k.out, *s...)
		return
	}
	n := k.uvarint()
	*s, k.in = k.in[:n], k.in[n:]
}

// strs writes or reads several texts.
func (k *codec) strs(fields ...*string) {
	for _, s := range fields {
		k.str(s)
	}
}

// num writes or reads a count or amount that is not negative.
func (k *codec) num(n *uint64) {
	if !k.reading {
		k.out = binary.AppendUvarint(k.out, *n)
		return
	}
	*n = k.uvarint()
}

func (k *codec) uvarint() uint64 {
	var v uint64
	for i := 0; ; i++ {
		b := k.in[i]
		v |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			k.in = k.in[i+1:]
			return v
		}
	}
}

// codeList writes or reads a list of coded values.
func codeList[T any, P interface {
	*T
	coded
}](k *codec, list *[]T) {
	n := uint64(len(*list))
	k.num(&n)
	if k.reading && n > 0 {
		*list = make([]T, n)
	}
	for i := range *list {
		P(&(*list)[i]).code(k)
	}
}

// pack keeps all texts of v as one.
func (w *World) pack(v coded) text {
	k := codec{out: w.body[:0]}
	v.code(&k)
	w.body = k.out
	return w.texts.keep(k.out)
}

// unpack reads back what pack kept; all texts share one copy.
func (w *World) unpack(t text, v coded) {
	if t.n > 0 {
		v.code(&codec{in: w.texts.string(t), reading: true})
	}
}
