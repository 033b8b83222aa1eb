package tape

// Chunk is a stretch of a tape that was copied out of it without decoding: a reader
// decodes it when nobody waits for the tape any more.
type Chunk struct {
	raw []byte
	at  []slot // off is the place in raw
	// More says that the filter's Limit or Bytes ended the copy.
	More bool
}

// Copy takes the entries after since that pass the filter, oldest first, until its
// Limit or its Bytes are reached. Ask [Memory.Gap] for what was dropped.
func (m *Memory) Copy(since uint64, f Filter) (c Chunk) {
	since = max(since, f.Since)
	kinds := f.kinds()
	for i := m.index.after(since); i < m.index.n; i++ {
		at := m.index.at(i)
		if kinds&bit(at.kind) == 0 {
			continue
		}
		raw := m.blocks.view(at)
		if f.looksInside() && !f.matchRaw(raw) {
			continue
		}
		if len(c.at) > 0 && f.Bytes > 0 && int64(len(c.raw)+len(raw)) > f.Bytes {
			c.More = true
			break
		}
		at.off = uint32(len(c.raw)) //nolint:gosec // G115: see below
		c.raw, c.at = append(c.raw, raw...), append(c.at, at)
		if c.More = f.Limit > 0 && len(c.at) == f.Limit || len(c.raw) > maxCopied; c.More {
			break
		}
	}
	return c
}

// maxCopied ends every copy, so that places in it fit into 32 bits.
const maxCopied = 1 << 31

// Empty says whether nothing was found.
func (c *Chunk) Empty() bool { return len(c.at) == 0 }

// Entries decodes what was copied. The entries share no memory with the tape.
func (c *Chunk) Entries() []Entry {
	list := make([]Entry, 0, len(c.at))
	for _, at := range c.at {
		list = append(list, decodeSlot(at, c.raw[at.off:][:at.size]))
	}
	return list
}
