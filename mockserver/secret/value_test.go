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
