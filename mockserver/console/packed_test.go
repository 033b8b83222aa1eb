package console_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver"
	"paysandbox/mockserver/console/cases"
)

// TestAttackPackedFilesInTheConsole: 60 KB that gzip unpacks to 60 MB took 1.2 GB to make a case
// of. What a file is unpacked counts, in its bound and in the memory that is kept for it.
func TestAttackPackedFilesInTheConsole(t *testing.T) {
	t.Parallel()
	made := 0
	h := houseWith(t, mockserver.Options{Case: func(context.Context, []cases.File) (*cases.Case, error) {
		made++
		return &cases.Case{Name: "x"}, nil
	}})
	send := func(size int) int {
		var packed, form bytes.Buffer
		z := gzip.NewWriter(&packed)
		_, err := z.Write([]byte(`{"log":{"entries":[` + strings.Repeat("{},", size/3)))
		require.NoError(t, err)
		require.NoError(t, z.Close())
		w := multipart.NewWriter(&form)
		require.NoError(t, w.WriteField("csrf", h.csrf()))
		file, err := w.CreateFormFile("file", "a.har.gz")
		require.NoError(t, err)
		_, _ = file.Write(packed.Bytes())
		require.NoError(t, w.Close())
		return h.send(h.request(http.MethodPost, "/console/-/file", form.String(), "Content-Type", w.FormDataContentType())).status
	}
	require.Equal(t, http.StatusRequestEntityTooLarge, send(60<<20))
	require.Equal(t, http.StatusRequestEntityTooLarge, send(17<<20))
	require.Zero(t, made)
	require.Equal(t, http.StatusSeeOther, send(1<<20))
	require.Equal(t, 1, made)
}
