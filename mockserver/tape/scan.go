package tape

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
