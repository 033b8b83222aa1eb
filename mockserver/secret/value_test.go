package secret_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paysandbox/harness/sampling"
	"paysandbox/mockserver/secret"
)

// TestInBytes holds that a secret is seen wherever it stands, however often its bytes
// stand elsewhere.
func TestInBytes(t *testing.T) {
	t.Parallel()
	sampling.Check(t, func(t *rapid.T) {
		value := rapid.StringMatching(`[ab]{7}[ab#]{9}`).Draw(t, "secret")
		v := secret.NewValues("eyJ")
		v.Add(value)
		word := v.Words()[1]
		body := []byte(rapid.StringMatching(`[ab#]{0,80}`).Draw(t, "body"))
		require.Equal(t, bytes.Contains(body, []byte(value)), word.InBytes(body), "%q in %q", value, body)
		at := rapid.IntRange(0, len(body)).Draw(t, "at")
		body = append(body[:at:at], append([]byte(value), body[at:]...)...)
		require.True(t, word.InBytes(body), "%q in %q", value, body)
	})
}

// TestTokensOfAnybody: of whatever is a token the signature is struck, of nothing else anything.
func TestTokensOfAnybody(t *testing.T) {
	t.Parallel()
	v := secret.NewValues("eyJ")
	word := &v.Words()[0]
	for text, want := range map[string]string{
		"see eyJhbGciOiJub25lIn0.eyJhIjoxfQ.c2lnbmF0dXJl!": "see eyJhbGciOiJub25lIn0.eyJhIjoxfQ.xxxxxxxxxxxx!",
		"eyJraWQiOjF9.eyJhIjoxfQ.YQ eyJ eyJa.b.":           "eyJraWQiOjF9.eyJhIjoxfQ.xx eyJ eyJa.b.",
		"eyJ.eyJ.eyJ eyJa..b eyJhIjoxfQ":                   "eyJ.eyJ.xxx eyJa..b eyJhIjoxfQ",
	} {
		require.Equal(t, want, word.Text(text))
		require.Equal(t, want, string(word.Body([]byte(want))), "struck again")
	}
}
