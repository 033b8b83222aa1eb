package mockserver_test

import (
	"errors"
	"io/fs"
	"os"

	"github.com/stretchr/testify/require"
)

// copyLive copies a folder as it stands, which may be written to meanwhile: where a file was
// renamed under the copy, it is copied anew.
func copyLive(t require.TestingT, to, dir string) {
	for tries := 1; ; tries++ {
		err := os.CopyFS(to, os.DirFS(dir))
		if !errors.Is(err, fs.ErrNotExist) || tries == 20 {
			require.NoError(t, err)
			return
		}
		require.NoError(t, os.RemoveAll(to))
	}
}
