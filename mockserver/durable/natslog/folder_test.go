package natslog_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/durable/natslog"
)

// TestAttackADataFolder: a data folder in a place that others can read, or where somebody
// has laid something before.
func TestAttackADataFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.Chmod(dir, 0o755))
	for _, name := range []string{"log", "sleeping", "snapshots"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, name), 0o755))
	}
	f, err := natslog.Lock(dir)
	require.NoError(t, err)
	for _, name := range []string{"log", "sleeping", "snapshots", "lock", "paysandbox.json"} {
		info, err := os.Stat(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Zero(t, info.Mode().Perm()&0o077, "%s is closed to others", name)
	}
	require.NoError(t, f.Unlock())

	outside := t.TempDir()
	for name, put := range map[string]func(string) error{
		"lock":      func(path string) error { return os.Symlink(filepath.Join(outside, "made"), path) },
		"log":       func(path string) error { return os.Symlink(outside, path) },
		"sleeping":  func(path string) error { return os.WriteFile(path, nil, 0o600) },
		"snapshots": func(path string) error { return syscall.Mkfifo(path, 0o600) },
	} {
		dir := t.TempDir()
		require.NoError(t, put(filepath.Join(dir, name)))
		_, err := natslog.Lock(dir)
		require.ErrorContains(t, err, name+" is no f")
	}
	list, err := os.ReadDir(outside)
	require.NoError(t, err)
	require.Empty(t, list, "nothing is written elsewhere")
}

// TestAFolderIsGivenBackAtOnce: though a process that was just started from this one has
// the lock's file too, until its program begins.
func TestAFolderIsGivenBackAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	f, err := natslog.Lock(dir)
	require.NoError(t, err)
	own, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("NOT TRIED: there is no /proc/self/fd in which to find the lock")
	}
	var also []int
	for _, e := range own {
		if at, err := os.Readlink("/proc/self/fd/" + e.Name()); err == nil && at == filepath.Join(dir, "lock") {
			fd, err := strconv.Atoi(e.Name())
			require.NoError(t, err)
			second, err := syscall.Dup(fd)
			require.NoError(t, err)
			also = append(also, second)
			break
		}
	}
	require.Len(t, also, 1)
	defer func() { _ = syscall.Close(also[0]) }()
	_, err = natslog.Lock(dir)
	require.ErrorIs(t, err, natslog.ErrHeld)
	require.NoError(t, f.Unlock())
	f, err = natslog.Lock(dir)
	require.NoError(t, err)
	require.NoError(t, f.Unlock())
}

// TestAFolderWhoseVersionIsGone: a log of another version would be taken for one of this.
func TestAFolderWhoseVersionIsGone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := natslog.OpenFolder(t.Context(), dir, natslog.SyncInterval, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	require.NoError(t, s.Close())
	require.NoError(t, os.Remove(filepath.Join(dir, "paysandbox.json")))
	_, err = natslog.Lock(dir)
	require.ErrorContains(t, err, "paysandbox.json is gone, and there is a log")
	_, _, err = natslog.OpenCopy(t.Context(), dir, slog.New(slog.DiscardHandler))
	require.ErrorContains(t, err, "paysandbox.json is gone, and there is a log")
	require.NoFileExists(t, filepath.Join(dir, "paysandbox.json"))
}

// TestWhoLooksWritesNothing: a backup may stand where nobody writes, with or without its lock.
func TestWhoLooksWritesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := natslog.OpenFolder(t.Context(), dir, natslog.SyncInterval, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	require.NoError(t, s.Close())
	require.NoError(t, os.Chmod(filepath.Join(dir, "log"), 0o755))
	for _, without := range []string{"attachments", "lock"} {
		require.NoError(t, os.RemoveAll(filepath.Join(dir, without)))
		looked, lost, err := natslog.OpenCopy(t.Context(), dir, slog.New(slog.DiscardHandler))
		require.NoError(t, err)
		require.NoError(t, lost)
		require.NoError(t, looked.Close())
		info, err := os.Stat(filepath.Join(dir, "log"))
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o755), info.Mode().Perm())
	}
	require.NoFileExists(t, filepath.Join(dir, "lock"))
	require.NoError(t, os.Remove(filepath.Join(dir, "paysandbox.json")))
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "log")))
	_, _, err = natslog.OpenCopy(t.Context(), dir, slog.New(slog.DiscardHandler))
	require.ErrorIs(t, err, natslog.ErrNothing)
}
