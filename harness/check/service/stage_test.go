package service_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/harness/check"
	"paysandbox/harness/check/service"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/mocktest"
	"paysandbox/mockserver/tape"
)

// stage is a running sandbox, a partner with its token, and a webhook receiver
// that answers as it is told.
type stage struct {
	tb      testing.TB
	sandbox *mocktest.Sandbox
	control string
	token   string
	hook    *httptest.Server
	status  atomic.Int64
	secrets map[string][]string
}

// newStage starts the sandbox with one webhook endpoint.
func newStage(tb testing.TB, o mocktest.Options) *stage {
	tb.Helper()
	s := &stage{tb: tb, secrets: map[string][]string{}}
	s.sandbox = mocktest.Start(tb, o)
	s.control = s.sandbox.URL + "/_sandbox/integrations/default"
	s.status.Store(http.StatusOK)
	s.hook = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.WriteHeader(int(s.status.Load()))
	}))
	tb.Cleanup(s.hook.Close)
	return s
}

// listen registers a webhook endpoint with a secret of its own.
func (s *stage) listen(path, secret, profile string) string {
	s.tb.Helper()
	id := s.ctl("/webhooks", `{"url":"`+s.hook.URL+path+`","secret":"`+secret+`","profile":"`+profile+`"}`)["id"].(string)
	s.secrets[id] = []string{secret}
	return id
}

// send makes one request; a leading ! of want takes any status.
func (s *stage) send(method, url, body string, header ...string) (int, []byte) {
	s.tb.Helper()
	req, err := http.NewRequestWithContext(context.Background(), method, url, strings.NewReader(body))
	require.NoError(s.tb, err)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil { // a fault has cut the connection
		return 0, nil
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	require.NoError(s.tb, err)
	return res.StatusCode, raw
}

// api makes a call of the partner API with the token and expects a status.
func (s *stage) api(want int, method, path, body string, header ...string) map[string]any {
	s.tb.Helper()
	status, raw := s.send(method, s.sandbox.URL+path, body, append([]string{"Authorization", "Bearer " + s.token}, header...)...)
	require.Equal(s.tb, want, status, "%s %s: %s", method, path, raw)
	return object(raw)
}

// ctl makes a call of the control API that must succeed.
func (s *stage) ctl(path, body string) map[string]any {
	s.tb.Helper()
	status, raw := s.send(http.MethodPost, s.control+path, body)
	require.Less(s.tb, status, 300, "%s: %s", path, raw)
	return object(raw)
}

// advance moves the virtual clock and gets a fresh token.
func (s *stage) advance(by string) {
	s.tb.Helper()
	s.ctl("/clock/advance", `{"by":"`+by+`"}`)
	s.login()
}

// login gets a token.
func (s *stage) login() {
	s.tb.Helper()
	s.token = s.api(200, "POST", "/Authentication/Token",
		`{"clientId":"`+s.sandbox.ClientID+`","clientSecret":"`+s.sandbox.ClientSecret+`"}`)["accessToken"].(string)
}

// session is a tape, and what it does not tell.
type session struct {
	*trail.Trail
	opts service.Options
}

// judge holds the tape to every rule of the service.
func (s session) judge(off ...string) []check.Result {
	return check.Judge(s.Trail, check.Service(s.opts), off...)
}

// bare is a tape of which nothing else is known.
func bare(entries ...tape.Entry) session { return session{Trail: trail.New(tape.Meta{}, entries)} }

// tape reads the tape as a file.
func (s *stage) tape() session {
	s.tb.Helper()
	status, raw := s.send(http.MethodGet, s.control+"/tape", "")
	require.Equal(s.tb, 200, status)
	meta, entries, err := tape.Read(bytes.NewReader(raw))
	require.NoError(s.tb, err)
	status, doc := s.send(http.MethodGet, s.sandbox.URL+"/openapi.json", "")
	require.Equal(s.tb, 200, status)
	described, err := service.ReadDocument(doc)
	require.NoError(s.tb, err)
	return session{trail.New(meta, entries), service.Options{
		Document: described, WebhookSecrets: s.secrets, Secrets: []string{s.sandbox.ClientSecret},
	}}
}

// payload is a canonical body with members replaced.
func payload(tb testing.TB, name string, pairs ...any) string {
	tb.Helper()
	raw, err := fixtures.Payload(name)
	require.NoError(tb, err)
	body := object(raw)
	for i := 0; i+1 < len(pairs); i += 2 {
		if body[pairs[i].(string)] = pairs[i+1]; pairs[i+1] == nil {
			delete(body, pairs[i].(string))
		}
	}
	out, err := json.Marshal(body)
	require.NoError(tb, err)
	return string(out)
}

func object(raw []byte) map[string]any {
	m := map[string]any{}
	_ = json.Unmarshal(raw, &m)
	return m
}
