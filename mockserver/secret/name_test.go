package secret_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/secret"
)

func TestNamed(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"ssn", "SSN", "ownerSsn", "clientSecret", "client_secret", "client-secret", "ClientSecret", "password", "cvv", "card_number",
		"apiKey", "X-Api-Key", "PIN", "Authorization", "pass word", "refreshToken", "private.key", "accountNumber", "access_token", "accessToken", "token", "taxId", "tax-id", "documentNumber",
	} {
		require.True(t, secret.Named(name), name)
		require.True(t, secret.Logged(name), name)
	}
	for _, name := range []string{"", "name", "companyId", "tokens", "tokenCount", "accountType", "debitAuthorizationId", "cardBrand", "pinned", "company", "cookies", "signature"} {
		require.False(t, secret.Named(name), name)
	}
	for _, name := range []string{"authorization", "cardBrand", "account", "tokens"} {
		require.True(t, secret.Logged(name), "a log does without %s", name)
	}
	require.False(t, secret.Logged("path"))
}

func TestNamesOfARequest(t *testing.T) {
	t.Parallel()
	var n secret.Names
	n.Add("documentType", false)
	n.Add("mothersName", true)
	n.Add("title", false)
	for name, want := range map[string]bool{
		"documentType": false, "DOCUMENTTYPE": false, "documentNumber": true, "mothersName": true, "mothers_name": true,
		"motherName": true, "grandfathersName": false, "title": false, "token": true, "anything": false,
	} {
		require.Equal(t, want, n.Has(name), name)
	}
}

func TestQuery(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"": "", "a=b": "a=b", "client_secret=abc&b=c": "client_secret=xxx&b=c", "clientSecret=a%20": "clientSecret=xxxx",
		"client%5Fsecret=abc": "client%5Fsecret=xxx", "%zz=abc": "%zz=xxx", "token=abc&token": "token=xxx&token=", "sig=abc&X-Amz-Signature=a&api_key=b&cookies=c": "sig=xxx&X-Amz-Signature=x&api_key=x&cookies=c", "page=1&ssn=123-45-6789": "page=1&ssn=xxxxxxxxxxx",
	} {
		require.Equal(t, want, secret.Query(raw), raw)
	}
}

func TestShownDigits(t *testing.T) {
	t.Parallel()
	for digits, want := range map[int][2]int{0: {0, 0}, 10: {0, 0}, 11: {6, 4}, 16: {6, 4}} {
		head, tail := secret.ShownOfCard(digits)
		require.Equal(t, want, [2]int{head, tail}, digits)
	}
	for number, want := range map[string]int{"": 0, "12": 2, "12345678": 4, "10001": 5, "1234510001": 6} {
		require.Equal(t, want, secret.ShownOfAccount(number), number)
	}
}
