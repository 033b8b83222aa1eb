package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/mockserver"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
)

// house makes a whole server, whose control API arms faults.
func house(t *testing.T) *mockserver.Server {
	t.Helper()
	s, err := mockserver.New(mockserver.Options{Integration: integration.Options{
		Seed: 5, Clock: integration.Manual, ClientID: "sandbox-client", ClientSecret: "sandbox-secret",
	}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close(context.WithoutCancel(t.Context()))) })
	return s
}

// tapeOf writes a server's tape.
func tapeOf(t *testing.T, s *mockserver.Server) (string, []tape.Entry) {
	t.Helper()
	now, stop := context.WithCancel(t.Context())
	stop()
	r := s.Registry().Default().Read(now, tape.Filter{})
	var b bytes.Buffer
	require.NoError(t, tape.Write(&b, r.Meta, slices.Values(r.Entries)))
	return b.String(), r.Entries
}

// TestReplayMeetsTheSameFaults plays a session with every effect again, without
// its delays and cuts: the tapes and what is left of the faults are equal.
func TestReplayMeetsTheSameFaults(t *testing.T) {
	t.Parallel()
	s := house(t)
	token, waits := "", []string(nil)
	call := func(method, path, body, header string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, "http://127.0.0.1"+path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+token)
		if header != "" {
			r.Header.Set("Sandbox-Fault", header)
		}
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		return w
	}
	var granted struct{ AccessToken string }
	w := call(http.MethodPost, "/Authentication/Token", `{"clientId":"sandbox-client","clientSecret":"sandbox-secret"}`, "")
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &granted), w.Body.String())
	token = granted.AccessToken
	const armed = "/_sandbox/integrations/default/faults"
	call(http.MethodPost, armed, `{"name":"down","match":{"operation":"listCompanies","nth":2},"effect":{"status":503},"count":2}`, "")
	call(http.MethodPost, armed, `{"effect":{"commitThenDrop":true},"match":{"operation":"createCompany"},"count":0}`, "")
	call(http.MethodPost, armed, `{"effect":{"stattus":1}}`, "")
	for n, header := range []string{
		"", "status=500; latency=1ms", "cut-connection", "cut-connection=headers", "cut-connection=body", "slow-body=1ms",
		"token-revoked", "bad", "commit-then-drop",
	} {
		call(http.MethodPost, "/Company/Create", string(fixtures.CompanyJSON(n)), header)
		call(http.MethodGet, "/Company/List", "", "")
	}
	call(http.MethodDelete, armed+"/fault-1", "", "")
	call(http.MethodPost, "/Company/Create", string(fixtures.CompanyJSON(50)), "token-revoked=token")
	call(http.MethodPost, "/Company/Create", string(fixtures.CompanyJSON(51)), "")
	call(http.MethodPost, armed, `{"effect":{"status":429},"count":0}`, "")
	call(http.MethodGet, "/Company/List", "", "")
	call(http.MethodDelete, armed, "", "")
	call(http.MethodPost, armed, `{"name":"outage","effect":{"status":503},"for":"1h"}`, "")
	const move = "/_sandbox/integrations/default/clock/advance"
	for _, by := range []string{"1m", "58m30s", "30s"} {
		call(http.MethodPost, move, `{"by":"`+by+`"}`, "")
		waits = append(waits, call(http.MethodPost, "/Authentication/Token", `{"clientId":"sandbox-client","clientSecret":"sandbox-secret"}`, "").Header().Get("Retry-After"))
	}
	require.Equal(t, []string{"3540", "30", ""}, waits, "what is left of the outage")

	want, entries := tapeOf(t, s)
	for _, part := range []string{
		`"fault":"down: status=503"`, `"fault":"fault-1: commit-then-drop"`, `"fault":"header: cut-connection=body"`,
		`"fault":"header: token-revoked=token"`, `"fault":"fault-2: status=429"`,
		`"fault":"outage: status=503"`,
	} {
		require.Contains(t, want, part)
	}
	fresh := house(t)
	require.NoError(t, fresh.Replay(t.Context(), fresh.Registry().Default(), entries))
	got, _ := tapeOf(t, fresh)
	for n, line := range strings.Split(want, "\n") {
		require.Equal(t, line, strings.Split(got, "\n")[n])
	}
	require.Len(t, got, len(want))
	require.Equal(t, s.Registry().Default().Faults().List(), fresh.Registry().Default().Faults().List())
}
