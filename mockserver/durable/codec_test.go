package durable_test

import (
	"runtime"
	"testing"
	"weak"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/durable"
)

func sample() durable.Batch {
	return durable.Batch{Shard: 7, Engine: 1, Before: durable.Digest{1, 2}, By: uuid.UUID{3}, Inputs: []durable.Input{
		{ID: uuid.UUID{4}, Kind: durable.Applied, Answers: "effect", Data: []byte("one")},
		{ID: uuid.UUID{5}, Kind: durable.Takeover, Data: []byte{}},
	}}
}

func image() durable.Image {
	return durable.Image{
		Shard: 256, At: durable.Position{Seq: 9, Digest: durable.Digest{8}}, Engine: 1, Recent: []uuid.UUID{{1}, {2}},
		Duties: []durable.Duty{{Effect: "effect", Owner: uuid.UUID{3}, Epoch: 2}}, State: [][]byte{[]byte("state")},
	}
}

func TestBatch(t *testing.T) {
	t.Parallel()
	b := sample()
	raw := b.Encode()
	again, err := durable.Decode(raw)
	require.NoError(t, err)
	require.Equal(t, b, again)
	for n := range raw {
		_, err := durable.Decode(raw[:n])
		require.Error(t, err, "cut at %d", n)
	}
	raw[3] = durable.Format + 1
	_, err = durable.Decode(raw)
	require.ErrorIs(t, err, durable.ErrFormat)
	raw[3] = durable.Format - 1
	_, err = durable.Decode(raw)
	require.ErrorIs(t, err, durable.ErrOlder)
}

func TestImage(t *testing.T) {
	t.Parallel()
	i := image()
	raw := i.Encode()
	again, err := durable.DecodeImage(raw)
	require.NoError(t, err)
	require.Equal(t, i, again)
	for n := range raw {
		spoilt := append([]byte{}, raw...)
		spoilt[n] ^= 4
		_, err := durable.DecodeImage(spoilt)
		require.Error(t, err, "byte %d", n)
	}
}

// TestImageOfANewerEngine is not loaded by who could not go on with it.
func TestImageOfANewerEngine(t *testing.T) {
	t.Parallel()
	i := image()
	i.Engine = 2
	_, err := durable.Restore(&i, uuid.UUID{1}, 1, nil)
	require.ErrorIs(t, err, durable.ErrNewer)
}

// FuzzDecode: bytes that are read as a batch are the batch's own bytes.
func FuzzDecode(f *testing.F) {
	b := sample()
	f.Add(b.Encode())
	f.Add([]byte("PSB\x02"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		b, err := durable.Decode(raw)
		if err != nil {
			return
		}
		again, err := durable.Decode(b.Encode())
		require.NoError(t, err)
		require.Equal(t, b, again)
	})
}

// FuzzDecodeImage never panics, and what it reads is what was written.
func FuzzDecodeImage(f *testing.F) {
	i := image()
	f.Add(i.Encode())
	f.Fuzz(func(t *testing.T, raw []byte) {
		i, err := durable.DecodeImage(raw)
		if err != nil {
			return
		}
		again, err := durable.DecodeImage(i.Encode())
		require.NoError(t, err)
		require.Equal(t, i, again)
	})
}

// TestWhatWasAppliedIsLetGo: a shard that nobody calls any more holds nothing of what it was
// given last, which may be large; there are 257.
func TestWhatWasAppliedIsLetGo(t *testing.T) {
	t.Parallel()
	s := durable.NewShard(0, uuid.UUID{1}, 1, &sequential{&witness{answers: map[uuid.UUID]uint64{}, places: map[uuid.UUID]int{}}, 0})
	data := make([]byte, 1<<20)
	given := weak.Make(&data[0])
	s.Offer(durable.Input{ID: uuid.UUID{2}, Kind: durable.Applied, Data: data}, nil)
	m, ok := s.Next()
	require.True(t, ok)
	sent := weak.Make(&m.Data[0])
	require.Equal(t, durable.GoOn, s.Appended(m, 1, nil))
	data, m = nil, durable.Message{}
	_, _ = data, m
	runtime.GC()
	require.Nil(t, given.Value(), "the input")
	require.Nil(t, sent.Value(), "the message")
	runtime.KeepAlive(s)
}
