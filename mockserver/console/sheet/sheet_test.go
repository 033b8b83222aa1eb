package sheet_test

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/console/sheet"
)

// fromNPM are the digests of the files of htmx.org 4.0.1 as `npm pack` gives them.
var fromNPM = map[string]string{
	"htmx.min.js":   "a0abb04f2f45a1f89d1d4844023245537e5e6014c87b144553e0607b4cc32130",
	"hx-sse.min.js": "18ef2761356ec1fe0bb6d92612315b37517a7c1e9856b661c5ae81fef239d103",
	"hx-csp.min.js": "a7e1e6711ae6c3e50ad300fba7936cbe8d07599cdae313414a179ddd6b26e143",
}

func TestScriptsAreThoseOfThePackage(t *testing.T) {
	t.Parallel()
	for name, digest := range fromNPM {
		body, err := os.ReadFile("assets/" + name)
		require.NoError(t, err)
		sum := sha256.Sum256(body)
		require.Equal(t, digest, hex.EncodeToString(sum[:]), name)
	}
}

func TestAssetsAreServed(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"console.js", "console.css"} {
		w := httptest.NewRecorder()
		sheet.ServeAsset(w, httptest.NewRequest(http.MethodGet, sheet.Asset(name), nil))
		require.Equal(t, http.StatusOK, w.Code, name)
		require.Contains(t, w.Header().Get("Cache-Control"), "immutable")
		require.NotEmpty(t, w.Body.String())
	}
	for _, path := range []string{sheet.AssetsPrefix + "0/console.js", sheet.AssetsPrefix, sheet.AssetsPrefix + "../templates/live.html"} {
		w := httptest.NewRecorder()
		sheet.ServeAsset(w, httptest.NewRequest(http.MethodGet, path, nil))
		require.Equal(t, http.StatusNotFound, w.Code, path)
	}
}

// TestOneScript: htmx begins as soon as its script has ended, so that what listens to
// it and what extends it stands in the same one. In scripts of their own a slow answer
// left a page "connecting" for ever.
func TestOneScript(t *testing.T) {
	t.Parallel()
	layout, err := os.ReadFile("templates/layout.html")
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(layout), "<script"))
	w := httptest.NewRecorder()
	sheet.ServeAsset(w, httptest.NewRequest(http.MethodGet, sheet.Asset("console.js"), nil))
	last := -1
	for _, part := range []string{"console.js", "htmx.min.js", "hx-csp.min.js", "hx-sse.min.js"} {
		text, err := os.ReadFile("assets/" + part)
		require.NoError(t, err)
		at := strings.Index(w.Body.String(), string(text))
		require.Greater(t, at, last, part)
		last = at
	}
}

// TestTemplatesKeepThePolicy: nothing inline, nothing from elsewhere, a nonce on
// every script, and a token in every form that posts.
func TestTemplatesKeepThePolicy(t *testing.T) {
	t.Parallel()
	entries, err := os.ReadDir("templates")
	require.NoError(t, err)
	inline := regexp.MustCompile(`<script(?:[^>]*)>|<style|\sstyle=|\son[a-z]+=|javascript:|hx-on|hx-vals="js|https?://`)
	form := regexp.MustCompile(`(?s)<form[^>]*method="post".*?</form>`)
	for _, e := range entries {
		text, err := os.ReadFile("templates/" + e.Name())
		require.NoError(t, err)
		for _, found := range inline.FindAllString(strings.ReplaceAll(string(text), `placeholder="http://127.0.0.1:3000/hooks"`, ""), -1) {
			if strings.HasPrefix(found, "<script") {
				require.Contains(t, found, `nonce="{{.Nonce}}" src="{{asset`, e.Name())
				continue
			}
			t.Errorf("%s has %s", e.Name(), found)
		}
		for _, f := range form.FindAllString(string(text), -1) {
			require.Regexp(t, `name="csrf"|template "hidden"`, f, e.Name())
		}
	}
	policy := sheet.Policy("abc")
	require.Contains(t, policy, "default-src 'none'; script-src 'nonce-abc'; style-src 'self'")
	require.NotContains(t, policy, "unsafe")
}
