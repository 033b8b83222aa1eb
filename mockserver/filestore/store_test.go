package filestore_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/filestore"
)

// open opens a folder that is not there yet.
func open(t *testing.T, limit int64) (*filestore.Store, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "files")
	s, err := filestore.Open(dir, limit, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	return s, dir
}

// file is some bytes with their digest and the name that they get.
func file(text string) (data []byte, digest filestore.Digest, name string) {
	digest = sha256.Sum256([]byte(text))
	return []byte(text), digest, hex.EncodeToString(digest[:])
}

// TestAFileIsThereOnceUntilItsLastHolderGoes, closed to others.
func TestAFileIsThereOnceUntilItsLastHolderGoes(t *testing.T) {
	t.Parallel()
	s, dir := open(t, 100)
	data, digest, name := file("%PDF-1.7")
	one, other := s.Holder(), s.Holder()
	for _, h := range []*filestore.Holder{one, one, other} {
		require.True(t, h.Keep(digest, data))
	}
	files, size := s.Used()
	require.Equal(t, 1, files)
	require.EqualValues(t, len(data), size)
	about, err := os.Stat(filepath.Join(dir, name))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), about.Mode().Perm())
	about, err = os.Stat(dir)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), about.Mode().Perm())
	one.Drop()
	got, err := other.Read(digest)
	require.NoError(t, err)
	require.Equal(t, data, got)
	other.Drop()
	other.Drop()
	list, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, list)
	_, size = s.Used()
	require.Zero(t, size)
}

// TestNoMoreThanTheBound: what does not fit is not taken, nor is what the disk refuses.
func TestNoMoreThanTheBound(t *testing.T) {
	t.Parallel()
	s, dir := open(t, 10)
	h := s.Holder()
	data, digest, name := file("12345678")
	require.True(t, h.Keep(digest, data))
	more, second, _ := file("123")
	require.False(t, h.Keep(second, more))
	h.Drop()
	require.NoError(t, os.Mkdir(filepath.Join(dir, name), 0o700)) // nothing can be renamed to this
	require.NoError(t, os.WriteFile(filepath.Join(dir, name, "x"), nil, 0o600))
	require.False(t, h.Keep(digest, data))
	files, size := s.Used()
	require.Zero(t, files)
	require.Zero(t, size)
	list, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, list, 1, "nothing is left of the write")
	var none *filestore.Holder
	require.False(t, none.Keep(digest, data))
	none.Drop()
}

// TestAttackWhatStandsThereInstead: other bytes, a pipe, a link or nothing in a file's
// place is told, and never given out or waited for.
func TestAttackWhatStandsThereInstead(t *testing.T) {
	t.Parallel()
	secret := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(secret, []byte("%PDF-1.7"), 0o600))
	for what, tt := range map[string]struct {
		put  func(path string) error
		want error
	}{
		"nothing":         {func(string) error { return nil }, filestore.ErrGone},
		"a bit flipped":   {func(path string) error { return os.WriteFile(path, []byte("%PDF-1.6"), 0o600) }, filestore.ErrDamaged},
		"another length":  {func(path string) error { return os.WriteFile(path, bytes.Repeat([]byte("x"), 1<<20), 0o600) }, filestore.ErrDamaged},
		"a pipe":          {func(path string) error { return syscall.Mkfifo(path, 0o600) }, filestore.ErrDamaged},
		"a link":          {func(path string) error { return os.Symlink(secret, path) }, filestore.ErrDamaged},
		"a folder":        {func(path string) error { return os.Mkdir(path, 0o700) }, filestore.ErrDamaged},
		"a closed folder": {func(path string) error { return os.RemoveAll(filepath.Dir(path)) }, filestore.ErrGone},
	} {
		s, dir := open(t, 100)
		h := s.Holder()
		data, digest, name := file("%PDF-1.7")
		require.True(t, h.Keep(digest, data))
		require.NoError(t, os.Remove(filepath.Join(dir, name)))
		require.NoError(t, tt.put(filepath.Join(dir, name)))
		_, err := h.Read(digest)
		require.ErrorIs(t, err, tt.want, what)
		h.Drop()
	}
}

// TestAttackAForeignFolder: a start takes away what a former process has left, follows no
// link out of the folder, and leaves foreign files alone.
func TestAttackAForeignFolder(t *testing.T) {
	t.Parallel()
	dir, outside := t.TempDir(), filepath.Join(t.TempDir(), "mine")
	_, _, name := file("old")
	require.NoError(t, os.WriteFile(outside, []byte("mine"), 0o600))
	for _, old := range []string{name, name + ".new", "notes.txt"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, old), []byte("x"), 0o600))
	}
	data, digest, linked := file("linked")
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, linked+".new")))
	s, err := filestore.Open(dir, 100, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, linked+".new")))
	require.True(t, s.Holder().Keep(digest, data))
	list, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, "notes.txt", list[1].Name())
	kept, err := os.ReadFile(outside)
	require.NoError(t, err)
	require.Equal(t, "mine", string(kept))
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(dir, link))
	_, err = filestore.Open(link, 100, slog.New(slog.DiscardHandler))
	require.ErrorContains(t, err, "no folder")
	_, err = filestore.Open(outside, 100, slog.New(slog.DiscardHandler))
	require.Error(t, err)
}

// TestManyAtOnce keep, read and drop the same few files.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	s, dir := open(t, 1000)
	var all sync.WaitGroup
	for n := range 8 {
		all.Go(func() {
			for round := range 50 {
				h := s.Holder()
				data, digest, _ := file("file " + string(rune('a'+(n+round)%3)))
				if !h.Keep(digest, data) {
					t.Error("there is room")
				}
				if got, err := h.Read(digest); err != nil || !bytes.Equal(got, data) {
					t.Errorf("%s: %v", got, err)
				}
				h.Drop()
			}
		})
	}
	all.Wait()
	list, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, list)
}
