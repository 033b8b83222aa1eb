package console_test

import (
	"encoding/json"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver"
)

// cookie is the cookie that an answer sets whose name begins so, as it is sent back.
func (p page) cookie(name string) string {
	for _, set := range p.header.Values("Set-Cookie") {
		if strings.HasPrefix(set, name) {
			value, _, _ := strings.Cut(set, ";")
			return value
		}
	}
	return ""
}

const sessionCookie, askedCookie = "paysandbox_console_", "paysandbox_sign_in="

// anew is another browser.
func (h *house) anew() {
	h.t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(h.t, err)
	h.client.Jar = jar
}

// TestAttackSigningIn: who is not signed in gets in by no cookie but one of this process
// for a token that was right, and a page elsewhere signs nobody in.
func TestAttackSigningIn(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 17, 0, 0, 0, time.UTC)
	h := houseWith(t, mockserver.Options{ControlToken: controlToken, ReadToken: readToken, Wall: func() time.Time { return now }})
	first := h.signIn(controlToken).cookie(sessionCookie)
	require.NotEmpty(t, first)
	second := h.signIn(readToken).cookie(sessionCookie)
	h.anew()
	open := func(cookie string) int {
		return h.send(h.request(http.MethodGet, "/console/default/settings", "", "Cookie", cookie)).status
	}
	require.Equal(t, http.StatusUnauthorized, open(first), "who signs in again leaves no session behind")
	require.Equal(t, http.StatusOK, open(second))
	name, value, _ := strings.Cut(second, "=")
	id, sum, _ := strings.Cut(value, ".")
	for _, forged := range []string{
		name + "=", name + "=.", name + "=" + id, name + "=" + id + ".", name + "=." + sum, name + "=all" + strings.TrimPrefix(value, "look"),
		"paysandbox_console=" + value, strings.ToUpper(name) + "=" + value, name + "=x.y; " + second, name + "=" + strings.ToLower(value),
		name + "=" + controlToken, askedCookie + controlToken, "Authorization=Bearer " + controlToken,
	} {
		require.Equal(t, http.StatusUnauthorized, open(forged), forged)
	}
	now = now.Add(7 * 24 * time.Hour)
	require.Equal(t, http.StatusUnauthorized, open(second), "a session ends after a week")

	h.anew()
	shown := h.send(h.request(http.MethodGet, "/console", ""))
	form := csrfField.FindStringSubmatch(shown.body)[1]
	require.Equal(t, askedCookie+form, shown.cookie(askedCookie))
	h.anew()
	right := url.Values{"csrf": {form}, "token": {controlToken}}
	require.Equal(t, http.StatusForbidden, h.post("/console/-/login", right).status, "the form was shown to another browser")
	require.Equal(t, http.StatusForbidden, h.send(h.request(http.MethodPost, "/console/-/login", "csrf=&token="+controlToken, "Content-Type", "application/x-www-form-urlencoded", "Cookie", askedCookie)).status)
	for _, header := range [][]string{
		{"Origin", "https://evil.example"},
		{"Origin", "null"},
		{"Origin", "http://127.0.0.1:1"},
		{"Sec-Fetch-Site", "cross-site"},
		{"Sec-Fetch-Site", "same-site"},
		{"Sec-Fetch-Site", "Cross-Site"},
	} {
		r := h.request(http.MethodPost, "/console/-/login", right.Encode(), append([]string{"Content-Type", "application/x-www-form-urlencoded", "Cookie", askedCookie + form}, header...)...)
		p := h.send(r)
		require.Equal(t, http.StatusForbidden, p.status, header)
		require.Empty(t, p.header.Get("Set-Cookie"))
	}
	r := h.request(http.MethodPost, "/console/-/login", right.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Cookie", askedCookie+form, "Origin", h.url)
	require.Equal(t, http.StatusSeeOther, h.send(r).status)
}

// TestAttackWhatASignInShows: where sandboxes share their sessions the key is made from the
// tokens, and a form that was made with it would let a stranger guess them at home.
func TestAttackWhatASignInShows(t *testing.T) {
	t.Parallel()
	h := houseWith(t, mockserver.Options{ControlToken: controlToken, Shared: true})
	once, again := h.get("/console"), h.get("/console/default/live")
	require.Equal(t, csrfField.FindStringSubmatch(once.body)[1], csrfField.FindStringSubmatch(again.body)[1], "two pages of one browser")
	require.Empty(t, once.cookie(sessionCookie)+again.cookie(askedCookie))
	h.anew()
	other := h.get("/console")
	require.NotEqual(t, csrfField.FindStringSubmatch(once.body)[1], csrfField.FindStringSubmatch(other.body)[1], "it is drawn, and not made")
}

// TestAttackWhoLooksActs: none of the control calls is made for who has signed in to look,
// and none of the other forms does anything.
func TestAttackWhoLooksActs(t *testing.T) {
	t.Parallel()
	h := outside(t)
	described := h.send(h.request(http.MethodGet, "/_sandbox/openapi.json", "", "Authorization", "Bearer "+readToken))
	var api struct{ Paths map[string]map[string]any }
	require.NoError(t, json.Unmarshal([]byte(described.body), &api))
	require.Equal(t, http.StatusSeeOther, h.signIn(readToken).status)
	token, before, tried := h.csrf(), h.newest(), 0
	const one = "/_sandbox/integrations/{i}"
	for path, methods := range api.Paths {
		if !strings.HasPrefix(path, one+"/") {
			continue
		}
		path = strings.NewReplacer("{s}", "x", "{id}", nobody, "{event}", "approve", "{seq}", "1", "{entity}", nobody).Replace(path[len(one):])
		for _, method := range []string{http.MethodPost, http.MethodDelete} {
			if methods[strings.ToLower(method)] == nil {
				continue
			}
			tried++
			p := h.post("/console/default/do", url.Values{"csrf": {token}, "method": {method}, "path": {path}, "back": {"/console/default/live"}})
			require.Equal(t, http.StatusSeeOther, p.status, path)
			require.Contains(t, h.get(p.header.Get("Location")).body, "was refused: 403", path)
		}
	}
	require.Greater(t, tried, 30)
	for _, form := range []string{"perform", "begin", "resend", "entries/1/send"} {
		p := h.post("/console/default/"+form, url.Values{"csrf": {token}, "task": {"1"}, "number": {"1"}})
		require.Contains(t, []int{http.StatusForbidden, http.StatusBadRequest}, p.status, form)
	}
	require.Equal(t, before, h.newest())
}
