package source_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/source"
)

// TestSecrets: what stands alone, or beside a name of a secret, may be one.
func TestSecrets(t *testing.T) {
	t.Parallel()
	const secret = "whk_104d468a3ad4"
	encoded := base64.StdEncoding.EncodeToString([]byte(secret + "\n"))
	for _, text := range []string{
		secret, secret + "\r\n", "WEBHOOK_SECRET=" + secret, "  webhook-secret: " + encoded + "\n", `{"hmacKey":"` + secret + `"}`, "const secret = '" + secret + "';",
		"the secret is " + secret + ".", "TESSERA_HOOK_SECRET=" + secret, "signing key: `" + secret + "`", "a: b\nsigning_key : " + secret + " # ours", "the secret is still\n\n    " + secret + "\n",
	} {
		require.Contains(t, source.Secrets([]byte(text)), secret, text)
	}
	for _, text := range []string{"the secret that was valid then:\n    " + secret + "\n", "Webhook secret (old):\r\n\r\n> " + secret, "secret:\nold " + secret} {
		require.Contains(t, source.Secrets([]byte(text)), secret, text)
	}
	const plain = "cl1n1c-2026-Q2"
	require.Contains(t, source.Secrets([]byte("the secret was:\n"+plain)), plain)
	require.NotContains(t, source.Secrets([]byte("the secret:\na line of many words and "+plain+" in it")), plain, "a sentence")
	require.NotContains(t, source.Secrets([]byte("the secret is old\n-\n-\n"+plain)), plain, "far behind")
	require.Empty(t, source.Secrets([]byte("a sandbox-client-7 b")), "nothing says that it is one")
	require.NotContains(t, source.Secrets([]byte("our secret\nis plain-word-12 as before")), "plain-word-12", "a word of another line, and not alone")
	require.LessOrEqual(t, len(source.Secrets([]byte(strings.Repeat("secret abcdefgh1 abcdefgh2\n", 10_000)+strings.Repeat("secret a=b=c=d=e=f:g", 1000)))), 400)
}

func FuzzSecrets(f *testing.F) {
	f.Add("secret: d2hrXzEwNGQ0NjhhM2FkNAo=")
	f.Fuzz(func(t *testing.T, text string) {
		for _, s := range source.Secrets([]byte(text)) {
			require.True(t, len(s) >= 8 && len(s) <= 200, s)
		}
	})
}
