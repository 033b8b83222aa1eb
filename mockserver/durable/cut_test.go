package durable_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/durable"
)

// FuzzImages never panics, and what is no snapshot is refused with its place.
func FuzzImages(f *testing.F) {
	i := image()
	piece := i.Encode()
	f.Add(append(binary.AppendUvarint([]byte("PSC\x01\x01"), uint64(len(piece))), piece...))
	f.Add([]byte("PSC\x01\x01"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		dir := t.TempDir()
		path := filepath.Join(dir, strconv.FormatUint(i.At.Seq, 10)+".image")
		require.NoError(t, os.WriteFile(path, raw, 0o600))
		list, err := durable.NewImages(dir).Read(t.Context(), i.At.Seq)
		if err != nil {
			require.ErrorContains(t, err, path)
			return
		}
		require.NotEmpty(t, list)
	})
}

// patientPlace notes whether it is given a deadline.
type patientPlace struct {
	durable.Place
	hurried bool
}

func (p *patientPlace) Write(ctx context.Context, top uint64, pieces [][]byte) error {
	_, p.hurried = ctx.Deadline()
	return p.Place.Write(ctx, top, pieces)
}

// TestAnAnswerThatIsLostEndsNoSnapshotsForLong: a client of the log waits for each answer
// for some seconds, unless its context has a deadline: then it waits for that, and no
// snapshot is taken meanwhile.
func TestAnAnswerThatIsLostEndsNoSnapshotsForLong(t *testing.T) {
	t.Parallel()
	p := &patientPlace{Place: &simPlace{&sim{hit: map[string]int{}, calm: true}, map[uint64][]byte{}}}
	i := image()
	i.At = durable.Position{Seq: 1}
	_, err := durable.SharedImages(p).Keep(t.Context(), []durable.Image{i})
	require.NoError(t, err)
	require.False(t, p.hurried)
}

// TestASnapshotOfALostHistory: a log that has lost its end, and has gone on differently, is
// not gone on from a snapshot of what was lost.
func TestASnapshotOfALostHistory(t *testing.T) {
	t.Parallel()
	s := &sim{first: 1, last: 2, hit: map[string]int{}, calm: true, log: []stored{{seq: 1, shard: 256, data: []byte("one")}, {seq: 2, shard: 256, data: []byte("another")}}}
	s.place = &simPlace{s, map[uint64][]byte{}}
	keep := func(seq uint64, message string) {
		i := image()
		i.At = durable.Position{Seq: seq, Digest: sha256.Sum256([]byte(message))}
		_, err := durable.SharedImages(s.place).Keep(t.Context(), []durable.Image{i})
		require.NoError(t, err)
	}
	newest := func() []durable.Image {
		list, err := durable.SharedImages(s.place).Newest(t.Context(), simLog{sim: s}, slog.New(slog.DiscardHandler))
		require.NoError(t, err)
		return list
	}
	keep(3, "beyond")
	require.Empty(t, newest(), "it goes further than the log")
	delete(s.place.kept, 3)
	keep(2, "lost")
	require.Empty(t, newest())
	keep(1, "one")
	require.Equal(t, uint64(1), newest()[0].At.Seq)
	delete(s.place.kept, 2)
	keep(2, "another")
	require.Equal(t, uint64(2), newest()[0].At.Seq)
	s.first = 3
	s.last = 2
	require.Equal(t, uint64(2), newest()[0].At.Seq, "what it ends with was purged")
}

// TestASnapshotThatWasNeverWrittenWholeGoes: of one that a process was writing when it was
// killed there is a file aside, which the next one takes away.
func TestASnapshotThatWasNeverWrittenWholeGoes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	left := filepath.Join(dir, ".new-1234")
	require.NoError(t, os.WriteFile(left, []byte("half"), 0o600))
	i := image()
	i.At = durable.Position{Seq: 1}
	_, err := durable.NewImages(dir).Keep(t.Context(), []durable.Image{i})
	require.NoError(t, err)
	require.NoFileExists(t, left)
	_, err = durable.NewImages(dir).Read(t.Context(), 1)
	require.NoError(t, err)
}

// TestAttackASnapshotWithoutEnd: a link to a device in the place of a snapshot is not read.
func TestAttackASnapshotWithoutEnd(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.Symlink(os.DevNull, filepath.Join(dir, "120.image")))
	var told bytes.Buffer
	_, err := durable.NewImages(dir).Newest(t.Context(), simLog{sim: &sim{first: 1}}, slog.New(slog.NewTextHandler(&told, nil)))
	require.ErrorContains(t, errors.Join(err, errors.New(told.String())), "it is no regular file")
}
