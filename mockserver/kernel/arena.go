package kernel

// arenaChunk is the size of a full chunk; the first ones are smaller so that an
// empty world stays light.
const arenaChunk = 256 << 10

// Arena keeps texts in large chunks without pointers. Texts are never changed
// or freed; a reset makes a new world.
type Arena struct {
	chunks  [][]byte
	scratch []byte
}

// Text is where a kept text lies; the zero value is the empty text.
type Text struct{ chunk, off, n uint32 }

// Keep copies b into the arena.
func (a *Arena) Keep(b []byte) Text {
	if len(b) == 0 {
		return Text{}
	}
	last := len(a.chunks) - 1
	if last < 0 || cap(a.chunks[last])-len(a.chunks[last]) < len(b) {
		a.chunks = append(a.chunks, make([]byte, 0, max(len(b), a.nextSize())))
		last++
	}
	off := len(a.chunks[last])
	a.chunks[last] = append(a.chunks[last], b...)
	//nolint:gosec // G115: a chunk is at most one body long, and there are fewer than 2^32 of them.
	return Text{chunk: uint32(last), off: uint32(off), n: uint32(len(b))}
}

// nextSize doubles from 4 KiB to the full chunk.
func (a *Arena) nextSize() int { return min(arenaChunk, 4<<10<<min(len(a.chunks), 8)) }

// Bytes gives the kept text itself; callers must not change it.
func (a *Arena) Bytes(t Text) []byte {
	if t.n == 0 {
		return nil
	}
	return a.chunks[t.chunk][t.off : t.off+t.n : t.off+t.n]
}

// String copies the kept text out.
func (a *Arena) String(t Text) string { return string(a.Bytes(t)) }

// KeepString copies a string into the arena.
func (a *Arena) KeepString(s string) Text {
	a.scratch = append(a.scratch[:0], s...)
	return a.Keep(a.scratch)
}

// Pack keeps all texts of v as one.
func (a *Arena) Pack(v Packable) Text {
	k := Codec{out: a.scratch[:0]}
	v.Pack(&k)
	a.scratch = k.out
	return a.Keep(k.out)
}

// Unpack reads back what Pack kept; all texts share one copy.
func (a *Arena) Unpack(t Text, v Packable) {
	if t.n > 0 {
		v.Pack(&Codec{in: a.String(t), reading: true})
	}
}

// Empty says whether nothing was kept.
func (t Text) Empty() bool { return t.n == 0 }
