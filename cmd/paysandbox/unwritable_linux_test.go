package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/verdict"
)

// TestAFolderThatCannotBeWritten: serve --data refuses a folder in which its user may not
// write, a folder below one, and a file that is another's, and leaves all as it is.
func TestAFolderThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	const nobody = 65534
	mayNot, below, another := t.TempDir(), filepath.Join(t.TempDir(), "new"), t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(another, "log"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(another, "lock"), nil, 0o400))
	for _, dir := range []string{mayNot, filepath.Dir(below)} {
		require.NoError(t, os.Chmod(dir, 0o555))
	}
	// TempDir is root's alone, and so is what is above it.
	require.NoError(t, os.Chmod(filepath.Dir(mayNot), 0o755))
	refused := make(chan string, 3)
	go func() {
		defer close(refused)
		if os.Geteuid() == 0 { // whom nothing is refused: this thread, which ends here, looks at files as somebody else
			runtime.LockOSThread()
			_, _, _ = syscall.RawSyscall(syscall.SYS_SETFSUID, nobody, 0, 0)
		}
		for _, dir := range []string{mayNot, below, another} {
			var said strings.Builder
			if code := run(t.Context(), []string{"serve", "--addr", "127.0.0.1:0", "--data", dir}, none, &said, &said); code != verdict.CodeConfig {
				t.Errorf("%s: %d", dir, code)
			}
			refused <- said.String()
		}
	}()
	for said := range refused {
		require.Regexp(t, `(permission denied|operation not permitted)\nhint: give a folder in which the user that serves may write, and all that is in it`, said)
	}
	for dir, holds := range map[string]int{mayNot: 0, filepath.Dir(below): 0, another: 2} {
		list, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, list, holds)
	}
}
