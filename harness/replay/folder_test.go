package replay_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay"
)

// TestAttackACaseFolder: a case that somebody has sent reads nothing outside its folder,
// waits for nobody, and takes no more memory than its bound.
func TestAttackACaseFolder(t *testing.T) {
	t.Parallel()
	const stored = "../../fixtures/cases/choice-list-order"
	outside := filepath.Join(t.TempDir(), "recording.json")
	text, err := os.ReadFile(filepath.Join(stored, "recording.json"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(outside, text, 0o600))
	for name, change := range map[string]func(path string) error{
		"a link out of it":  func(path string) error { return os.Symlink(outside, path) },
		"an endless device": func(path string) error { return os.Symlink("/dev/zero", path) },
		"a pipe":            func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a huge file": func(path string) error {
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				return err
			}
			return os.Truncate(path, 1<<40)
		},
		"a folder": func(path string) error { return os.Mkdir(path, 0o700) },
	} {
		for _, file := range []string{"case.yaml", "recording.json", "script.json", "replay.tape"} {
			folder := filepath.Join(t.TempDir(), "case")
			require.NoError(t, os.CopyFS(folder, os.DirFS(stored)))
			_, _, _, err := replay.Load(folder)
			require.NoError(t, err)
			require.NoError(t, os.Remove(filepath.Join(folder, file)))
			require.NoError(t, change(filepath.Join(folder, file)))
			_, _, _, err = replay.Load(folder)
			require.ErrorContains(t, err, "no plain file", "%s is %s", file, name)
		}
	}
}
