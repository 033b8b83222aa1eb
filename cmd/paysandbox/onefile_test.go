package main

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAttackFilesWithoutEnd: a file that somebody has sent is read to its bound.
func TestAttackFilesWithoutEnd(t *testing.T) {
	t.Parallel()
	_, err := readAtMost("/dev/zero", 1<<20)
	require.ErrorContains(t, err, "/dev/zero is larger than 1024 KiB")
	path := filepath.Join(t.TempDir(), "four")
	require.NoError(t, os.WriteFile(path, []byte("four"), 0o600))
	got, err := readAtMost(path, 4)
	require.NoError(t, err)
	require.Equal(t, "four", string(got))
	_, err = readAtMost(path, 3)
	require.Error(t, err)
}

// TestAttackARecordingThatNeverEnds: a call of the console's stream, in a recording that
// somebody has sent, is not waited for.
func TestAttackARecordingThatNeverEnds(t *testing.T) {
	t.Parallel()
	server, client, err := inside(t.Context())
	require.NoError(t, err)
	t.Cleanup(server.Registry().Close)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://sandbox.test/console/default/stream", http.NoBody)
	require.NoError(t, err)
	res, err := client.Do(r)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, http.StatusNotFound, res.StatusCode)
}

// TestAttackWhatIsWrittenAside: what is written before it takes a file's place has a name
// that nobody can have prepared, as a link to another file.
func TestAttackWhatIsWrittenAside(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, other := filepath.Join(dir, "a.snapshot"), filepath.Join(dir, "other")
	require.NoError(t, os.WriteFile(other, []byte("as it was"), 0o600))
	require.NoError(t, os.Symlink(other, path+".new"))
	require.NoError(t, canReplace("--file", path))
	require.ErrorContains(t, canReplace("--file", dir), "is no file", "a folder would be found at the end alone")
	device := filepath.Join(t.TempDir(), "stdout")
	require.NoError(t, os.Symlink(os.DevNull, device))
	require.ErrorContains(t, replaceFile(device, []byte("saved"), 0o600), "is no file", "as /dev/stdout, which root would take from the machine")
	require.NoError(t, replaceFile(path, []byte("saved"), 0o600))
	for name, want := range map[string]string{path: "saved", other: "as it was", path + ".new": "as it was"} {
		got, err := os.ReadFile(name)
		require.NoError(t, err)
		require.Equal(t, want, string(got), name)
	}
	list, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, list, 3)
}
