package openapi_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"

	"paysandbox/harness/sampling"
	"paysandbox/mockserver/api"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/openapi"
)

func ask(t *testing.T, h http.Handler, method, path string, header ...string) *http.Response {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func text(t *testing.T, r io.Reader) string {
	t.Helper()
	b, err := io.ReadAll(r)
	require.NoError(t, err)
	return string(b)
}

func TestHandlerServesTheDocument(t *testing.T) {
	t.Parallel()
	raw, _, ops := partner(t)
	h := handler(openapi.Info{Version: "test", Events: api.Events(latitude.Settings{})}, ops)

	got := ask(t, h, http.MethodGet, "/openapi.json")
	require.Equal(t, http.StatusOK, got.StatusCode)
	require.Equal(t, "application/json", got.Header.Get("Content-Type"))
	require.Equal(t, "no-cache", got.Header.Get("Cache-Control"))
	require.Equal(t, string(raw), text(t, got.Body))

	tag := got.Header.Get("ETag")
	require.NotEmpty(t, tag)
	again := ask(t, h, http.MethodGet, "/openapi.json", "If-None-Match", tag)
	require.Equal(t, http.StatusNotModified, again.StatusCode)
	require.Empty(t, text(t, again.Body))

	head := ask(t, h, http.MethodHead, "/openapi.json")
	require.Equal(t, http.StatusOK, head.StatusCode)
	require.Equal(t, tag, head.Header.Get("ETag"))
	require.Empty(t, text(t, head.Body))

	require.Equal(t, http.StatusNotFound, ask(t, h, http.MethodGet, "/docs/secret").StatusCode)
	wrong := ask(t, h, http.MethodPost, "/openapi.json")
	require.Equal(t, http.StatusMethodNotAllowed, wrong.StatusCode)
	require.Equal(t, "GET, HEAD", wrong.Header.Get("Allow"))
	require.Equal(t, "application/problem+json", wrong.Header.Get("Content-Type"))
	require.Contains(t, text(t, wrong.Body), "POST is not a method of /openapi.json; use GET or HEAD")
}

// TestSitesShareDescriptions: sites that share what is kept make one description once,
// and never take another version's, other operations' or other choices' for it.
func TestSitesShareDescriptions(t *testing.T) {
	t.Parallel()
	_, _, ops := partner(t)
	var kept openapi.Kept
	made := func(info openapi.Info, ops []openapi.Operation) *byte {
		body, err := openapi.Following("", &kept, nil).JSON(info, ops)
		require.NoError(t, err)
		return &body[0]
	}
	first := made(openapi.Info{Version: "test"}, ops)
	require.NotSame(t, first, made(openapi.Info{Version: "other"}, ops))
	require.NotSame(t, first, made(openapi.Info{Version: "test"}, ops[:len(ops)-1]))
	require.NotSame(t, first, made(openapi.Info{Version: "test", Choices: latitude.Settings{}.Choose(latitude.MetadataShownNowhere)}, ops))
	require.Same(t, first, made(openapi.Info{Version: "test", Integration: "x"}, ops))
}

func TestHandlerServesYAML(t *testing.T) {
	t.Parallel()
	raw, _, ops := partner(t)
	got := ask(t, handler(openapi.Info{Version: "test", Events: api.Events(latitude.Settings{})}, ops), http.MethodGet, "/openapi.yaml")
	require.Equal(t, "application/yaml", got.Header.Get("Content-Type"))
	require.NotEmpty(t, got.Header.Get("ETag"))
	body := text(t, got.Body)
	require.Less(t, strings.Index(body, "/Authentication/Token"), strings.Index(body, "/Account/LinkToken"), "the order is the document's")
	require.JSONEq(t, string(raw), jsonOf(t, body))
}

// jsonOf reads YAML and writes it as JSON.
func jsonOf(t *testing.T, text string) string {
	t.Helper()
	var value any
	require.NoError(t, yaml.Unmarshal([]byte(text), &value))
	out, err := json.Marshal(value)
	require.NoError(t, err)
	return string(out)
}

func TestYAMLKeepsTextsAndOrder(t *testing.T) {
	t.Parallel()
	const in = `{"z":"2026-01-31","a":["no","5000","1e3","0o7","12:30:00","null","~","","+1202","=","plain text","a: b","é\u0007"],"n":5000,"t":true,"u":null,"e":{},"l":[]}`
	out, err := openapi.YAML([]byte(in))
	require.NoError(t, err)
	require.JSONEq(t, in, jsonOf(t, string(out)))
	require.Less(t, strings.Index(string(out), "z:"), strings.Index(string(out), "a:"))
	require.Contains(t, string(out), `z: "2026-01-31"`)
	require.Contains(t, string(out), `- "no"`)
	require.Contains(t, string(out), "- plain text\n")
	_, err = openapi.YAML([]byte("{"))
	require.Error(t, err)
}

var (
	outside    = regexp.MustCompile(`(?i)(https?:)?//[a-z0-9]`)
	attributes = regexp.MustCompile(`(?:src|href)="[^"]+"`)
	inline     = regexp.MustCompile(`(?i)<script>|<style|\son[a-z]+=|\sstyle=`)
)

func TestDocsPage(t *testing.T) {
	sampling.NotRaced(t, "it reads one document")
	t.Parallel()
	_, _, ops := partner(t)
	for _, base := range []string{"", "/_sandbox"} {
		h := handler(openapi.Info{Base: base}, ops)
		page := ask(t, h, http.MethodGet, base+"/docs")
		require.Equal(t, http.StatusOK, page.StatusCode)
		require.Contains(t, page.Header.Get("Content-Security-Policy"), "default-src 'none'")
		html := text(t, page.Body)
		require.Contains(t, html, `href="`+base+`/openapi.json"`)
		for _, link := range attributes.FindAllString(html, -1) {
			require.NotRegexp(t, outside, link)
		}
		require.NotRegexp(t, inline, html, "the policy would forbid it")
		for _, own := range []string{"/openapi.json", "/openapi.yaml", "/docs/page.css", "/docs/page.js"} {
			require.Contains(t, html, `"`+base+own+`"`)
			got := ask(t, h, http.MethodGet, base+own)
			require.Equal(t, http.StatusOK, got.StatusCode, own)
			require.NotEmpty(t, got.Header.Get("ETag"))
		}
		require.Equal(t, http.StatusOK, ask(t, h, http.MethodGet, base+"/docs/").StatusCode)
	}
}

// TestAttackWhatTheDocumentationShows: whatever an integration is called and whatever the
// query says stands on the page as text, in no script and in no address of elsewhere, and
// nobody's page may hold this one in a frame.
func TestAttackWhatTheDocumentationShows(t *testing.T) {
	sampling.NotRaced(t, "it reads one document")
	t.Parallel()
	_, _, ops := partner(t)
	h := openapi.Following("", new(openapi.Kept), func(r *http.Request) (openapi.Info, []openapi.Operation, bool) {
		name := r.URL.Query().Get("integration")
		return openapi.Info{Integration: name, TryID: name, TrySecret: name}, ops, true
	})
	for _, nasty := range []string{`"><script>alert(1)</script>`, `javascript:alert(1)`, `//evil.example`, `{{.Options}}`, `'"><img src=x>`, "a\r\nSet-Cookie: b=c", `&integration=other#x`} {
		page := ask(t, h, http.MethodGet, "/docs?integration="+url.QueryEscape(nasty))
		require.Equal(t, http.StatusOK, page.StatusCode)
		require.Empty(t, page.Header.Get("Set-Cookie"))
		policy := page.Header.Get("Content-Security-Policy")
		for _, said := range []string{"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "form-action 'none'", "base-uri 'none'", "connect-src 'self'"} {
			require.Contains(t, policy, said)
		}
		require.NotContains(t, policy, "unsafe")
		html := text(t, page.Body)
		require.NotRegexp(t, inline, html, nasty)
		require.Equal(t, 1, strings.Count(html, "<script"), nasty)
		require.NotContains(t, html, "<img", nasty)
		for _, link := range attributes.FindAllString(html, -1) {
			require.NotRegexp(t, outside, link)
			require.NotContains(t, link, "javascript:", nasty)
			require.NotContains(t, link, "&amp;integration=other", nasty)
		}
	}
}
