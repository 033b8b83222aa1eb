package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/observe/trouble"
	"paysandbox/mockserver"
	"paysandbox/mockserver/integration"
)

var (
	buttons = regexp.MustCompile(`(?s)<form method="post" action="/console/default/do" class="act">(.*?)<button class="small">Rehearse this</button>`)
	fields  = regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)">`)
)

// TestWhatIsMissingIsRehearsed presses each button "Rehearse this" that the real verdict
// offers: the sandbox takes all of them, and every trouble has a button.
func TestWhatIsMissingIsRehearsed(t *testing.T) {
	t.Parallel()
	s, err := mockserver.New(mockserver.Options{Integration: integration.Options{Clock: integration.Manual}, Judge: judgeTape, AllowLoopback: true})
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close(t.Context()) })
	var cookies []*http.Cookie
	ask := func(method, path string, form url.Values) *httptest.ResponseRecorder {
		r, w := httptest.NewRequest(method, path, strings.NewReader(form.Encode())), httptest.NewRecorder()
		r.Host = "127.0.0.1"
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		for _, c := range cookies {
			r.AddCookie(c)
		}
		s.Handler().ServeHTTP(w, r)
		cookies = append(cookies, w.Result().Cookies()...)
		return w
	}
	var page string
	judged := func() bool {
		page = ask(http.MethodGet, "/console/default/readiness", nil).Body.String()
		return strings.Contains(page, `data-testid="missing"`)
	}
	require.Eventually(t, func() bool {
		r := httptest.NewRequest(http.MethodPost, "/Authentication/Token", strings.NewReader(`{"clientId":"sandbox-client","clientSecret":"wrong"}`))
		r.Host = "127.0.0.1"
		r.Header.Set("Content-Type", "application/json")
		s.Handler().ServeHTTP(httptest.NewRecorder(), r)
		return judged()
	}, 2*time.Minute, 20*time.Millisecond)
	require.Contains(t, page, "To rehearse it, register a webhook endpoint")
	require.Contains(t, page, "no evidence")
	require.NotContains(t, page, "not exercised", "the page has the words of the report")
	add := httptest.NewRequest(http.MethodPost, "/_sandbox/integrations/default/webhooks", strings.NewReader(`{"url":"http://127.0.0.1:1/hooks"}`))
	add.Host = "127.0.0.1"
	add.Header.Set("Content-Type", "application/json")
	made := httptest.NewRecorder()
	s.Handler().ServeHTTP(made, add)
	require.Equal(t, http.StatusOK, made.Code, made.Body)
	require.Eventually(t, func() bool { return judged() && !strings.Contains(page, "To rehearse it, register") }, 2*time.Minute, 20*time.Millisecond)
	forms := buttons.FindAllStringSubmatch(page, -1)
	require.Greater(t, len(forms), 10)
	for _, f := range forms {
		form := url.Values{}
		for _, in := range fields.FindAllStringSubmatch(f[1], -1) {
			form.Set(in[1], in[2])
		}
		answer := ask(http.MethodPost, "/console/default/do", form)
		require.Equal(t, http.StatusSeeOther, answer.Code, "%v: %s", form, answer.Body)
	}
	for _, one := range trouble.Troubles() {
		for _, clause := range one.Clauses {
			r := rehearsal(clause)
			require.True(t, r != nil && r.Says != "" && (len(r.Fault) > 0) != (r.Profile != ""), clause)
		}
	}
	require.Nil(t, rehearsal("partner.nothing"))
}

// TestAnInstanceLeadsToTheConsole: where the console has an address of its own, a problem's
// instance at the partner's is led on to the entry there.
func TestAnInstanceLeadsToTheConsole(t *testing.T) {
	t.Parallel()
	at := elsewhere(t, "--control-addr", "127.0.0.1:0")
	ask := func(method, url string) *http.Response {
		req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader("{}"))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/json")
		res, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		t.Cleanup(func() { _ = res.Body.Close() })
		return res
	}
	var problem struct{ Instance string }
	require.NoError(t, json.NewDecoder(ask(http.MethodPost, at.BaseURL+"/Payment/Create").Body).Decode(&problem))
	page := ask(http.MethodGet, at.BaseURL+problem.Instance)
	require.Equal(t, http.StatusOK, page.StatusCode)
	require.Contains(t, at.ControlURL, page.Request.URL.Host)
	text, err := io.ReadAll(page.Body)
	require.NoError(t, err)
	require.Contains(t, string(text), "POST /Payment/Create")
	require.Equal(t, http.StatusNotFound, ask(http.MethodPost, at.BaseURL+"/console/default/do").StatusCode, "what is sent is not led on")
}

// TestControlCallsLeadToThePartnersAddress: where the control API has an address of its own,
// the links of what it makes, a ready world for example, lead to where the pages are served.
func TestControlCallsLeadToThePartnersAddress(t *testing.T) {
	t.Parallel()
	at := elsewhere(t, "--control-addr", "127.0.0.1:0")
	ask := func(method, url, body string) []byte {
		req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/json")
		res, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		defer func() { _ = res.Body.Close() }()
		text, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		require.Less(t, res.StatusCode, 300, string(text))
		return text
	}
	var made struct{ BaseURL, ControlURL string }
	require.NoError(t, json.Unmarshal(ask(http.MethodPost, at.ControlURL+"/integrations", `{"from":"paid-payment"}`), &made))
	require.Equal(t, at.BaseURL, made.BaseURL)
	require.Contains(t, made.ControlURL, at.ControlURL)
	told := string(ask(http.MethodGet, made.ControlURL+"/tape", ""))
	require.Contains(t, told, at.BaseURL+"/pages/")
	require.NotContains(t, told, strings.TrimSuffix(at.ControlURL, "/_sandbox")+"/pages/")
}
