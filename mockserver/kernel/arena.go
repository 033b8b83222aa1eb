package kernel

// arenaChunk is the size of a full chunk; the first ones are smaller so that an
// empty world stays light.
const arenaChunk = 256 << 10

// Arena keeps texts in large chunks without pointers. Texts are never changed
// or freed; a reset makes a new world.
type Arena struct {
	chunks [][]byte
	// scratch is what texts are packed with and read back: one for each would be the
	// larger part of what a call takes.
	scratch Codec
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
	a.scratch.out = append(a.scratch.out[:0], s...)
	return a.keepScratch()
}

// KeepPacked keeps all texts of v as one.
func (a *Arena) KeepPacked(v Packable) Text {
	a.scratch = Codec{out: a.scratch.out[:0]}
	v.Pack(&a.scratch)
	return a.keepScratch()
}

// keepScratch keeps what was packed, and lets go of the room of a large text.
func (a *Arena) keepScratch() Text {
	t := a.Keep(a.scratch.out)
	if cap(a.scratch.out) > arenaChunk/4 {
		a.scratch.out = nil
	}
	return t
}

// Unpack reads back what KeepPacked kept; all texts share one copy.
func (a *Arena) Unpack(t Text, v Packable) {
	if t.n > 0 {
		a.scratch = Codec{out: a.scratch.out, in: a.String(t), reading: true}
		v.Pack(&a.scratch)
		a.scratch.in = ""
	}
}

// Pack lists what an arena keeps. The room behind its last text comes back too, so
// that what is kept next lies where it would have lain.
func (a *Arena) Pack(k *Codec) {
	k.texts = a
	PackEach(k, &a.chunks, 1, k.Bytes)
	if !k.reading {
		return
	}
	chunks := a.chunks
	a.chunks = nil
	for _, c := range chunks {
		room := max(len(c), a.nextSize())
		a.chunks = append(a.chunks, append(make([]byte, 0, room), c...))
	}
}

// Pack lists where a text lies. The arena has to be packed before.
func (t *Text) Pack(k *Codec) {
	k.Num32s(&t.chunk, &t.off, &t.n)
	if !k.whole || k.texts == nil || t.n == 0 {
		return
	}
	chunks := k.texts.chunks
	k.Require(uint64(t.chunk) < uint64(len(chunks)) && uint64(t.off)+uint64(t.n) <= uint64(len(chunks[t.chunk])), "a text that is kept")
}

// String gives a text of the arena that was packed.
func (k *Codec) String(t Text) string {
	if k.err != nil || k.texts == nil {
		return ""
	}
	return k.texts.String(t)
}

// Texts writes or reads where several texts lie.
func (k *Codec) Texts(fields ...*Text) {
	for _, t := range fields {
		t.Pack(k)
	}
}

// Empty says whether nothing was kept.
func (t Text) Empty() bool { return t.n == 0 }

// blobs are the bytes that many values share, in the order in which they were met.
type blobs struct {
	at   map[*byte]uint64
	kept [][]byte
}

// Blob writes or reads bytes that other values may share; they are kept once. Nobody
// may change them.
func (k *Codec) Blob(b *[]byte) {
	if !k.reading {
		k.writeBlob(*b)
		return
	}
	*b = nil
	switch n := k.uvarint(); {
	case n == 0:
	case n <= uint64(len(k.blobs.kept)):
		*b = k.blobs.kept[n-1]
	case n == uint64(len(k.blobs.kept))+1:
		k.Bytes(b)
		k.blobs.kept = append(k.blobs.kept, *b)
	default:
		k.Refuse("bytes that were met before", "others")
	}
}

func (k *Codec) writeBlob(b []byte) {
	var n uint64
	if len(b) > 0 {
		n = k.blobs.at[&b[0]]
		if n == 0 {
			if k.blobs.at == nil {
				k.blobs.at = map[*byte]uint64{}
			}
			n = uint64(len(k.blobs.at)) + 1
			k.blobs.at[&b[0]] = n
			k.Num(&n)
			k.Bytes(&b)
			return
		}
	}
	k.Num(&n)
}
