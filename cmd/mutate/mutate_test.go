package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// sample has one place of each kind in a line of its own.
const sample = `package main

import (
	"fmt"
	"os"
)

const size = 11

func main() {
	n, text := 1, ""
	n = n + 2
	text = "hello"
	if n >= 3 {
		text += " world"
	}
	if n == 3 && len(text) >= size {
		fmt.Println(n, text)
	}
	n++
	os.Exit(n - 1)
}
`

// TestEachMutantChangesWhatTheProgramDoes compiles all mutants of a sample into one
// program: without a switch it is the same, and with one it is another.
func TestEachMutantChangesWhatTheProgramDoes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "main.go")
	require.NoError(t, os.WriteFile(path, []byte(sample), 0o600))
	list, err := read([]string{dir})
	require.NoError(t, err)
	chosen := choose(list, 100, 1)
	again := choose(list, 100, 1)
	require.Equal(t, chosen, again, "the same seed chooses the same places")
	require.GreaterOrEqual(t, len(chosen), 6)

	work := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(work, "go.mod"), []byte("module sample\n\ngo 1.26\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(work, "main.go"), list[0].changed(chosen), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(work, "zz_mutant.go"), fmt.Appendf(nil, switchText, "main"), 0o600))
	binary := filepath.Join(work, "sample")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", binary, ".")
	build.Dir = work
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))

	does := func(n int) string {
		cmd := exec.CommandContext(t.Context(), binary)
		cmd.Env = append(os.Environ(), fmt.Sprint("PAYSANDBOX_MUTANT=", n))
		out, err := cmd.CombinedOutput()
		return fmt.Sprint(strings.TrimSpace(string(out)), "|", err)
	}
	require.Equal(t, "3 hello world|exit status 3", does(0))
	for n, s := range chosen {
		require.NotEqual(t, does(0), does(n), s.what)
	}
}

func TestBadFlagsAreTold(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"-n", "many"}, {"-packages", "./nowhere"}} {
		var said strings.Builder
		require.Equal(t, 2, run(t.Context(), args, &said, &said))
		require.NotEmpty(t, said.String())
	}
}

// TestTheTreeIsLeftAlone works in a copy, which edits of the tree do not reach.
func TestTheTreeIsLeftAlone(t *testing.T) {
	tree := t.TempDir()
	t.Chdir(tree)
	require.NoError(t, os.CopyFS(tree, fstest.MapFS{"go.mod": {Data: []byte("module m")}, "sub/a.go": {Data: []byte("a")}, ".git/config": {Data: []byte("g")}}))
	require.NoError(t, inACopy(func() {
		require.FileExists(t, "go.mod")
		require.NoFileExists(t, ".git/config")
		require.NoError(t, os.WriteFile(filepath.Join(tree, "sub", "a.go"), []byte("edited"), 0o600))
		text, err := os.ReadFile("sub/a.go")
		require.NoError(t, err)
		require.Equal(t, "a", string(text))
	}))
}
