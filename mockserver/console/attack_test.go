package console_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver"
	"paysandbox/mockserver/integration"
)

const readToken = "the-read-token-of-the-tests"

// outside is a sandbox that others can reach.
func outside(t *testing.T) *house {
	t.Helper()
	return houseWith(t, mockserver.Options{ControlToken: controlToken, ReadToken: readToken})
}

// signIn changes a token for a cookie.
func (h *house) signIn(token string) page {
	h.t.Helper()
	m := csrfField.FindStringSubmatch(h.get("/console/-/login").body)
	require.NotNil(h.t, m)
	return h.post("/console/-/login", url.Values{"csrf": {m[1]}, "token": {token}, "next": {"/console/default/settings"}})
}

func TestNothingIsShownBeforeSigningIn(t *testing.T) {
	t.Parallel()
	h := outside(t)
	for _, path := range []string{
		"/console", "/console/", "/console/default", "/console/default/live", "/console/default/stream", "/console/default/entries/1", "/console/default/settings",
		"/console/nowhere/live", "/console/-/integrations", "/console/-/file", "/console/nothing", "/console/default/inbox/1",
	} {
		p := h.get(path)
		require.Equal(t, http.StatusUnauthorized, p.status, path)
		require.Contains(t, p.body, "Control token", path)
		require.NotContains(t, p.body, "sandbox-secret")
		require.NotContains(t, p.body, "<nav", path)
	}
	require.Equal(t, http.StatusUnauthorized, h.post("/console/default/do", url.Values{"method": {"POST"}, "path": {"/reset"}}).status)
	require.Equal(t, http.StatusUnauthorized, h.send(h.request(http.MethodGet, "/console/default/settings", "", "Authorization", "Bearer wrong")).status)
	require.Equal(t, http.StatusUnauthorized, h.send(h.request(http.MethodGet, "/console/default/settings", "", "Cookie", "paysandbox_console=x.y")).status)
}

func TestSigningIn(t *testing.T) {
	t.Parallel()
	h := outside(t)
	wrong := h.signIn("guess")
	require.Equal(t, http.StatusUnauthorized, wrong.status)
	require.Empty(t, wrong.header.Get("Set-Cookie"))
	right := h.signIn(controlToken)
	require.Equal(t, http.StatusSeeOther, right.status)
	require.Equal(t, "/console/default/settings", right.header.Get("Location"))
	cookie := right.header.Get("Set-Cookie")
	for _, said := range []string{"HttpOnly", "SameSite=Strict", "Path=/console"} {
		require.Contains(t, cookie, said)
	}
	require.NotContains(t, cookie, controlToken)
	p := h.get("settings")
	require.Equal(t, http.StatusOK, p.status)
	require.Contains(t, p.body, "sandbox-secret")
	require.Contains(t, h.press(http.MethodPost, "/clock/advance", "clock", "by", "1h").body, "was answered 200")
	other := outside(t)
	req := other.request(http.MethodGet, "/console/default/settings", "", "Cookie", strings.SplitN(cookie, ";", 2)[0])
	require.Equal(t, http.StatusUnauthorized, other.send(req).status, "a cookie is of one process")
	out := h.post("/console/-/logout", url.Values{"csrf": {h.csrf()}})
	require.Equal(t, http.StatusSeeOther, out.status)
	require.Equal(t, http.StatusUnauthorized, h.get("settings").status)
	again := h.request(http.MethodGet, "/console/default/settings", "", "Cookie", strings.SplitN(cookie, ";", 2)[0])
	require.Equal(t, http.StatusUnauthorized, h.send(again).status, "a copy of the cookie is dead too")
}

func TestWhoLooksMovesNothing(t *testing.T) {
	t.Parallel()
	h := outside(t)
	require.Equal(t, http.StatusSeeOther, h.signIn(readToken).status)
	p := h.get("settings")
	require.Equal(t, http.StatusOK, p.status)
	require.NotContains(t, p.body, "sandbox-secret")
	require.NotContains(t, h.get("live").body, "sandbox-secret")
	refused := h.press(http.MethodPost, "/clock/advance", "clock", "by", "1h")
	require.Contains(t, refused.body, "was refused: 403")
	require.Contains(t, refused.body, "2026-03-02 17:00:00")
}

