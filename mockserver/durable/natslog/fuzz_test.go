package natslog_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/minio/highwayhash"
	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/durable"
	"paysandbox/mockserver/durable/natslog"
)

// sum is the engine's digest of what a file holds, under the file's name.
func sum(tb testing.TB, name string, parts ...[]byte) []byte {
	tb.Helper()
	key := sha256.Sum256([]byte(name))
	hash, err := highwayhash.NewDigest64(key[:])
	require.NoError(tb, err)
	for _, part := range parts {
		_, _ = hash.Write(part)
	}
	return hash.Sum(nil)
}

// record is a message as the engine writes it in the first file of a stream called S.
func record(tb testing.TB, seq uint64, subject, data string) []byte {
	tb.Helper()
	raw := binary.LittleEndian.AppendUint32(nil, uint32(22+len(subject)+len(data)+8))
	raw = binary.LittleEndian.AppendUint64(raw, seq)
	raw = binary.LittleEndian.AppendUint64(raw, 1)
	raw = binary.LittleEndian.AppendUint16(raw, uint16(len(subject)))
	raw = append(append(raw, subject...), data...)
	return append(raw, sum(tb, "S-1", raw[4:20], raw[22:22+len(subject)], raw[22+len(subject):])...)
}

// logOf fills a folder with one file of messages and an index.
func logOf(tb testing.TB, dir string, messages, index []byte) string {
	tb.Helper()
	at := filepath.Join(dir, "jetstream", "A", "streams", "S", "msgs")
	require.NoError(tb, os.MkdirAll(at, 0o700))
	require.NoError(tb, os.WriteFile(filepath.Join(at, "1.blk"), messages, 0o600))
	require.NoError(tb, os.WriteFile(filepath.Join(at, "index.db"), index, 0o600))
	return dir
}

// index is one that knows messages up to a number.
func index(tb testing.TB, last uint64) []byte {
	tb.Helper()
	raw := []byte{22, 1}
	for _, n := range []uint64{last, 100, 1, 1, last} {
		raw = binary.AppendUvarint(raw, n)
	}
	return append(raw, sum(tb, "S", raw)...)
}

// FuzzWhole: whatever stands between and behind whole messages of a file, these are found
// where they are; nothing that nobody wrote is taken for one; and an index is read or left.
func FuzzWhole(f *testing.F) {
	one, two := record(f, 1, "paysandbox.0", "a message"), record(f, 2, "paysandbox.1", "another")
	f.Add([]byte{}, []byte{}, index(f, 2))
	f.Add(one[:len(one)-1], []byte{}, []byte{22, 1})
	f.Add([]byte("\x00\x00\x10\x00"), two, index(f, math.MaxUint64))
	f.Add([]byte{0x20, 0, 0, 0x80}, one[4:], index(f, 1)[:12])
	f.Fuzz(func(t *testing.T, between, behind, known []byte) {
		at, last, more, err := natslog.Damage("S-1", bytes.Join([][]byte{one, between, two}, nil))
		require.NoError(t, err)
		if len(between) == 0 {
			require.Equal(t, -1, at)
			require.EqualValues(t, 2, last)
		} else if at >= 0 {
			require.True(t, more, "the second message is there")
			require.GreaterOrEqual(t, last, uint64(1))
		}
		at, _, _, err = natslog.Damage("S-1", behind)
		require.NoError(t, err)
		require.Less(t, at, max(len(behind), 1))
		own := append([]byte{22, 1}, known...)
		got, err := natslog.Indexed("S", append(own, sum(t, "S", own)...))
		require.NoError(t, err)
		other, err := natslog.Indexed("T", append(own, sum(t, "S", own)...))
		require.NoError(t, err)
		require.Zero(t, other, "that of another stream")
		require.True(t, got == 0 || len(known) >= 5)
	})
}

// TestAttackByAFileOfTheLog: each byte of a file may claim to begin a message of megabytes,
// of which the digest is to be taken. One that had it taken for each needed minutes for each
// megabyte.
func TestAttackByAFileOfTheLog(t *testing.T) {
	t.Parallel()
	first, last := record(t, 1, "paysandbox.0", "a message"), record(t, 2, "paysandbox.1", "another")
	hostile := bytes.Repeat([]byte{0, 0, 0x10, 0}, 2<<20) // each fourth byte claims a megabyte
	_, refused := natslog.Whole(logOf(t, t.TempDir(), bytes.Join([][]byte{first, hostile, last}, nil), nil))
	require.ErrorIs(t, refused, durable.ErrBroken)
	_, refused = natslog.Whole(logOf(t, t.TempDir(), append(first, hostile...), nil))
	require.ErrorIs(t, refused, durable.ErrBroken, "nobody has looked whether more follows")
}
