package theme_test

import (
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/theme"
)

func ask(method, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	theme.Handler().ServeHTTP(w, httptest.NewRequest(method, path, http.NoBody))
	return w
}

// TestFilesAreKept sees that what the head names is there, under an address that
// changes with it, for ever.
func TestFilesAreKept(t *testing.T) {
	t.Parallel()
	addresses := regexp.MustCompile(`href="([^"]+)"`).FindAllStringSubmatch(string(theme.Head()), -1)
	require.Len(t, addresses, 2)
	require.Equal(t, theme.Stylesheet(), addresses[0][1])
	for i, media := range []string{"text/css; charset=utf-8", "image/svg+xml"} {
		require.Regexp(t, `^/theme/[0-9a-f]{16}-`, addresses[i][1])
		w := ask(http.MethodGet, addresses[i][1])
		require.Equal(t, http.StatusOK, w.Code)
		require.Equal(t, media, w.Header().Get("Content-Type"))
		require.Contains(t, w.Header().Get("Cache-Control"), "immutable")
		require.NotEmpty(t, w.Body.String())
		require.Empty(t, ask(http.MethodHead, addresses[i][1]).Body.String())
	}
	require.Equal(t, http.StatusNotFound, ask(http.MethodGet, "/theme/0000000000000000-theme.css").Code)
	require.Equal(t, http.StatusMethodNotAllowed, ask(http.MethodPost, theme.Stylesheet()).Code)
}

// TestNothingFromOutside sees that neither stylesheet nor mark loads anything, and
// that the mark can stand inside a page.
func TestNothingFromOutside(t *testing.T) {
	t.Parallel()
	require.NotRegexp(t, `@import|url\(|https?:`, css())
	mark := string(theme.Mark())
	require.NotRegexp(t, `<script|<style|style=|href|\son\w+=`, mark)
	d := xml.NewDecoder(strings.NewReader(mark))
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
	}
	require.Contains(t, string(theme.Brand()), mark)
}
