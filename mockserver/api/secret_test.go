package api_test

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
)

// jsonl writes a whole tape as a file.
func jsonl(t *testing.T, entries []tape.Entry) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, tape.Write(&b, tape.Meta{}, slices.Values(entries)))
	return b.String()
}

// TestSecretsStayInside: neither answers nor the tape hold a secret that was
// sent, in whatever shape the request came.
func TestSecretsStayInside(t *testing.T) {
	t.Parallel()
	const ssn, document, tax, secret = "7391", "Quetzalcoatl", "98-7654321", "grand-Piano-Staple"
	s := start(t, integration.Options{Seed: 7, ClientID: "c", ClientSecret: secret})
	var answers strings.Builder
	tokens := []string{s.token}
	send := func(path, body string, header ...string) {
		answers.WriteString(s.call(http.MethodPost, path, body, header...).Body.String())
	}
	good := companyJSON(t, "gym", "owner.ssn", ssn, "owner.documentNumber", document, "taxId", tax)
	send("/Company/Create", good)
	require.Contains(t, answers.String(), "companyId")
	for _, body := range []string{
		strings.Replace(good, "gym", "", 1),
		strings.Replace(good, `"ssn":"`+ssn+`"`, `"ssn":"`+ssn+ssn+`"`, 1),
		strings.Replace(good, `"ssn":"`+ssn+`"`, `"ssn":`+ssn, 1),
		strings.Replace(good, `"ssn":"`+ssn+`"`, `"ssn":{"a":["`+ssn+`"]}`, 1),
		strings.Replace(good, `"ssn":"`+ssn+`"`, `"SSN":"`+ssn+`","ssn":"`+ssn+`"`, 1),
		strings.Replace(good, `"owner":{`, `"owner":[`, 1),
		strings.Replace(good, `"owner":`, `"owners":`, 1),
		strings.Replace(good, `"ssn":`, `"ssn" : `, 1),
		good[:len(good)-1], good[:strings.Index(good, ssn)+4], good + "x",
		strings.Replace(good, ssn, `\u00`+"37391", 1),
		`{"ssn":"` + ssn + `","documentNumber":"` + document + `","taxId":"` + tax + `"}`,
		`["` + good + `"]`, strings.ReplaceAll(good, `"`, `'`),
	} {
		send("/Company/Create", body)
	}
	send("/Payment/Create", `{"amount":1,"ssn":"`+ssn+`","owner":{"documentNumber":"`+document+`"}}`)
	send("/auth/token", fmt.Sprintf(`{"clientId":"c","clientSecret":%q}`, secret))
	for _, body := range []string{
		fmt.Sprintf(`{"clientId":"nobody","clientSecret":%q}`, secret), fmt.Sprintf(`{"clientId":7,"ClientSecret":%q}`, secret), fmt.Sprintf(`{"clientId":"c","clientSecret":%q`, secret),
		fmt.Sprintf(`{"clientId":"c","clientSecret":[%q]}`, secret), fmt.Sprintf(`{"clientId":"c","clientSecret":%q,"clientSecret":%q}`, secret, secret),
		"clientId=c&clientSecret=" + secret,
	} {
		send("/Authentication/Token", body)
	}
	send("/auth/token", "clientId=c&clientSecret="+secret, "Content-Type", "application/x-www-form-urlencoded")
	send("/Company/Create", good, "Content-Type", "text/plain")
	send("/Company/Create", good, "Authorization", "Bearer x")
	send("/Company/Creat", good)
	send("/User/Register", `{"redirectUrl":"https://p.co","clientSecret":"`+secret+`"}`)
	for _, part := range strings.Split(answers.String(), `"accessToken":"`)[1:] {
		tokens = append(tokens, part[:strings.IndexByte(part, '"')])
	}
	require.Len(t, tokens, 2)
	file := jsonl(t, s.entries())
	for _, hidden := range []string{document, tax, secret} {
		require.NotContains(t, answers.String(), hidden)
		require.NotContains(t, file, hidden)
	}
	for _, token := range tokens {
		require.NotContains(t, file, token)
		require.NotContains(t, file, token[strings.LastIndexByte(token, '.')+1:])
	}
	require.NotContains(t, answers.String(), `"`+ssn)
	for _, line := range strings.Split(file, "\n") {
		require.NotRegexp(t, `(?i)ssn[^0-9]{1,40}`+ssn, line)
	}
}

// TestSecretsInQueries: what a caller puts into the query by mistake is hidden
// on the tape too.
func TestSecretsInQueries(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{Seed: 7})
	s.call(http.MethodPost, "/auth/token?clientId=sandbox-client&clientSecret=sandbox-secret", `{}`)
	s.call(http.MethodGet, "/Company/List?access_token="+s.token, "")
	file := jsonl(t, s.entries())
	require.NotContains(t, file, "sandbox-secret")
	require.NotContains(t, file, s.token)
}
