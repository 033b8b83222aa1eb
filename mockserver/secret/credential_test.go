package secret_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/secret"
)

// TestCredentialsInText: keys by how they begin, and what follows a word that says so, are
// struck; sentences, ids and amounts stay.
func TestCredentialsInText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"key sk_" + "live_4eC39HqLyjWDarjtT1zdp7dc":                                          "key sk_live_1xX11XxXxxXXxxxxX1xxx1xx",
		"AK" + "IAIOSFODNN7EXAMPLE, whsec_aB3dE6gH9jK2mN":                                    "AKIAXXXXXXXX1XXXXXXX, whsec_xX1xX1xX1xX1xX",
		"gh" + "p_16C7e42F292c6912E7710c838347Ae178B4a":                                      "ghp_11X1x11X111x1111X1111x111111Xx111X1x",
		"xo" + "xb-123456789012-abcDEF":                                                      "xoxb-111111111111-xxxXXX",
		"sent Bearer 8f3Kd0qLmZ7tRw2x to them":                                               "sent Bearer 1x1Xx1xXxX1xXx1x to them",
		"authorization: bearer  Zk9-_.~Zk9Zk9Zk9Zk9=":                                        "authorization: bearer  Xx1-_.~Xx1Xx1Xx1Xx1=",
		"Basic dXNlcjpwYXNz":                                                                 "Basic xXXxxxxxXXXx",
		`{"note":"{\"password\": \"Tr0ub4dor&3\"}"}`:                                         `{"note":"{\"password\": \"Xx1xx1xxx&3\"}"}`,
		"https://e.com/?api_key=abcd1234&x=1 password=hunter":                                "https://e.com/?api_key=xxxx1111&x=1 password=xxxxxx",
		"the password is hunter22, client_secret: s3cr3t-s":                                  "the password is xxxxxx11, client_secret: x1xx1x-x",
		`-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIB\nAAKCAQEA\n-----END RSA PRIVATE KEY-----`: `-----BEGIN RSA PRIVATE KEY-----\nXXXXxXXX\nXXXXXXXX\n-----END RSA PRIVATE KEY-----`,
		"password: swordfish, Password: Correct-Horse":                                       "password: xxxxxxxxx, Password: Xxxxxxx-Xxxxx",
		`{"note":"passwd: hunter"} passphrase: letmein`:                                      `{"note":"passwd: xxxxxx"} passphrase: xxxxxxx`,
		// what stays
		"password: required. Password: must be longer; passport: swordfish, pwd: later, password: reset.":    "",
		"Basic SubscriptionPlan, basic authentication failed":                                                "",
		"the bearer of this voucher, bearer authentication":                                                  "",
		"password: please reset it, secret sauce 12345678":                                                   "",
		"Bearer eyJhbGciOi.eyJzdWIi.xxxxxxxx":                                                                "",
		`{"secret":-1.5e10,"password":0123456,"a":1}`:                                                        "",
		`password=\u0068unter22`:                                                                             "",
		"password=**** pwd={password} secret=<secret>":                                                       "",
		"3f0c4a53-9d3e-4f1f-8e9d-8c117b0c5b0e 2026-03-02T17:00:00Z +12025550123 1,250.00 USD INV-2026-00012": "",
		"task_test_1 desk_live_music":                                                                        "",
	} {
		if want == "" {
			want = text
		}
		require.Equal(t, want, secret.Text(text))
		steady(t, text)
	}
	for _, part := range []string{"password=", "Bearer ", "Basic a", "sk_live_", "-----BEGIN PRIVATE KEY-----", "secret is "} {
		_ = secret.Text(strings.Repeat(part, 1<<20/len(part))) // in time by length
	}
}

// TestEachLeadAnywhere: a credential is found wherever in a text its lead begins, and in
// letters of either case where case does not count.
func TestEachLeadAnywhere(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"sk_" + "live_4eC39HqLyjWDarjtT1zdp7dc", "AK" + "IAIOSFODNN7EXAMPLE", "SG" + ".aB3dE6gH9jK2mN5pQ8", "npm" + "_aB3dE6gH9jK2mN5pQ8", "gh" + "p_16C7e42F292c6912E7710c838347Ae178B4a",
		"Bearer 8f3Kd0qLmZ7tRw2x", "basic dXNlcjpwYXNz", "pwd=hunter22", "PWD: hunter22", `Pwd\":\"hunter22`, "pwd is hunter22", "pwd%20= hunter22", "PASSWORD=hunter22",
		"Secret_Key=abcd1234", "Api-Key: abcd1234", "accessToken=abcd1234",
	} {
		for before := range 20 {
			whole := strings.Repeat(" ", before) + text
			require.NotEqual(t, whole, secret.Text(whole))
			require.Equal(t, strings.Repeat(" ", before)+secret.Text(text), secret.Text(whole))
		}
	}
}
