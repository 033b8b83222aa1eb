package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTwoNamesOfOneTape: links that lead to one file which is not there yet, by a folder's
// link too, are one file, and so is the file itself.
func TestTwoNamesOfOneTape(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "tapes"), 0o700))
	for link, to := range map[string]string{"folder": "tapes", "a": "tapes/one.tape", "b": "c", "c": "folder/one.tape"} {
		require.NoError(t, os.Symlink(to, filepath.Join(dir, link)))
	}
	first, err := createTape(filepath.Join(dir, "a"))
	require.NoError(t, err)
	for _, name := range []string{"a", "b", "c", "tapes/one.tape", "folder/one.tape"} {
		_, err = createTape(filepath.Join(dir, name))
		require.ErrorContains(t, err, "writes this tape", name)
	}
	require.NoError(t, first.close())
	second, err := createTape(filepath.Join(dir, "b"))
	require.NoError(t, err)
	require.NoError(t, second.close())
}
