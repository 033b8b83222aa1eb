package tape_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paysandbox/harness/sampling"
	"paysandbox/mockserver/tape"
)

// model is a tape without any cleverness.
type model struct {
	limits  tape.Limits
	kept    []tape.Entry
	dropped []tape.Entry
}

func (m *model) bytes() (n int64) {
	for i := range m.kept {
		n += tape.EncodedSize(&m.kept[i])
	}
	return n
}

func (m *model) append(e tape.Entry) {
	m.kept = append(m.kept, e)
	for len(m.kept) > m.limits.Entries || m.bytes() > m.limits.Bytes {
		m.dropped = append(m.dropped, m.kept[0])
		m.kept = m.kept[1:]
	}
}

func (m *model) gap(since uint64) tape.Gap {
	var lost []uint64
	for _, e := range m.dropped {
		if e.Seq > since {
			lost = append(lost, e.Seq)
		}
	}
	switch {
	case len(lost) == 0:
		return tape.Gap{}
	case len(lost) < len(m.dropped):
		return tape.Gap{From: since + 1, To: lost[len(lost)-1]}
	default:
		return tape.Gap{From: lost[0], To: lost[len(lost)-1]}
	}
}

// TestMemoryAgreesWithModel plays random appends and resets, with bodies that
// run over several blocks, against the model.
func TestMemoryAgreesWithModel(t *testing.T) {
	t.Parallel()
	sampling.Check(t, func(t *rapid.T) {
		limits := tape.Limits{
			Entries: rapid.IntRange(1, 60).Draw(t, "entries"),
			Bytes:   rapid.Int64Range(tape.MinBytes, 200_000).Draw(t, "bytes"),
		}
		ring, naive := tape.New(limits), &model{limits: limits}
		for range rapid.IntRange(1, 120).Draw(t, "steps") {
			if rapid.IntRange(0, 60).Draw(t, "reset") == 0 {
				ring.Reset()
				naive = &model{limits: limits}
			}
			e := drawSized(t, ring.Last()+rapid.Uint64Range(1, 3).Draw(t, "skip"), int(limits.Bytes))
			require.NoError(t, ring.Append(&e))
			naive.append(e)
			compareCounts(t, ring, naive)
		}
		compareContents(t, ring, naive)
	})
}

// drawSized draws an entry that the bound can hold.
func drawSized(t *rapid.T, seq uint64, bound int) tape.Entry {
	if rapid.IntRange(0, 4).Draw(t, "any") == 0 {
		if e := entries(seq).Draw(t, "entry"); tape.EncodedSize(&e) <= int64(bound) {
			return e
		}
	}
	largest := rapid.SampledFrom([]int{20, 3000, bound - 100}).Draw(t, "largest")
	return event(seq, rapid.StringN(0, 3, -1).Draw(t, "entity"), rapid.IntRange(1, largest).Draw(t, "size"))
}

func compareCounts(t *rapid.T, ring *tape.Memory, naive *model) {
	require.Equal(t, len(naive.kept), ring.Len())
	require.Equal(t, naive.bytes(), ring.Bytes())
	require.EqualValues(t, len(naive.dropped), ring.Dropped())
	require.Equal(t, naive.kept[0].Seq, ring.First())
	require.Equal(t, naive.kept[len(naive.kept)-1].Seq, ring.Last())
	block := max(4<<10, naive.limits.Bytes/16)
	require.LessOrEqual(t, ring.Allocated(), naive.limits.Bytes+2*block+24*int64(naive.limits.Entries))
}

// compareCopy reads what a scan found in chunks that are bounded.
func compareCopy(t *rapid.T, ring *tape.Memory, since uint64, f tape.Filter, want []tape.Entry) {
	f.Limit = rapid.SampledFrom([]int{0, 1, 3}).Draw(t, "limit")
	f.Bytes = rapid.SampledFrom([]int64{0, 1, 200}).Draw(t, "bytes")
	var got []tape.Entry
	for more := true; more; {
		chunk := ring.Copy(since, f)
		list := chunk.Entries()
		size := int64(0)
		for i := range list {
			size += tape.EncodedSize(&list[i])
		}
		require.True(t, f.Bytes == 0 || size <= f.Bytes || len(list) == 1, "%d bytes in %d entries", size, len(list))
		require.True(t, f.Limit == 0 || len(list) <= f.Limit)
		got = append(got, list...)
		if more = chunk.More; more {
			since = list[len(list)-1].Seq
		}
	}
	require.Equal(t, want, got)
}

func compareContents(t *rapid.T, ring *tape.Memory, naive *model) {
	since := rapid.Uint64Range(0, ring.Last()+1).Draw(t, "since")
	f := tape.Filter{
		Entity: rapid.SampledFrom([]string{"", "a"}).Draw(t, "filter"), Label: rapid.SampledFrom([]string{"", "", "a"}).Draw(t, "label"),
		Text: rapid.SampledFrom([]string{"", "", "A", "ü"}).Draw(t, "text"),
	}
	var want, got []tape.Entry
	for _, e := range naive.kept {
		one, ok := ring.Get(e.Seq)
		require.True(t, ok)
		require.Equal(t, e, one)
		if e.Seq > since && f.Match(e) {
			want = append(want, e)
		}
	}
	gap := ring.Scan(since, f, func(e tape.Entry) bool { got = append(got, e); return true })
	require.Equal(t, want, got)
	require.Equal(t, naive.gap(since), gap)
	compareCopy(t, ring, since, f, want)
	got = nil
	require.Equal(t, gap, ring.ScanBack(since, f, func(e tape.Entry) bool { got = append(got, e); return true }))
	slices.Reverse(got)
	require.Equal(t, want, got)
	for _, e := range naive.dropped {
		_, ok := ring.Get(e.Seq)
		require.False(t, ok)
		require.True(t, ring.Gap(e.Seq-1).Has(e.Seq))
	}
}
