package api_test

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/api"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/world"
)

// sandbox is the partner API over one default integration, without a network.
type sandbox struct {
	t     *testing.T
	api   *api.API
	reg   *integration.Registry
	token string
}

// start makes a sandbox with a manual clock.
func start(t *testing.T, o integration.Options) *sandbox {
	t.Helper()
	o.Clock = integration.Manual
	if o.ClientID == "" {
		o.ClientID, o.ClientSecret = "sandbox-client", "sandbox-secret"
	}
	reg, err := integration.NewRegistry(o, time.Now, nil)
	require.NoError(t, err)
	t.Cleanup(reg.Close)
	s := &sandbox{t: t, reg: reg, api: api.New(api.Options{
		Registry: reg, Log: slog.New(slog.DiscardHandler), Wall: time.Now, Observe: exercised.note,
	})}
	s.token = s.grant(o.ClientID, o.ClientSecret)
	return s
}

// grant gets an access token.
func (s *sandbox) grant(id, secret string) string {
	s.t.Helper()
	body, err := json.Marshal(map[string]string{"clientId": id, "clientSecret": secret})
	require.NoError(s.t, err)
	r := httptest.NewRequest(http.MethodPost, "/Authentication/Token", strings.NewReader(string(body)))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	s.api.ServeHTTP(w, r)
	require.Equal(s.t, http.StatusOK, w.Code, w.Body.String())
	var answer struct{ AccessToken string }
	require.NoError(s.t, json.Unmarshal(w.Body.Bytes(), &answer))
	return answer.AccessToken
}

// call sends a request with the token and gives the answer.
func (s *sandbox) call(method, path, body string, header ...string) *httptest.ResponseRecorder {
	s.t.Helper()
	var in io.Reader
	if body != "" {
		in = strings.NewReader(body)
	}
	r := httptest.NewRequest(method, path, in)
	r.Header.Set("Authorization", "Bearer "+s.token)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		if header[i+1] == "" {
			r.Header.Del(header[i])
			continue
		}
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	s.api.ServeHTTP(w, r)
	s.conforms(r, w)
	return w
}

// ok is call for a call that must succeed; it reads the answer.
func (s *sandbox) ok(method, path, body string, header ...string) map[string]any {
	s.t.Helper()
	w := s.call(method, path, body, header...)
	require.Equal(s.t, http.StatusOK, w.Code, w.Body.String())
	answer := map[string]any{}
	if w.Body.Len() > 0 {
		require.NoError(s.t, json.Unmarshal(w.Body.Bytes(), &answer), w.Body.String())
	}
	return answer
}

// grantFor signs a token of the default integration.
func grantFor(tb testing.TB, reg *integration.Registry) string {
	tb.Helper()
	var t world.Token
	i := reg.Default()
	i.Do(&integration.Call{Silent: true}, func(w *world.World, _ *integration.Call) { t = w.IssueToken() })
	signed, err := i.Sign(t)
	require.NoError(tb, err)
	return signed
}
