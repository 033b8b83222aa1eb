package console_test

import (
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/console"
)

// forms are the addresses of all forms, from the routes.
func forms(t *testing.T) (list []string) {
	t.Helper()
	for _, pattern := range console.Patterns() {
		if path, is := strings.CutPrefix(pattern, "POST "); is {
			list = append(list, strings.NewReplacer("{i}", "default", "{seq}", "1", "{case}", "1").Replace(path))
		}
	}
	require.GreaterOrEqual(t, len(list), 8, "forms are found")
	return list
}

// TestAttackEveryForm: what another page has a browser send to any form of the console is
// refused, and moves nothing.
func TestAttackEveryForm(t *testing.T) {
	t.Parallel()
	h := outside(t)
	require.Equal(t, http.StatusSeeOther, h.signIn(controlToken).status)
	token := h.csrf()
	mine := h.client.Jar
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	h.client.Jar = jar
	require.Equal(t, http.StatusSeeOther, h.signIn(controlToken).status)
	another := h.csrf()
	h.client.Jar = mine
	require.NotEqual(t, token, another, "of two sessions")
	before, count := h.newest(), len(h.server.Registry().List())
	const coded = "application/x-www-form-urlencoded"
	whole := "multipart/form-data; boundary=x"
	for _, path := range forms(t) {
		for name, sent := range map[string]struct {
			media, csrf string
			header      []string
		}{
			"no token":          {coded, "", nil},
			"another session's": {coded, another, nil},
			"another origin":    {coded, token, []string{"Origin", "https://evil.example"}},
			"no origin":         {coded, token, []string{"Origin", "null"}},
			"another port":      {coded, token, []string{"Origin", "http://127.0.0.1:1"}},
			"another site":      {coded, token, []string{"Sec-Fetch-Site", "cross-site"}},
			"a brother's site":  {coded, token, []string{"Sec-Fetch-Site", "same-site"}},
			"a link to it":      {coded, token, []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}},
			"plain text":        {"text/plain", token, nil},
			"JSON":              {"application/json", token, nil},
			"in parts":          {whole, "", nil},
			"another's parts":   {whole, another, nil},
		} {
			form := url.Values{"method": {"POST"}, "path": {"/reset"}, "task": {"1"}, "seq": {"1"}}
			if sent.csrf != "" {
				form.Set("csrf", sent.csrf)
			}
			body := form.Encode()
			if sent.media == whole {
				body = "--x\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\n" + sent.csrf +
					"\r\n--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.tape\"\r\n\r\n{\"tape\":1,\"seed\":1,\"start\":\"2026-03-02T17:00:00Z\"}\n\r\n--x--\r\n"
			}
			p := h.send(h.request(http.MethodPost, path, body, append([]string{"Content-Type", sent.media}, sent.header...)...))
			require.Contains(t, []int{http.StatusForbidden, http.StatusUnsupportedMediaType, http.StatusNotFound}, p.status, "%s: %s", path, name)
			if p.status == http.StatusNotFound {
				require.Contains(t, path, "/cases/", "there is no case")
			}
		}
		query := path + "?csrf=" + url.QueryEscape(token) + "&method=POST&path=%2Freset"
		for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPut, http.MethodDelete, http.MethodPatch} {
			p := h.send(h.request(method, query, ""))
			require.True(t, p.status == http.StatusNotFound || p.status == http.StatusMethodNotAllowed || path == "/console/-/file" && p.status == http.StatusOK, "%s %s: %d", method, path, p.status)
		}
		p := h.send(h.request(http.MethodPost, query, "", "Content-Type", coded))
		require.Contains(t, []int{http.StatusForbidden, http.StatusUnsupportedMediaType, http.StatusNotFound}, p.status, "the token in the address: %s", path)
	}
	require.Equal(t, before, h.newest(), "nothing of it came to the world")
	require.Len(t, h.server.Registry().List(), count)
	require.NotContains(t, h.get("/console/-/file").body, "/console/file-1", "nothing was opened")
	require.Equal(t, http.StatusOK, h.get("settings").status, "nobody was signed out")
}

// TestAnOldFormLeadsToItsPage: that of a sandbox that was started again is opened anew by one
// press, and leads nowhere but into the console.
func TestAnOldFormLeadsToItsPage(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for back, leads := range map[string]string{
		"/console/default/trouble?q=%22x": `href="/console/default/trouble?q=%22x" data-testid="again"`,
		"https://evil.example/":           "", "//evil.example/console/": "", "/console/../docs": "", "": "", "javascript:alert(1)": "",
	} {
		p := h.post("/console/default/do", url.Values{"csrf": {"of an earlier run"}, "method": {"POST"}, "path": {"/reset"}, "back": {back}})
		require.Equal(t, http.StatusForbidden, p.status)
		require.Equal(t, leads != "", p.shows("again"), back)
		require.Contains(t, p.body, leads)
		require.NotContains(t, p.body, "evil")
	}
}
