package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/sampling"
)

// TestRevisionWritesNothing names what is checked out in a folder, and leaves git's own
// files alone: a file whose time alone is new makes git write its index again, unless it is told not to.
func TestRevisionWritesNothing(t *testing.T) {
	sampling.Needs(t, "git", "it names the revision")
	t.Chdir(t.TempDir())
	require.Empty(t, revision(t.Context()))
	require.NoError(t, os.WriteFile("a", nil, 0o600))
	for _, args := range [][]string{{"init", "-q"}, {"add", "a"}, {"-c", "user.name=a", "-c", "user.email=a@example.test", "commit", "-qm", "a"}} {
		out, err := exec.CommandContext(t.Context(), "git", args...).CombinedOutput()
		require.NoError(t, err, string(out))
	}
	long := time.Now().Add(-time.Hour)
	for _, name := range []string{"a", filepath.Join(".git", "index"), ".git"} {
		require.NoError(t, os.Chtimes(name, long, long))
	}
	clean := revision(t.Context())
	require.Regexp(t, `^git [0-9a-f]{12}$`, clean)
	folder, err := os.Stat(".git")
	require.NoError(t, err)
	require.True(t, folder.ModTime().Equal(long), "git wrote: %s", folder.ModTime())
	require.NoError(t, os.WriteFile("a", []byte("b"), 0o600))
	require.Equal(t, clean+"-dirty", revision(t.Context()))
}
