package api_test

import (
	"cmp"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// neighbour adds an integration and gives it with one of its tokens.
func (s *sandbox) neighbour(seed uint64) (*integration.Integration, string) {
	s.t.Helper()
	id := "client-" + time.Duration(seed).String()
	i, err := s.reg.Create(integration.Options{Seed: seed, ClientID: id, ClientSecret: "secret", Clock: integration.Manual})
	require.NoError(s.t, err)
	return i, s.grant(id, "secret")
}

// TestUnauthorised: whoever sends no token, something else, or one of ours whose time is
// over is told so; whatever is wrong with any other, the caller reads the same bytes, and
// the tape knows why.
func TestUnauthorised(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	other, foreign := s.neighbour(8)
	removed, deleted := s.neighbour(9)
	_, err := s.reg.Delete(removed.ID)
	require.NoError(t, err)
	good := s.token
	revoked := s.token
	s.did(func(w *world.World) error { w.RevokeTokens(); return nil })
	expired := s.grant("sandbox-client", "sandbox-secret")
	s.pass(time.Hour)
	s.token = s.grant("sandbox-client", "sandbox-secret")
	parts := strings.Split(s.token, ".")
	claims := jwt.MapClaims{}
	_, _, err = jwt.NewParser().ParseUnverified(s.token, claims)
	require.NoError(t, err)
	sign := func(m jwt.SigningMethod, key any, change func(jwt.MapClaims)) string {
		c := jwt.MapClaims{}
		for k, v := range claims {
			c[k] = v
		}
		change(c)
		out, err := jwt.NewWithClaims(m, c).SignedString(key)
		require.NoError(t, err)
		return out
	}
	same := func(jwt.MapClaims) {}
	first, own := "", map[string]string{
		tape.AuthMissing: "no Authorization header came", tape.AuthMalformed: "is not the word Bearer",
		tape.AuthExpired: "has expired", tape.AuthRevoked: "has been revoked",
	}
	for name, c := range map[string]struct {
		header []string
		want   string
	}{
		"missing":             {[]string{"Authorization", ""}, tape.AuthMissing},
		"no scheme":           {[]string{"Authorization", s.token}, tape.AuthMalformed},
		"basic":               {[]string{"Authorization", "Basic c2FuZGJveA=="}, tape.AuthMalformed},
		"scheme alone":        {[]string{"Authorization", "Bearer "}, tape.AuthMalformed},
		"no JWT":              {[]string{"Authorization", "Bearer nonsense"}, tape.AuthMalformed},
		"two parts":           {[]string{"Authorization", "Bearer " + parts[0] + "." + parts[1]}, tape.AuthMalformed},
		"no signature":        {[]string{"Authorization", "Bearer " + parts[0] + "." + parts[1] + "."}, tape.AuthWrongSignature},
		"other signature":     {[]string{"Authorization", "Bearer " + parts[0] + "." + parts[1] + "." + strings.Repeat("A", len(parts[2]))}, tape.AuthWrongSignature},
		"other key":           {[]string{"Authorization", "Bearer " + sign(jwt.SigningMethodHS256, []byte("sandbox-secret"), same)}, tape.AuthWrongSignature},
		"HS512":               {[]string{"Authorization", "Bearer " + sign(jwt.SigningMethodHS512, []byte("k"), same)}, tape.AuthWrongSignature},
		"none":                {[]string{"Authorization", "Bearer " + sign(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, same)}, tape.AuthAlgNone},
		"RS256 by its header": {[]string{"Authorization", "Bearer eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9." + parts[1] + "." + parts[2]}, tape.AuthWrongSignature},
		"of another":          {[]string{"Authorization", "Bearer " + foreign, "Sandbox-Integration", "default"}, tape.AuthForeign},
		"of a deleted one":    {[]string{"Authorization", "Bearer " + deleted}, tape.AuthForeign},
		"meant for another":   {[]string{"Authorization", "Bearer " + sign(jwt.SigningMethodHS256, []byte("k"), func(c jwt.MapClaims) { c["integration"] = "nobody" })}, tape.AuthForeign},
		"expired":             {[]string{"Authorization", "Bearer " + expired}, tape.AuthExpired},
		"revoked":             {[]string{"Authorization", "Bearer " + revoked}, tape.AuthRevoked},
	} {
		w := s.call(http.MethodGet, "/Company/List", "", c.header...)
		require.Equal(t, http.StatusUnauthorized, w.Code, name)
		require.Equal(t, "Bearer", w.Header().Get("WWW-Authenticate"), name)
		body := withoutTrace(t, w)
		if said := own[c.want]; said != "" {
			require.Contains(t, body, said, name)
		} else {
			first = cmp.Or(first, body)
			require.Equal(t, first, body, name)
		}
		entries := s.entries(tape.KindExchange)
		last := entries[len(entries)-1].Exchange
		require.Equal(t, c.want, last.Auth, name)
		require.Equal(t, "listCompanies", last.Operation)
		if place := w.Header().Get("Sandbox-Integration"); c.want != tape.AuthExpired && name != "revoked" {
			require.Equal(t, integration.DefaultID, place, name)
		} else {
			require.Empty(t, place, name)
		}
	}
	require.NotEqual(t, good, s.token)
	s.ok(http.MethodGet, "/Company/List", "", "Authorization", "bEARER "+s.token)
	s.ok(http.MethodGet, "/Company/List", "", "Authorization", "Bearer "+foreign)
	s.ok(http.MethodGet, "/Company/List", "", "Authorization", "Bearer "+foreign, "Sandbox-Integration", other.ID)
	s.call(http.MethodGet, "/Company/List", "", "Authorization", "", "Sandbox-Integration", other.ID)
	require.NotEqual(t, "missing", s.entries(tape.KindExchange)[len(s.entries(tape.KindExchange))-1].Exchange.Auth) // it is on the other's tape
}

// TestAttackStrangersLearnNothing: where others than the owner can call, an answer to a
// caller that nobody knows tells neither how much there is on whose tape, nor the seed.
func TestAttackStrangersLearnNothing(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7, Secret: []byte("of the process")})
	for _, token := range []string{"", "Bearer x"} {
		w := s.call(http.MethodGet, "/Company/List", "", "Authorization", token)
		require.Equal(t, http.StatusUnauthorized, w.Code)
		require.Empty(t, w.Header().Get("Sandbox-Exchange"))
		require.Empty(t, w.Header().Get("Sandbox-Integration"))
		require.NotContains(t, w.Body.String(), "0000000000000007", "the seed")
		require.Contains(t, w.Body.String(), `"instance":"/Company/List"`, "no place on a tape")
	}
	w := s.call(http.MethodGet, "/Payment/nothing/Status", "")
	require.NotEmpty(t, w.Header().Get("Sandbox-Exchange"))
	require.NotContains(t, w.Body.String(), "0000000000000007", "the seed")
}

