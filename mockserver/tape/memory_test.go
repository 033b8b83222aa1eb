package tape_test

import (
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/tape"
)

func TestEmptyTapeIsSmall(t *testing.T) {
	t.Parallel()
	m := tape.New(tape.Limits{})
	require.Less(t, int64(unsafe.Sizeof(*m))+m.Allocated(), int64(1024))
	require.Zero(t, m.Len())
	require.Zero(t, m.First())
	require.Zero(t, m.Last())
	require.True(t, m.Gap(0).Empty())
	require.True(t, m.Scan(0, tape.Filter{}, func(tape.Entry) bool { return true }).Empty())
	_, ok := m.Get(1)
	require.False(t, ok)
}

func TestAppendCopiesOut(t *testing.T) {
	t.Parallel()
	m, e := tape.New(tape.Limits{}), exchange2K()
	require.NoError(t, m.Append(&e))
	clear(e.Exchange.Request.Body)
	e.Entities[0] = "changed"
	e.Exchange.Request.Header[0].Value = "changed"
	got, ok := m.Get(1)
	require.True(t, ok)
	require.Equal(t, exchange2K(), got)
	got.Entities[0] = "changed"
	again, _ := m.Get(1)
	require.Equal(t, exchange2K(), again)
}

func TestAppendRefusesAndLeavesTheTape(t *testing.T) {
	t.Parallel()
	m := tape.New(tape.Limits{})
	fill(t, m, event(0, "a", 10), 5)
	before := m.Bytes()
	for _, seq := range []uint64{0, 1, 5} {
		e := event(seq, "a", 10)
		require.ErrorIs(t, m.Append(&e), tape.ErrSeq)
	}
	require.ErrorIs(t, m.Append(&tape.Entry{Seq: 6, Kind: tape.KindClock}), tape.ErrBody)
	require.Equal(t, 5, m.Len())
	require.EqualValues(t, 5, m.Last())
	require.Equal(t, before, m.Bytes())
}

func TestAppendAllocatesNothingWhenFull(t *testing.T) {
	// Not parallel: it counts the allocations of the whole process.
	for _, limits := range []tape.Limits{{Entries: 100}, {Bytes: 100_000}} {
		m, e := tape.New(limits), exchange2K()
		fill(t, m, e, 1000)
		held := m.Allocated()
		allocs := testing.AllocsPerRun(5000, func() { fill(t, m, e, 1) })
		require.Zero(t, allocs)
		require.Equal(t, held, m.Allocated())
	}
}

func TestMemoryPerEntry(t *testing.T) {
	t.Parallel()
	m, e := tape.New(tape.Limits{}), exchange2K()
	for n := 1; n <= 5000; n++ {
		fill(t, m, e, 1)
		ratio := float64(m.Allocated()) / float64(n*contentBytes(e))
		require.True(t, n < 50 || ratio < 1.3, "%d entries: %.2f", n, ratio)
	}
}

func TestEntryBoundDropsTheOldest(t *testing.T) {
	t.Parallel()
	m := tape.New(tape.Limits{Entries: 3})
	fill(t, m, event(0, "a", 10), 8)
	require.Equal(t, 3, m.Len())
	require.EqualValues(t, 6, m.First())
	require.EqualValues(t, 8, m.Last())
	require.EqualValues(t, 5, m.Dropped())
	require.Equal(t, tape.Gap{From: 1, To: 5}, m.Gap(0))
	_, ok := m.Get(5)
	require.False(t, ok)
	require.True(t, m.Gap(4).Has(5))
	require.False(t, m.Gap(5).Has(6))
}

func TestGapIsVisible(t *testing.T) {
	t.Parallel()
	m := tape.New(tape.Limits{Entries: 3})
	for _, seq := range []uint64{10, 20, 30, 40, 50} {
		e := event(seq, "a", 10)
		require.NoError(t, m.Append(&e))
	}
	all := func(tape.Entry) bool { return true }
	for since, want := range map[uint64]tape.Gap{
		0: {From: 10, To: 20}, 9: {From: 10, To: 20}, 10: {From: 11, To: 20}, 19: {From: 20, To: 20}, 20: {}, 50: {}, 99: {},
	} {
		require.Equal(t, want, m.Scan(since, tape.Filter{}, all), since)
		require.Equal(t, want, m.Scan(0, tape.Filter{Since: since}, all), since)
		require.Equal(t, want, m.ScanBack(since, tape.Filter{}, all), since)
	}
	require.True(t, m.ScanBack(0, tape.Filter{Limit: 1}, all).Empty(), "the newest entry was asked for and is there")
	require.Equal(t, tape.Gap{From: 10, To: 20}, m.ScanBack(0, tape.Filter{Entity: "b"}, all), "b may have been there")
}

func TestTooLargeEntryLeavesAStub(t *testing.T) {
	t.Parallel()
	m := tape.New(tape.Limits{Bytes: 10_000})
	fill(t, m, event(0, "small", 10), 3)
	e := event(4, "large", 10_000)
	e.Cause = 2
	require.NoError(t, m.Append(&e))
	got, ok := m.Get(4)
	require.True(t, ok)
	require.Equal(t, tape.Entry{
		Seq: 4, Cause: 2, Kind: tape.KindEvent, Entities: []string{"large"}, Omitted: tape.EncodedSize(&e),
	}, got)
	require.Equal(t, 4, m.Len(), "the small ones were dropped for nothing")

	e.Seq, e.Entities[0] = 5, strings.Repeat("e", 10_000)
	require.NoError(t, m.Append(&e))
	got, _ = m.Get(5)
	require.Empty(t, got.Entities)
	require.LessOrEqual(t, m.Bytes(), int64(10_000))
}

