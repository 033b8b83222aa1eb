package sampling_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/sampling"
)

// TestTree reads a folder as it is, hidden names too.
func TestTree(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module x", "cmd/x/main.go": "package main", ".git/index": "i", "a b/c": ""} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o750))
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o600))
	}
	require.NoError(t, fstest.TestFS(sampling.Tree(root), "go.mod", "cmd/x/main.go", ".git/index", "a b/c"))
	_, err := fs.ReadDir(sampling.Tree(filepath.Join(root, "none")), ".")
	require.Error(t, err)
}

// TestTreeIsCached walks the checkout in a process that notes, as go test does, which
// files and folders an answer in its cache depends on.
func TestTreeIsCached(t *testing.T) {
	t.Parallel()
	log := filepath.Join(t.TempDir(), "log")
	if os.Getenv(drawing) != "" {
		require.NoError(t, fs.WalkDir(sampling.Tree("../.."), ".", func(name string, d fs.DirEntry, err error) error {
			if d.IsDir() && name != "." && name != "cmd" {
				return fs.SkipDir
			}
			return err
		}))
		return
	}
	again := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestTreeIsCached$", "-test.testlogfile="+log)
	again.Env = append(os.Environ(), drawing+"=1")
	out, err := again.CombinedOutput()
	require.NoError(t, err, string(out))
	noted, err := os.ReadFile(log)
	require.NoError(t, err)
	require.Regexp(t, `(?m)^open .*/cmd$`, string(noted))
	require.Regexp(t, `(?m)^stat \.\./\.\.$`, string(noted))
	require.NotRegexp(t, `(?m)^(open \.\./\.\.$|.*\.git$|.*\.build$)`, string(noted))
}
