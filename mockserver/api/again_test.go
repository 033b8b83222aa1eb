package api_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/api"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/tape"
)

// TestReplayOfMaskedBodies: what the tape masks must not decide anything, or a
// replay would decide it otherwise.
func TestReplayOfMaskedBodies(t *testing.T) {
	t.Parallel()
	o := integration.Options{Seed: 7}
	s := granted(t, o)
	s.company("gym")
	for _, ssn := range []string{"1234", "5678", "12345", "x"} {
		s.call(http.MethodPost, "/Payment/Create", `{"amount":1,"contactNumber":"2025550123","ssn":"`+ssn+`"}`, key, "k")
		s.call(http.MethodPost, "/Company/Create", companyJSON(t, "c"+ssn, "owner.ssn", ssn, "taxId", ssn, "owner.documentNumber", nil))
	}
	for _, body := range []string{goodCredentials, `{"clientId":"sandbox-client","clientSecret":"sandbox-secreT"}`, `{"clientId":"nobody","clientSecret":""}`, `{"clientId":"","clientSecret":"x"}`, `{"clientSecret":5}`, "{"} {
		s.call(http.MethodPost, "/auth/token", body)
	}
	s.call(http.MethodPost, "/auth/token?clientSecret=sandbox-secret&x=%zz;%ff", "{}")
	for _, h := range []string{"", "Bearer x", "Bearer " + s.token} {
		s.call(http.MethodGet, "/Company/List?x=1", "", "Authorization", h, "X-Forwarded-Proto", "https", "X-Forwarded-Host", "pay.example.com", "Accept", "text/plain")
		s.call(http.MethodPost, "/User/Register", `{"redirectUrl":"https://p.co"}`, "Authorization", h, "X-Forwarded-Proto", "https", "X-Forwarded-Host", "pay.example.com")
		s.call(http.MethodHead, "/company/list/", "", "Authorization", h)
		s.call(http.MethodPatch, "/Company/%4Cist/%2F", "", "Authorization", h)
	}
	replaysItself(t, s, o)
}

// TestReplayOfUnreadBodies: bodies that were refused unread are refused again.
func TestReplayOfUnreadBodies(t *testing.T) {
	t.Parallel()
	o := integration.Options{Seed: 7}
	s := granted(t, o)
	s.sendUnread()
	replaysItself(t, s, o)
}

// sendUnread sends what is too large, broken off or of another type.
func (s *sandbox) sendUnread() {
	s.call(http.MethodPost, "/User/Register", strings.Repeat(" ", api.MaxBody+1))
	s.brokenOff()
	s.call(http.MethodPost, "/User/Register", "")
	s.call(http.MethodPost, "/User/Register", "\xff")
	s.call(http.MethodPost, "/User/Register", `{"redirectUrl":"https://p.co"}`, "Content-Type", "")
	s.call(http.MethodPost, "/User/Register", `{"redirectUrl":"https://p.co"}`, "Content-Type", "a/b")
}

// TestReplayOfAnotherIntegration: a token call is found again under the knobs of
// the integration that it belongs to.
func TestReplayOfAnotherIntegration(t *testing.T) {
	t.Parallel()
	settings, err := latitude.Parse([]string{"response-names=pascal", "field-order=shuffled", "extra-response-fields=one", "unauthorised=empty-body", "rate-limit=10/s", "paths=reference-only"})
	require.NoError(t, err)
	o := integration.Options{Seed: 9, ClientID: "c9", ClientSecret: "s9", Clock: integration.Manual, Settings: settings}
	s := start(t, integration.Options{Seed: 7})
	i, err := s.reg.Create(o)
	require.NoError(t, err)
	s.token = s.call(http.MethodPost, "/Authentication/Token", `{"clientId":"c9","clientSecret":"s9"}`).Body.String()
	for n := range 15 {
		s.call(http.MethodPost, "/Authentication/Token", `{"clientId":"c9","clientSecret":"s9"}`)
		s.call(http.MethodPost, "/auth/token", `{"clientId":"c9","clientSecret":"`+string(rune('a'+n))+`"}`)
	}
	now, stop := context.WithCancel(t.Context())
	stop()
	recorded := i.Read(now, tape.Filter{}).Entries
	require.NotEmpty(t, recorded)
	fresh := &sandbox{t: t, reg: s.reg, api: s.api}
	require.NoError(t, i.Reset())
	feed(t, fresh, i, recorded)
	require.Equal(t, jsonl(t, recorded), jsonl(t, i.Read(now, tape.Filter{}).Entries))
}