func TestSmallestByteBoundHoldsAnyStub(t *testing.T) {
	t.Parallel()
	m := tape.New(tape.Limits{Bytes: 1})
	fill(t, m, event(0, strings.Repeat("e", 256), tape.MinBytes), 30)
	require.Greater(t, m.Len(), 10)
	require.LessOrEqual(t, m.Bytes(), int64(tape.MinBytes))
}

func TestScanFilters(t *testing.T) {
	t.Parallel()
	m := tape.New(tape.Limits{})
	for seq := uint64(1); seq <= 9; seq++ {
		e := event(seq, []string{"a", "b", "c"}[seq%3], 10)
		if seq%2 == 0 {
			e = exchange2K()
			e.Seq, e.Entities[1] = seq, []string{"a", "b", "c"}[seq%3]
		}
		require.NoError(t, m.Append(&e))
	}
	for name, c := range map[string]struct {
		since  uint64
		filter tape.Filter
		want   []uint64
	}{
		"all":              {0, tape.Filter{}, []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9}},
		"since":            {7, tape.Filter{Since: 3}, []uint64{8, 9}},
		"filter's since":   {3, tape.Filter{Since: 7}, []uint64{8, 9}},
		"kind":             {0, tape.Filter{Kinds: []tape.Kind{tape.KindExchange}}, []uint64{2, 4, 6, 8}},
		"kinds":            {5, tape.Filter{Kinds: []tape.Kind{tape.KindPage, tape.KindEvent}}, []uint64{7, 9}},
		"entity":           {0, tape.Filter{Entity: "b"}, []uint64{1, 4, 7}},
		"operation":        {0, tape.Filter{Operation: "payment.create"}, []uint64{2, 4, 6, 8}},
		"no such":          {0, tape.Filter{Operation: "payment"}, nil},
		"event's name":     {0, tape.Filter{Operation: "PAYMENT_STATUS_CHANGED"}, nil},
		"entity and kind":  {0, tape.Filter{Entity: "b", Kinds: []tape.Kind{tape.KindEvent}}, []uint64{1, 7}},
		"entity and other": {0, tape.Filter{Entity: "b", Operation: "payment.create"}, []uint64{4}},
	} {
		got := slices.Collect(m.All(c.since, c.filter))
		require.Equal(t, c.want, orNil(seqs(got)), name)
		var back []tape.Entry
		m.ScanBack(c.since, c.filter, func(e tape.Entry) bool { back = append(back, e); return true })
		slices.Reverse(back)
		require.Equal(t, got, back, name)
	}
}

func TestScanStops(t *testing.T) {
	t.Parallel()
	m := tape.New(tape.Limits{})
	fill(t, m, event(0, "a", 10), 9)
	require.Equal(t, []uint64{1, 2}, seqs(slices.Collect(m.All(0, tape.Filter{Limit: 2}))))
	var got []uint64
	m.ScanBack(0, tape.Filter{}, func(e tape.Entry) bool { got = append(got, e.Seq); return e.Seq > 8 })
	require.Equal(t, []uint64{9, 8}, got)
}

func TestResetForgets(t *testing.T) {
	t.Parallel()
	m := tape.New(tape.Limits{Entries: 3, Bytes: 50_000})
	fill(t, m, exchange2K(), 8)
	m.Reset()
	require.Zero(t, m.Allocated())
	require.Zero(t, m.Dropped())
	require.True(t, m.Gap(0).Empty())
	fill(t, m, event(0, "a", 10), 5)
	require.Equal(t, []uint64{3, 4, 5}, seqs(slices.Collect(m.All(0, tape.Filter{}))))
}

// counted is a budget that tells what was drawn.
type counted struct{ limit, used int64 }

func (p *counted) Take(n int64) bool {
	if p.used+n > p.limit {
		return false
	}
	p.used += n
	return true
}
func (p *counted) Force(n int64) { p.used += n }
func (p *counted) Give(n int64)  { p.used -= n }

// TestTapesShareABudget: a tape that finds it empty drops its own oldest entries,
// never another's, and puts back what it drops.
func TestTapesShareABudget(t *testing.T) {
	t.Parallel()
	shared := &counted{limit: 6000}
	first, second := tape.New(tape.Limits{Budget: shared}), tape.New(tape.Limits{Budget: shared})
	add := func(m *tape.Memory, seq uint64) {
		require.NoError(t, m.Append(&tape.Entry{Seq: seq, Kind: tape.KindExchange, Exchange: &tape.Exchange{
			Method: "GET", Path: "/" + strings.Repeat("x", 500),
		}}))
	}
	for n := range uint64(5) {
		add(first, n+1)
	}
	kept := first.Len()
	for n := range uint64(50) {
		add(second, n+1)
		require.LessOrEqual(t, shared.used, shared.limit)
	}
	require.Equal(t, kept, first.Len())
	require.Zero(t, first.Dropped())
	require.NotZero(t, second.Dropped())
	require.NotZero(t, second.Len())
	require.Equal(t, shared.used, first.Bytes()+second.Bytes())
	second.Reset()
	require.Equal(t, shared.used, first.Bytes())
}
