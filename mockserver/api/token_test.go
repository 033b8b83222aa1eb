package api_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/golang-jwt/jwt/v5"
	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/tape"
)

const goodCredentials = `{"clientId":"sandbox-client","clientSecret":"sandbox-secret"}`

func TestToken(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	for path, body := range map[string]string{
		"/Authentication/Token": goodCredentials, "/auth/token": `{"ClientId":"sandbox-client","ClientSecret":"sandbox-secret"}`, "/authentication/token/": goodCredentials, "/Auth/Token": goodCredentials,
	} {
		answer := s.ok(http.MethodPost, path, body, "Authorization", "")
		require.Equal(t, "Bearer", answer["tokenType"])
		require.Equal(t, 3600., answer["expiresInSeconds"])
		require.Len(t, answer, 3)
		token, _, err := jwt.NewParser().ParseUnverified(answer["accessToken"].(string), jwt.MapClaims{})
		require.NoError(t, err)
		require.Equal(t, "HS256", token.Method.Alg())
		s.token = answer["accessToken"].(string)
		s.ok(http.MethodGet, "/Company/List", "")
	}
	s.ok(http.MethodPost, "/auth/token", goodCredentials, "Authorization", "Bearer nonsense") // the token call needs none
}

func TestTokenRefusals(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	var bodies []string
	for _, body := range []string{`{"clientId":"sandbox-client","clientSecret":"wrong"}`, `{"clientId":"nobody","clientSecret":"sandbox-secret"}`, `{"clientId":"Sandbox-Client","clientSecret":"sandbox-secret"}`} {
		w := s.call(http.MethodPost, "/Authentication/Token", body)
		p := readProblem(t, http.StatusUnauthorized, w)
		require.Empty(t, p.Event, "no mark of the sandbox's own may leave it")
		bodies = append(bodies, withoutTrace(t, w))
		entries := s.entries(tape.KindExchange)
		require.Equal(t, tape.AuthCredentialsWrong, entries[len(entries)-1].Exchange.Auth)
	}
	require.Equal(t, bodies[0], bodies[1])
	require.Equal(t, bodies[0], bodies[2])
	require.Equal(t, []string{"/clientId token.client-id", "/clientSecret token.client-secret"}, s.refused(http.StatusBadRequest, http.MethodPost, "/auth/token", `{}`).clauses())
	p := s.refused(http.StatusBadRequest, http.MethodPost, "/auth/token", `{"clientId":5,"clientSecret":123456}`)
	require.Equal(t, []string{"/clientId request.type", "/clientSecret request.type"}, p.clauses())
	require.NotContains(t, p.Findings[1].Received, "123456")
	s.refused(http.StatusUnsupportedMediaType, http.MethodPost, "/auth/token", "clientId=sandbox-client", "Content-Type", "application/x-www-form-urlencoded")
	s.refused(http.StatusMethodNotAllowed, http.MethodGet, "/auth/token", "")
}

// TestTokenOfAnotherIntegration: the knobs of the integration that the client
// id names hold for its token call.
func TestTokenOfAnotherIntegration(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	settings, err := latitude.Parse([]string{"response-names=pascal", "extra-response-fields=one", "token-lifetime=60", "token-refusal=400", "token-paths=reference-only"})
	require.NoError(t, err)
	_, err = s.reg.Create(integration.Options{Seed: 9, ClientID: "c9", ClientSecret: "s9", Clock: integration.Manual, Settings: settings})
	require.NoError(t, err)
	answer := s.ok(http.MethodPost, "/Authentication/Token", `{"clientId":"c9","clientSecret":"s9"}`, "Authorization", "")
	require.Equal(t, 60., answer["ExpiresInSeconds"], answer)
	require.Len(t, answer, 4)
	s.refused(http.StatusBadRequest, http.MethodPost, "/Authentication/Token", `{"clientId":"c9","clientSecret":"no"}`)
	s.refused(http.StatusNotFound, http.MethodPost, "/auth/token", `{"clientId":"c9","clientSecret":"s9"}`)
	s.ok(http.MethodPost, "/auth/token", goodCredentials)
}

// withoutTrace is a problem's bytes without what numbers the exchange.
func withoutTrace(t *testing.T, w *httptest.ResponseRecorder) string {
	t.Helper()
	doc := map[string]any{}
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &doc), w.Body.String())
	doc["traceId"], doc["instance"] = "", ""
	out, err := json.Marshal(doc)
	require.NoError(t, err)
	return string(out)
}
