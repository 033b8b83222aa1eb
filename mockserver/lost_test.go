package mockserver_test

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/durable"
	"paysandbox/mockserver/durable/natslog"
)

// logAlone is a folder of a sandbox in which there is neither a snapshot nor the engine's
// index: nothing but the log says what was there.
func logAlone(t *testing.T) (dir, file string, size int64) {
	t.Helper()
	dir = t.TempDir()
	s := kept(t, dir)
	d := newDriver(s)
	moves()[0](d, 0)
	for n := range 4 {
		moves()[2](d, n)
	}
	require.NoError(t, s.Close(t.Context()))
	file, size = blocks(t, dir)
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "snapshots")))
	require.NoError(t, os.Remove(filepath.Join(filepath.Dir(file), "index.db")))
	return dir, file, size
}

// TestATornEndIsTold, whether the file ends in the middle of a message or what nobody wrote
// follows: by who looks, with the place, and by a start, which cuts it away.
func TestATornEndIsTold(t *testing.T) {
	t.Parallel()
	dir, file, size := logAlone(t)
	for name, spoil := range map[string]func(name string) error{
		"cut": func(name string) error { return os.Truncate(name, size-7) },
		"junk": func(name string) error {
			raw, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			return os.WriteFile(name, append(raw, "junk that nobody wrote"...), 0o600)
		},
	} {
		torn := t.TempDir()
		copyLive(t, torn, dir)
		at := strings.Replace(file, dir, torn, 1)
		require.NoError(t, spoil(at))
		looked, lost, err := natslog.OpenCopy(t.Context(), torn, slog.New(slog.DiscardHandler))
		require.NoError(t, err, name)
		require.NoError(t, looked.Close())
		require.ErrorContains(t, lost, at+": what stands from byte", name)
		var told bytes.Buffer
		for _, want := range []string{"is no whole message, as after a loss of power: it is cut away", ""} {
			told.Reset()
			s, err := natslog.OpenFolder(t.Context(), torn, natslog.SyncInterval, slog.New(slog.NewTextHandler(&told, nil)))
			require.NoError(t, err, name)
			require.NoError(t, s.Close())
			require.Contains(t, told.String(), want, name)
		}
		require.NotContains(t, told.String(), "cut away", "%s: the second start finds it whole", name)
	}
}

// TestALostLogIsRefused: where a folder says that there was one, none is begun in its place.
func TestALostLogIsRefused(t *testing.T) {
	t.Parallel()
	dir, file, _ := logAlone(t)
	for name, lose := range map[string]func(dir, name string) error{
		"the folder":         func(dir, _ string) error { return os.RemoveAll(filepath.Join(dir, "log")) },
		"what is in it":      func(dir, _ string) error { return os.RemoveAll(filepath.Join(dir, "log", "jetstream")) },
		"its file":           func(_, name string) error { return os.Remove(name) },
		"all that it holds":  func(_, name string) error { return os.Truncate(name, 0) },
		"its first messages": func(_, name string) error { return os.WriteFile(name, []byte("junk that nobody wrote"), 0o600) },
	} {
		lost := t.TempDir()
		copyLive(t, lost, dir)
		require.NoError(t, lose(lost, strings.Replace(file, dir, lost, 1)))
		_, _, err := natslog.OpenCopy(t.Context(), lost, slog.New(slog.DiscardHandler))
		require.ErrorIs(t, err, durable.ErrBroken, name)
		_, err = natslog.OpenFolder(t.Context(), lost, natslog.SyncInterval, slog.New(slog.DiscardHandler))
		require.ErrorIs(t, err, durable.ErrBroken, name)
		require.ErrorContains(t, err, "a sandbox has kept things in this folder", name)
	}
}
