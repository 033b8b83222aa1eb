package tape

import "slices"

// Filter chooses entries. The zero value chooses all; what is set must hold
// together.
type Filter struct {
	// Kinds are the kinds wanted; none means all.
	Kinds []Kind
	// Operation is the operation id of an exchange, page or control entry.
	Operation string
	// Entity is an id that must be among the entry's entities.
	Entity string
	// Label is the label wanted.
	Label string
	// Text must stand in one of the entry's texts or bodies, A to Z in either case.
	Text string
	// Since leaves out entries up to and with this number.
	Since uint64
	// Limit ends the scan after so many matches; 0 means no limit.
	Limit int
	// Bytes ends a copy ([Memory.Copy]) before the matches take more, encoded; one
	// is copied whatever its size. 0 means no limit.
	Bytes int64
}

// Match tells whether one entry passes. Limit and Bytes play no part.
func (f Filter) Match(e Entry) bool {
	return e.Seq > f.Since &&
		f.kinds()&bitIf(true, e.Kind) != 0 &&
		(f.Entity == "" || slices.Contains(e.Entities, f.Entity)) &&
		(f.Label == "" || e.Label == f.Label) &&
		(f.Operation == "" || e.Exchange != nil && e.Exchange.Operation == f.Operation) &&
		(f.Text == "" || e.Mentions(f.Text))
}

// kinds is the set of wanted kinds, one bit a kind.
func (f Filter) kinds() uint32 {
	if len(f.Kinds) == 0 {
		return ^uint32(0)
	}
	var set uint32
	for _, k := range f.Kinds {
		set |= bit(k)
	}
	return set
}

// looksInside tells whether the kind alone does not decide.
func (f Filter) looksInside() bool {
	return f.Entity != "" || f.Operation != "" || f.Label != "" || f.Text != ""
}

// matchRaw applies what looks inside to an encoded entry. A body is decoded where
// the text wanted stands in its bytes alone.
func (f Filter) matchRaw(raw []byte) bool {
	c := codec{pass: reading, cursor: cursor{raw: raw}}
	c.narrow()
	var e Entry
	c.head(&e)
	if label := c.piece(); f.Label != "" && string(label) != f.Label {
		return false
	}
	found := f.Entity == ""
	for range c.count(1) {
		if string(c.piece()) == f.Entity {
			found = true
		}
	}
	if found && f.Operation != "" { // a stub ends here, which is bad
		found = hasExchange(e.Kind) && string(c.piece()) == f.Operation
	}
	return found && !c.bad && (f.Text == "" || mentioned(raw, f.Text))
}

// mentioned tells whether a text stands in an encoded entry. The bytes alone could
// show one where two texts meet.
func mentioned(raw []byte, text string) bool {
	if !holds(raw, lower(text)) {
		return false
	}
	e, err := decodeEntry(raw)
	return err == nil && e.Mentions(text)
}

// hasExchange tells whether entries of this kind carry an Exchange.
func hasExchange(k Kind) bool {
	return k == KindExchange || k == KindPage || k == KindControl
}

// Gap is a stretch of numbers whose entries were dropped. Nothing may be said
// about what happened in it. The zero value is no gap.
type Gap struct {
	// From is the first number of the stretch.
	From uint64 `json:"from"`
	// To is the last number of the stretch, the stretch included.
	To uint64 `json:"to"`
}

// Empty tells whether nothing was dropped.
func (g Gap) Empty() bool { return g.To == 0 }

// Has tells whether a number lies in the gap.
func (g Gap) Has(seq uint64) bool { return g.From <= seq && seq <= g.To && g.To > 0 }

// Gap returns the stretch after since that was dropped.
func (m *Memory) Gap(since uint64) Gap {
	if since >= m.lost.To {
		return Gap{}
	}
	return Gap{From: max(m.lost.From, since+1), To: m.lost.To}
}

