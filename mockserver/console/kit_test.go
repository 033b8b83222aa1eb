package console_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/mockserver"
	"paysandbox/mockserver/integration"
)

// nobody is an id that nothing has.
const nobody = "5f0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c33"

// house is a sandbox with its console, and a person who looks.
type house struct {
	t        testing.TB
	server   *mockserver.Server
	on       *integration.Integration
	url      string
	client   *http.Client
	token    string
	receiver *httptest.Server
	answers  chan int // what the receiver says next; 200 when it is empty
}

func newHouse(tb testing.TB) *house {
	tb.Helper()
	return houseWith(tb, mockserver.Options{})
}

func houseWith(tb testing.TB, o mockserver.Options) *house {
	tb.Helper()
	h := &house{t: tb, answers: make(chan int, 100)}
	h.receiver = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		select {
		case status := <-h.answers:
			w.WriteHeader(status)
		default:
		}
	}))
	tb.Cleanup(h.receiver.Close)
	o.Integration.Seed, o.AllowLoopback = 7, true
	if o.Integration.Clock == "" {
		o.Integration.Clock = integration.Manual
	}
	if o.Integration.ClientID == "" {
		o.Integration.ClientID, o.Integration.ClientSecret = "sandbox-client", "sandbox-secret"
	}
	var err error
	h.server, err = mockserver.New(o)
	require.NoError(tb, err)
	h.on = h.server.Registry().Default()
	front := httptest.NewServer(h.server.Handler())
	tb.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(tb.Context()), time.Minute)
		defer cancel()
		require.NoError(tb, h.server.Close(ctx))
		front.Close()
	})
	h.url = front.URL
	jar, err := cookiejar.New(nil)
	require.NoError(tb, err)
	h.client = &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return h
}

// page is an answer that was read.
type page struct {
	status int
	header http.Header
	body   string
}

// shows says whether there is an element with a data-testid.
func (p page) shows(id string) bool { return strings.Contains(p.body, `data-testid="`+id+`"`) }

func (h *house) send(req *http.Request) page {
	h.t.Helper()
	res, err := h.client.Do(req)
	require.NoError(h.t, err)
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	require.NoError(h.t, err)
	return page{res.StatusCode, res.Header, string(body)}
}

func (h *house) request(method, path, body string, header ...string) *http.Request {
	h.t.Helper()
	req, err := http.NewRequestWithContext(h.t.Context(), method, h.url+path, strings.NewReader(body))
	require.NoError(h.t, err)
	for n := 0; n+1 < len(header); n += 2 {
		req.Header.Set(header[n], header[n+1])
	}
	return req
}

// get looks at a page of the default integration, or at any path.
func (h *house) get(path string) page {
	h.t.Helper()
	if !strings.HasPrefix(path, "/") {
		path = "/console/default/" + path
	}
	return h.send(h.request(http.MethodGet, path, ""))
}

var csrfField = regexp.MustCompile(`name="csrf" value="([^"]+)"`)

// csrf is the token of a page's forms.
func (h *house) csrf() string {
	h.t.Helper()
	m := csrfField.FindStringSubmatch(h.get("settings").body)
	require.NotNil(h.t, m, "a form with its token")
	return m[1]
}

// press posts a form that makes a control call, and gives the page that follows.
func (h *house) press(method, path, back string, body ...string) page {
	h.t.Helper()
	form := url.Values{"csrf": {h.csrf()}, "method": {method}, "path": {path}, "back": {"/console/default/" + back}}
	for n := 0; n+1 < len(body); n += 2 {
		form.Set("body."+body[n], body[n+1])
	}
	answer := h.post("/console/default/do", form)
	require.Equal(h.t, http.StatusSeeOther, answer.status, answer.body)
	return h.get(answer.header.Get("Location"))
}

func (h *house) post(path string, form url.Values) page {
	h.t.Helper()
	return h.send(h.request(http.MethodPost, path, form.Encode(), "Content-Type", "application/x-www-form-urlencoded"))
}

// call asks the partner API as an application does.
func (h *house) call(method, path string, body any) (status int, answer map[string]any) {
	h.t.Helper()
	text := ""
	if body != nil {
		b, err := json.Marshal(body)
		require.NoError(h.t, err)
		text = string(b)
	}
	header := []string{"Content-Type", "application/json", "User-Agent", "shop/1.2"}
	if h.token != "" {
		header = append(header, "Authorization", "Bearer "+h.token)
	}
	p := h.send(h.request(method, path, text, header...))
	_ = json.Unmarshal([]byte(p.body), &answer)
	return p.status, answer
}

// shop gets a token, makes a company and registers the receiver.
func (h *house) shop() (company string) {
	h.t.Helper()
	_, answer := h.call(http.MethodPost, "/Authentication/Token", map[string]string{"clientId": "sandbox-client", "clientSecret": "sandbox-secret"})
	h.token, _ = answer["accessToken"].(string)
	require.NotEmpty(h.t, h.token)
	_, made := h.call(http.MethodPost, "/Company/Create", fixtures.NewPeople(3).Company())
	company, _ = made["companyId"].(string)
	require.NotEmpty(h.t, company, made)
	return company
}

func (h *house) hooks() {
	h.t.Helper()
	require.Equal(h.t, http.StatusOK, h.control(http.MethodPost, "/webhooks", `{"url":"`+h.receiver.URL+`/hooks"}`).status)
}

// pay asks for a payment and gives its id.
func (h *house) pay(company, text string) (id string) {
	h.t.Helper()
	_, made := h.call(http.MethodPost, "/Payment/Create", map[string]any{
		"amount": 123450, "companyId": company, "contactNumber": "+12025550123", "shortDescription": text, "feePayer": "client",
	})
	id, _ = made["paymentRequestId"].(string)
	require.NotEmpty(h.t, id, made)
	return id
}

// fails registers the receiver, which fails the first event, and asks for a payment.
func (h *house) fails(company, text string) (id string) {
	h.t.Helper()
	h.hooks()
	h.answers <- http.StatusInternalServerError
	return h.pay(company, text)
}

func (h *house) control(method, path, body string) page {
	h.t.Helper()
	header := []string{"Content-Type", "application/json"}
	if h.server.Registry() != nil && controlToken != "" {
		header = append(header, "Authorization", "Bearer "+controlToken)
	}
	return h.send(h.request(method, "/_sandbox/integrations/default"+path, body, header...))
}

// controlToken is sent with control calls; a sandbox without one does not look at it.
const controlToken = "the-control-token-of-the-tests"

// newest is the number of the newest entry.
func (h *house) newest() uint64 {
	_, last, _ := h.on.Newest()
	return last
}
