package api_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/integration"
)

func TestAccountLink(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	id := s.register("+12025550123")
	token := s.ok(http.MethodPost, "/account/linktoken", fmt.Sprintf(`{"VerificationId":%q}`, id))
	require.Equal(t, "2026-03-02T17:30:00Z", token["expiration"])
	require.Contains(t, token["linkToken"], "link-")
	link := fmt.Sprintf(`{"tokenId":%q,"publicToken":"public-good","linkAccountsMetadata":{"linkSessionId":"s","institutionId":"i","accountIds":["000000002222"]}}`, token["tokenId"])
	require.Equal(t, map[string]any{"refreshToken": nil, "isOk": true, "errors": []any{}, "screenerErrors": []any{}, "linkError": nil}, s.ok(http.MethodPut, "/Account/Link", link))
	require.Equal(t, `{"status":"Registered","accountMask":"*2222"}`, s.call(http.MethodGet, "/User/"+id+"/Status", "").Body.String())
	used := s.ok(http.MethodPut, "/account/link/", link) // works once
	require.Equal(t, false, used["isOk"])
	require.NotEmpty(t, used["linkError"].(map[string]any)["errorCode"])

	late := s.register("+12025550124")
	token = s.ok(http.MethodPost, "/Account/LinkToken", fmt.Sprintf(`{"verificationId":%q}`, late))
	s.pass(30 * time.Minute)
	expired := s.ok(http.MethodPut, "/Account/Link", fmt.Sprintf(`{"tokenId":%q,"publicToken":"public-good"}`, token["tokenId"]))
	require.Equal(t, "EXPIRED_LINK_TOKEN", expired["linkError"].(map[string]any)["errorCode"])
	require.Equal(t, "Pending", s.ok(http.MethodGet, "/User/"+late+"/Status", "")["status"])
	token = s.ok(http.MethodPost, "/Account/LinkToken", fmt.Sprintf(`{"verificationId":%q}`, late))
	odd := s.ok(http.MethodPut, "/Account/Link", fmt.Sprintf(`{"tokenId":%q,"publicToken":"public-goood"}`, token["tokenId"]))
	require.Contains(t, odd["linkError"].(map[string]any)["errorMessage"], "good")
	require.Equal(t, false, s.ok(http.MethodPut, "/Account/Link", `{"tokenId":"`+nobody+`","publicToken":"public-good"}`)["isOk"])
}

func TestAccountLinkRules(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	for body, want := range map[string]string{
		`{}`: "/verificationId account.link-token.verification-id", `{"verificationId":"x"}`: "/verificationId account.link-token.verification-id-form",
		`{"verificationId":"` + nobody + `"}`: "/verificationId account.link-token.verification-id-known", `{"verificationId":5}`: "/verificationId request.type",
	} {
		require.Equal(t, []string{want}, s.refused(http.StatusBadRequest, http.MethodPost, "/Account/LinkToken", body).clauses(), body)
	}
	require.Equal(t, []string{"/tokenId account.link.token-id", "/publicToken account.link.public-token"}, s.refused(http.StatusBadRequest, http.MethodPut, "/Account/Link", `{}`).clauses())
	p := s.refused(http.StatusBadRequest, http.MethodPut, "/Account/Link", `{"tokenId":"x","publicToken":"p","linkAccountsMetadata":{"accountIds":[1,null,"a"]}}`)
	require.ElementsMatch(t, []string{"/tokenId account.link.token-id-form", "/linkAccountsMetadata/accountIds/0 request.type", "/linkAccountsMetadata/accountIds/1 request.type"}, p.clauses())
}