// Scan calls fn for the entries after since that pass the filter, oldest first,
// until fn returns false or the filter's limit is reached. The larger of since
// and f.Since counts. The entries share no memory with the tape. It returns
// what was dropped of the stretch asked for: when that is not empty, an entry
// that was not seen may have happened all the same.
func (m *Memory) Scan(since uint64, f Filter, fn func(Entry) bool) Gap {
	since = max(since, f.Since)
	v := visitor{m: m, f: f, kinds: f.kinds(), fn: fn}
	for i := m.index.after(since); i < m.index.n; i++ {
		if !v.visit(m.index.at(i)) {
			break
		}
	}
	return m.Gap(since)
}

// ScanBack is Scan from the newest entry to the oldest. The gap is empty when
// the scan was stopped before it came to the dropped stretch.
func (m *Memory) ScanBack(since uint64, f Filter, fn func(Entry) bool) Gap {
	since = max(since, f.Since)
	v := visitor{m: m, f: f, kinds: f.kinds(), fn: fn}
	for i, first := m.index.n-1, m.index.after(since); i >= first; i-- {
		if !v.visit(m.index.at(i)) {
			return Gap{}
		}
	}
	return m.Gap(since)
}

// visitor filters entries from the cheapest question to the dearest.
type visitor struct {
	m     *Memory
	f     Filter
	kinds uint32
	fn    func(Entry) bool
	found int
}

// visit tells whether the scan goes on.
func (v *visitor) visit(at slot) bool {
	if v.kinds&bit(at.kind) == 0 {
		return true
	}
	if v.f.looksInside() && !v.f.matchRaw(v.m.blocks.view(at)) {
		return true
	}
	v.found++
	return v.fn(v.m.decode(at)) && (v.f.Limit <= 0 || v.found < v.f.Limit)
}

// Chunk is a stretch of a tape that was copied out of it without decoding: a reader
// decodes it when nobody waits for the tape any more.
type Chunk struct {
	raw []byte
	at  []slot // off is the place in raw
	// More says that the filter's Limit or Bytes ended the copy, or that it has looked
	// for a text in as much as others can wait for.
	More bool
	// Last is the number up to which was looked.
	Last uint64
}

// maxSought is in how many bytes one copy looks for a text.
const maxSought = 4 << 20

// Copy takes the entries after since that pass the filter, oldest first, until its
// Limit or its Bytes are reached. Ask [Memory.Gap] for what was dropped.
func (m *Memory) Copy(since uint64, f Filter) (c Chunk) {
	since = max(since, f.Since)
	kinds, sought := f.kinds(), 0
	c.raw, c.at = m.room(since, &f)
	for i := m.index.after(since); i < m.index.n; i++ {
		at := m.index.at(i)
		if kinds&bit(at.kind) == 0 {
			continue
		}
		raw := m.blocks.view(at)
		if sought += len(raw); f.Text != "" && sought > maxSought && sought > len(raw) {
			c.More = true
			return c
		}
		if f.looksInside() && !f.matchRaw(raw) {
			c.Last = at.seq
			continue
		}
		if len(c.at) > 0 && f.Bytes > 0 && int64(len(c.raw)+len(raw)) > f.Bytes {
			c.More = true
			return c
		}
		c.Last = at.seq
		at.off = uint32(len(c.raw)) //nolint:gosec // G115: see below
		c.raw, c.at = append(c.raw, raw...), append(c.at, at)
		if c.More = f.Limit > 0 && len(c.at) == f.Limit || len(c.raw) > maxCopied; c.More {
			return c
		}
	}
	c.Last = max(since, m.last)
	return c
}

// room is space for what a copy takes; none where one has to look inside to know.
func (m *Memory) room(since uint64, f *Filter) ([]byte, []slot) {
	if f.looksInside() {
		return nil, nil
	}
	kinds, bytes, count := f.kinds(), 0, 0
	for i := m.index.after(since); i < m.index.n && (f.Limit <= 0 || count < f.Limit); i++ {
		at := m.index.at(i)
		if kinds&bit(at.kind) == 0 {
			continue
		}
		if bytes += int(at.size); bytes > maxCopied || f.Bytes > 0 && int64(bytes) > f.Bytes {
			bytes -= int(at.size)
			break
		}
		count++
	}
	return make([]byte, 0, bytes), make([]slot, 0, count)
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