func TestASignInLeadsNowhereElse(t *testing.T) {
	t.Parallel()
	h := outside(t)
	m := csrfField.FindStringSubmatch(h.get("/console/-/login").body)
	for _, next := range []string{"https://evil.example/", "//evil.example/console", "/console/../../x", "/\\evil", "/consolex", "javascript:alert(1)", "/console\r\nX: y"} {
		p := h.post("/console/-/login", url.Values{"csrf": {m[1]}, "token": {controlToken}, "next": {next}})
		if p.status == http.StatusForbidden { // the form's token is another one once one has signed in
			m = csrfField.FindStringSubmatch(h.get("settings").body)
			p = h.post("/console/-/login", url.Values{"csrf": {m[1]}, "token": {controlToken}, "next": {next}})
		}
		require.Equal(t, "/console", p.header.Get("Location"), next)
	}
}

func TestOtherSitesAreKeptOut(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	token := h.csrf()
	form := url.Values{"csrf": {token}, "method": {"POST"}, "path": {"/reset"}}.Encode()
	post := func(header ...string) page {
		return h.send(h.request(http.MethodPost, "/console/default/do", form, append([]string{"Content-Type", "application/x-www-form-urlencoded"}, header...)...))
	}
	require.Equal(t, http.StatusSeeOther, post().status)
	require.Equal(t, http.StatusSeeOther, post("Origin", h.url, "Sec-Fetch-Site", "same-origin").status)
	for _, header := range [][]string{
		{"Origin", "https://evil.example"},
		{"Origin", "null"},
		{"Origin", "http://127.0.0.1:1"},
		{"Sec-Fetch-Site", "cross-site"},
		{"Sec-Fetch-Site", "same-site"},
		{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"},
		{"Origin", "https://evil.example", "Sec-Fetch-Site", "same-origin"},
	} {
		require.Equal(t, http.StatusForbidden, post(header...).status, header)
	}
	get := func(header ...string) int {
		return h.send(h.request(http.MethodGet, "/console/default/settings", "", header...)).status
	}
	require.Equal(t, http.StatusOK, get("Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"), "a link elsewhere may lead here")
	for _, dest := range []string{"iframe", "frame", "object", "embed", "script", "image", "empty"} {
		require.Equal(t, http.StatusForbidden, get("Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", dest), dest)
	}
	req := h.request(http.MethodGet, "/console/default/settings", "")
	req.Host = "evil.example"
	p := h.send(req)
	require.Equal(t, http.StatusForbidden, p.status)
	require.NotContains(t, p.body, "sandbox-secret")
}

func TestFormsThatAreNotOurs(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.shop()
	before := h.newest()
	for name, form := range map[string]url.Values{
		"no token":    {"method": {"POST"}, "path": {"/reset"}},
		"wrong token": {"csrf": {"x"}, "method": {"POST"}, "path": {"/reset"}},
	} {
		require.Equal(t, http.StatusForbidden, h.post("/console/default/do", form).status, name)
		for _, path := range []string{"resend", "perform", "entries/1/send"} {
			require.Equal(t, http.StatusForbidden, h.post("/console/default/"+path, form).status, name+path)
		}
	}
	token := h.csrf()
	for _, path := range []string{"reset", "//evil", "/../other/reset", "/a/../../x", "/%2e%2e/%2e%2e/integrations", "https://evil.example/", "/reset#x", "/a b", "/x\\y", ""} {
		p := h.post("/console/default/do", url.Values{"csrf": {token}, "method": {"POST"}, "path": {path}})
		require.Equal(t, http.StatusBadRequest, p.status, path)
	}
	for _, method := range []string{"GET", "PUT", "CONNECT", "", "post"} {
		require.Equal(t, http.StatusBadRequest, h.post("/console/default/do", url.Values{"csrf": {token}, "method": {method}, "path": {"/reset"}}).status, method)
	}
	require.Equal(t, http.StatusBadRequest, h.post("/console/default/do", url.Values{"csrf": {token}, "method": {"POST"}, "path": {"/faults"}, "body.count:int": {"x"}}).status)
	large := h.post("/console/default/do", url.Values{"csrf": {token}, "x": {strings.Repeat("a", 300<<10)}})
	require.Equal(t, http.StatusBadRequest, large.status)
	require.Equal(t, before, h.newest(), "nothing of it came to the world")
}

func TestEveryPageIsGuarded(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for _, path := range append([]string{"nowhere", "entries/9"}, screens...) {
		p := h.get(path)
		policy := p.header.Get("Content-Security-Policy")
		require.Contains(t, policy, "default-src 'none'; script-src 'nonce-", path)
		require.Contains(t, policy, "frame-ancestors 'none'")
		require.NotContains(t, policy, "unsafe")
		require.Equal(t, "DENY", p.header.Get("X-Frame-Options"))
		require.Equal(t, "nosniff", p.header.Get("X-Content-Type-Options"))
		require.Equal(t, "no-store", p.header.Get("Cache-Control"))
		require.NotContains(t, p.body, "https://", path)
	}
	require.NotEqual(t, h.get("live").header.Get("Content-Security-Policy"), h.get("live").header.Get("Content-Security-Policy"), "a nonce is used once")
}

func TestHostileTextsAreTexts(t *testing.T) {
	t.Parallel()
	const nasty = `"><script>alert(1)</script><img src=x onerror=alert(1)>'{{.Root}}`
	h := houseWith(t, mockserver.Options{Integration: integration.Options{Name: nasty}})
	company := h.shop()
	id := h.pay(company, nasty)
	h.call(http.MethodPost, "/Payment/Create", map[string]any{"amount": nasty, nasty: nasty})
	h.send(h.request(http.MethodGet, "/"+url.PathEscape(nasty), "", "User-Agent", "<script>alert(2)</script>", "Sandbox-Label", "<script>alert(3)</script>"))
	h.press(http.MethodPost, "/notes", "live", "kind", "remark", "text", nasty)
	pages := []page{h.get("entities/" + id), h.get("live?q=" + url.QueryEscape(nasty)), h.get("clauses/" + url.PathEscape(nasty)), h.get("entities/" + url.PathEscape(nasty)), h.get("entities?q=" + url.QueryEscape(nasty))}
	for _, screen := range screens {
		pages = append(pages, h.get(screen))
	}
	for seq := uint64(1); seq <= h.newest(); seq++ {
		pages = append(pages, h.get("entries/"+itoa(seq)))
	}
	for _, p := range pages {
		require.NotContains(t, p.body, "<script>", "")
		require.NotContains(t, p.body, "<img")
		require.NotContains(t, p.body, "onerror=alert(1)>")
	}
}

// TestEveryFormBringsItsToken: not one form of a page is without, or with another one.
func TestEveryFormBringsItsToken(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	id := h.pay(h.shop(), "x")
	token := h.csrf()
	for _, path := range append([]string{"entities/" + id, "entries/1"}, screens...) {
		p := h.get(path)
		require.Equal(t, strings.Count(p.body, `method="post"`), strings.Count(p.body, `name="csrf" value="`+token+`"`), path)
	}
}

func TestPathsAndMethods(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for _, path := range []string{"/console/default/%2e%2e/settings", "/console/-/nothing", "/console/default/entries/%00", "/console/default/entries/-1", "/console/default/live/more"} {
		require.Equal(t, http.StatusNotFound, h.get(path).status, path)
	}
	for _, method := range []string{http.MethodPut, http.MethodDelete, http.MethodPatch, http.MethodPost} {
		require.Contains(t, []int{http.StatusNotFound, http.StatusMethodNotAllowed}, h.send(h.request(method, "/console/default/live", "")).status, method)
	}
	require.Empty(t, h.send(h.request(http.MethodHead, "/console/default/live", "")).body)
}

// TestWhoOnlyLooksSeesNoFormThatActs on any screen but the one to sign out and the file's.
func TestWhoOnlyLooksSeesNoFormThatActs(t *testing.T) {
	t.Parallel()
	h := outside(t)
	require.Equal(t, http.StatusOK, h.control(http.MethodPost, "/webhooks", `{"url":"`+h.receiver.URL+`/hooks"}`).status)
	require.Equal(t, http.StatusOK, h.control(http.MethodPost, "/faults", `{"effect":{"status":429}}`).status)
	require.Equal(t, http.StatusSeeOther, h.signIn(readToken).status)
	for _, screen := range append([]string{"entries/1"}, screens...) {
		p := h.get(screen)
		require.Equal(t, http.StatusOK, p.status, screen)
		require.NotContains(t, p.body, "/do\"", screen)
		require.NotContains(t, p.body, "/resend\"", screen)
		require.True(t, p.shows("looks-only"), screen)
	}
	require.NotContains(t, h.get("entries/1").body, "data-testid=\"token-from\"")
	require.Equal(t, http.StatusSeeOther, h.signIn(controlToken).status)
	p := h.get("entries/1")
	for _, screen := range []string{"entries/1", "../-/file"} {
		require.False(t, h.get(screen).shows("looks-only"), screen)
	}
	require.Contains(t, p.body, "Authorization: Bearer $TOKEN", "a control call is refused here without a token, by curl too")
}
