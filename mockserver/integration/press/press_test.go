package press_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/budget"
	"paysandbox/mockserver/integration/press"
)

// noise cannot be compressed.
func noise(n int) []byte {
	from, b := rand.NewChaCha8([32]byte{1}), make([]byte, n)
	_, _ = from.Read(b)
	return b
}

// held is a state of records.
func held(b *budget.Bytes, records ...[]byte) ([][]byte, func(), error) {
	h := press.Hold(b)
	for _, record := range records {
		h.Record(int64(len(record)), func(sink func([]byte)) {
			for piece := range bytes.SplitSeq(record, []byte{0}) { // of any length, empty ones too
				sink(piece)
			}
		})
	}
	return h.Close()
}

func TestRecordsAreReadBack(t *testing.T) {
	t.Parallel()
	records := [][]byte{bytes.ReplaceAll(noise(3<<20), []byte{0}, []byte{1}), []byte("small"), bytes.Repeat([]byte("again"), 1<<20), {}}
	b := budget.New(100 << 20)
	state, back, err := held(b, records...)
	require.NoError(t, err)
	written := bytes.Join(state, nil)
	require.Less(t, len(written), 4<<20, "the third is compressed")
	require.GreaterOrEqual(t, b.Used(), int64(len(written)), "what it takes is drawn")
	back()
	require.Zero(t, b.Used())
	read := press.Read(written)
	for _, want := range records {
		got, err := read.Next()
		require.NoError(t, err)
		require.Equal(t, want, append([]byte{}, got...))
	}
	_, err = read.Next()
	require.ErrorIs(t, err, io.EOF)
}

// TestNoRoomForAState: it is refused, in words, and nothing stays drawn.
func TestNoRoomForAState(t *testing.T) {
	t.Parallel()
	b := budget.New(2 << 20)
	_, _, err := held(b, noise(3<<20))
	require.ErrorIs(t, err, budget.ErrNoRoom)
	require.ErrorContains(t, err, "give the process more by --memory")
	require.Zero(t, b.Used())
}

// FuzzRead never panics, and holds no more than what it has read.
func FuzzRead(f *testing.F) {
	state, _, err := held(nil, []byte("one"), []byte("two"))
	require.NoError(f, err)
	f.Add(bytes.Join(state, nil))
	f.Add([]byte("PSZ\x01"))
	f.Fuzz(func(_ *testing.T, raw []byte) {
		read := press.Read(raw)
		for err := error(nil); err == nil; {
			_, err = read.Next()
		}
	})
}
