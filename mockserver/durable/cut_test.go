package durable_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/durable"
)

// FuzzImages never panics, and what is no snapshot is refused with its place.
func FuzzImages(f *testing.F) {
	i := image()
	piece := i.Encode()
	f.Add(append(binary.AppendUvarint([]byte("PSC\x01\x01"), uint64(len(piece))), piece...))
	f.Add([]byte("PSC\x01\x01"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		dir := t.TempDir()
		path := filepath.Join(dir, strconv.FormatUint(i.At.Seq, 10)+".image")
		require.NoError(t, os.WriteFile(path, raw, 0o600))
		list, err := durable.NewImages(dir).Read(t.Context(), i.At.Seq)
		if err != nil {
			require.ErrorContains(t, err, path)
			return
		}
		require.NotEmpty(t, list)
	})
}
