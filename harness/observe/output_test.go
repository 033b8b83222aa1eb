package observe_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/observe"
)

// TestSecretsInOutput are found whatever writes they come in, each is told once, and
// everything is passed on as it came.
func TestSecretsInOutput(t *testing.T) {
	t.Parallel()
	const token = "eyJhbGciOiJIUzI1NiJ9.eyJqdGkiOiIxYTJkMjdlYyJ9.0123456789abcdefghijklmno"
	const other = "eyJhbGciOiJIUzI1NiJ9.eyJub25jZSI6IjEyMzQifQ.0123456789abcdefghijklmno"
	secrets := []observe.Secret{{Name: "client secret", Value: "s3cret-of-the-client"}, {Name: "webhook secret", Value: ""}}
	text := []byte("fetched " + token + " for s3cret-of-the-client\n" + token + " again, and " + other + "\n")
	for _, size := range []int{1, 7, 30, len(text)} {
		var out bytes.Buffer
		var found []string
		o := observe.NewOutput(&out, secrets, func(secret string) { found = append(found, secret) })
		for rest := text; len(rest) > 0; {
			n := min(size, len(rest))
			_, err := o.Write(rest[:n])
			require.NoError(t, err)
			rest = rest[n:]
		}
		require.Equal(t, string(text), out.String())
		require.ElementsMatch(t, []string{"access token", "client secret"}, found, size)
	}
	for _, credentials := range []string{"a:s3cret-of-the-client", "ab:s3cret-of-the-client", "abc:s3cret-of-the-client!"} {
		var found []string
		o := observe.NewOutput(&bytes.Buffer{}, secrets, func(secret string) { found = append(found, secret) })
		_, err := o.Write([]byte("Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(credentials))))
		require.NoError(t, err)
		require.Equal(t, []string{"client secret"}, found, credentials)
	}
	for what, printed := range map[string]string{
		"base64":              "auth " + base64.StdEncoding.EncodeToString([]byte(token)) + "\n",
		"base64 of a header":  base64.RawURLEncoding.EncodeToString([]byte("Bearer " + token)),
		"base64 behind a key": "k" + base64.StdEncoding.EncodeToString([]byte(token)),
		"hex":                 hex.EncodeToString([]byte(token)),
	} {
		var found []string
		o := observe.NewOutput(&bytes.Buffer{}, secrets, func(secret string) { found = append(found, secret) })
		for _, half := range []string{printed[:50], printed[50:]} {
			_, err := o.Write([]byte(half))
			require.NoError(t, err)
		}
		require.Equal(t, []string{"access token"}, found, what)
	}
	var found []string
	o := observe.NewOutput(&bytes.Buffer{}, secrets, func(secret string) { found = append(found, secret) })
	_, err := o.Write([]byte(hex.EncodeToString([]byte("s3cret-of-the-client"))))
	require.NoError(t, err)
	require.Equal(t, []string{"client secret"}, found, "in hex")
	o = observe.NewOutput(&bytes.Buffer{}, secrets, func(secret string) { require.Fail(t, secret) })
	_, err = o.Write([]byte("payment 4711 is Paid; " + other + " " + base64.StdEncoding.EncodeToString([]byte(other))))
	require.NoError(t, err)
}
