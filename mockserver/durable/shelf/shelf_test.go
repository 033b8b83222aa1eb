package shelf_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/durable/shelf"
)

// TestWhatASnapshotRefersToIsNotWrittenAgain: who sleeps as it slept before has the file that
// a snapshot may refer to, and a process that is killed while it writes would leave half of it.
func TestWhatASnapshotRefersToIsNotWrittenAgain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := shelf.Open(dir)
	require.NoError(t, err)
	name, err := s.Put("i", []byte("state"))
	require.NoError(t, err)
	file := filepath.Join(dir, name[len(name)-2:], name)
	first, err := os.Stat(file)
	require.NoError(t, err)
	s.Drop(name)
	_, err = s.Put("i", []byte("state"))
	require.NoError(t, err)
	second, err := os.Stat(file)
	require.NoError(t, err)
	require.True(t, os.SameFile(first, second))
	require.Equal(t, first.ModTime(), second.ModTime())
	require.False(t, s.Idle(name))

	held, err := os.Open(file) // as whoever is killed while it writes leaves it
	require.NoError(t, err)
	defer func() { require.NoError(t, held.Close()) }()
	require.NoError(t, os.WriteFile(file, []byte("sta"), 0o600))
	_, err = s.Get(name)
	require.ErrorIs(t, err, shelf.ErrDamaged)
	_, err = s.Put("i", []byte("state"))
	require.NoError(t, err)
	got, err := s.Get(name)
	require.NoError(t, err)
	require.Equal(t, "state", string(got))
	about, err := held.Stat()
	require.NoError(t, err)
	require.EqualValues(t, len("sta"), about.Size(), "it was written in place")
}

// TestWhatWasNeverWrittenWholeGoes, once no snapshot that is kept can refer to it.
func TestWhatWasNeverWrittenWholeGoes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := shelf.Open(dir)
	require.NoError(t, err)
	name, err := s.Put("i", []byte("state"))
	require.NoError(t, err)
	aside := filepath.Join(dir, name[len(name)-2:], "new."+name)
	require.NoError(t, os.WriteFile(aside, []byte("sta"), 0o600))
	s, err = shelf.Open(dir)
	require.NoError(t, err)
	require.NoError(t, s.Keep(name))
	require.True(t, s.Idle("new."+name))
	for range 2 { // snapshots are kept
		require.FileExists(t, aside)
		s.Turn()
		require.NoError(t, s.Flush())
		s.Sweep()
	}
	require.NoFileExists(t, aside)
	got, err := s.Get(name)
	require.NoError(t, err)
	require.Equal(t, "state", string(got))
}

// TestAttackAFileWithoutEnd: a folder that somebody has handed over may hold, in the place of
// a file, a link to what has no end. It is not read.
func TestAttackAFileWithoutEnd(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := shelf.Open(dir)
	require.NoError(t, err)
	name, err := s.Put("i", []byte("a state"))
	require.NoError(t, err)
	files, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	require.NoError(t, os.Remove(files[0]))
	require.NoError(t, os.Symlink(os.DevNull, files[0]))
	_, err = s.Get(name)
	require.ErrorIs(t, err, shelf.ErrNoFile)
}