// TestTokenBoundary: a token is good until the second in which it ends.
func TestTokenBoundary(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	s.pass(time.Hour - time.Nanosecond)
	s.ok(http.MethodGet, "/Company/List", "")
	s.pass(time.Nanosecond)
	s.refused(http.StatusUnauthorized, http.MethodGet, "/Company/List", "")
}

// TestEveryOperationNeedsAToken, whatever is wrong with the rest of the call.
func TestEveryOperationNeedsAToken(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	for _, op := range s.api.Operations() {
		if op.Open {
			continue
		}
		for _, body := range []string{"", "{", "[]"} {
			p := s.refused(http.StatusUnauthorized, op.Method, strings.NewReplacer("{", "", "}", "").Replace(op.Path), body, "Authorization", "Bearer x", "Content-Type", "image/png")
			require.Empty(t, p.Findings, op.ID)
			require.Equal(t, "urn:paysandbox:problem:unauthorised", p.Type)
		}
	}
	// A token that was good once tells no more of the body.
	s.pass(2 * time.Hour)
	p := s.refused(http.StatusUnauthorized, http.MethodPost, "/Company/Create", `{"owner":{"ssn":"x"}}`)
	require.Empty(t, p.Findings)
	require.Empty(t, s.call(http.MethodPost, "/Company/Create", `{"colour":1}`).Header().Get("Sandbox-Warning"))
}
