package natslog_test

import (
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/durable"
	"paysandbox/mockserver/durable/natslog"
)

// TestAppendBehindWhatWasPurged: a shard whose last message was purged is appended to
// all the same, and nobody passes for its first.
func TestAppendBehindWhatWasPurged(t *testing.T) {
	t.Parallel()
	log, err := natslog.OpenFolder(t.Context(), t.TempDir(), natslog.SyncInterval, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	defer func() { require.NoError(t, log.Close()) }()
	add := func(shard int, behind uint64, id string) (uint64, error) {
		return log.Append(t.Context(), durable.Message{Shard: shard, Behind: behind, ID: id, Data: []byte(id)})
	}
	for n, id := range []string{"a", "b", "c"} {
		seq, err := add(n, 0, id)
		require.NoError(t, err)
		require.Equal(t, uint64(n+1), seq)
	}
	require.NoError(t, log.Purge(t.Context(), 3))
	first, last, err := log.Held(t.Context())
	require.NoError(t, err)
	require.Equal(t, [2]uint64{3, 3}, [2]uint64{first, last})
	seq, err := add(0, 1, "d")
	require.NoError(t, err)
	require.Equal(t, uint64(4), seq)
	_, err = add(0, 1, "e")
	require.ErrorIs(t, err, durable.ErrBehind)
	err = log.Follow(t.Context(), 0, func(int, uint64, []byte) error { return nil }, func() {})
	require.ErrorIs(t, err, durable.ErrBroken, "messages 1 and 2 are missing")
}
