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

	"paysandbox/harness/sampling"
	"paysandbox/mockserver"
	"paysandbox/mockserver/console/cases"
)

// packed is a text as gzip packs it.
func packed(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.String()
}

// TestAPackedTapeIsOpened as one that is not; what breaks off, or unpacks to more than a file may
// have, is told, and its memory given back.
func TestAPackedTapeIsOpened(t *testing.T) {
	t.Parallel()
	for name, h := range map[string]*house{"cases too": houseWith(t, mockserver.Options{Case: sampleCase}), "tapes alone": newHouse(t)} {
		h.shop()
		saved := h.control(http.MethodGet, "/tape?end=true", "").body
		where := h.upload(packed(t, saved)).header.Get("Location")
		require.Equal(t, "/console/file-1/live", where, name)
		require.Contains(t, h.get(where).body, "POST /Company/Create")
		whole := packed(t, saved)
		cut := h.upload(whole[:len(whole)/2])
		require.Equal(t, http.StatusBadRequest, cut.status)
		require.NotContains(t, cut.body, "\x1f", name)
		require.Contains(t, cut.body, "cannot be read", name)
		if name == "tapes alone" && sampling.All() { // what it sends has a hundred million bytes
			bomb := h.upload(packed(t, saved+strings.Repeat("\n", 101<<20)))
			require.Equal(t, http.StatusBadRequest, bomb.status)
			require.Contains(t, bomb.body, "at most")
		}
		require.Equal(t, http.StatusSeeOther, h.upload(packed(t, saved)).status, "its memory was given back")
	}
}

// TestAttackPackedFilesInTheConsole: 60 KB that gzip unpacks to 60 MB took 1.2 GB to make a case
// of. What a file is unpacked counts, in its bound and in the memory that is kept for it.
func TestAttackPackedFilesInTheConsole(t *testing.T) {
	sampling.NotRaced(t, "what it unpacks is read by one, and TestAPackedTapeIsOpened sends such files with it")
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
