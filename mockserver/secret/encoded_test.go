package secret_test

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paysandbox/harness/sampling"
	"paysandbox/mockserver/secret"
)

// percents writes each byte, or some, with an escape.
func percents(s string, each int, form string) string {
	var out strings.Builder
	for i := range len(s) {
		if i%each == 0 {
			fmt.Fprintf(&out, form, s[i])
		} else {
			out.WriteByte(s[i])
		}
	}
	return out.String()
}

// encodings are the ways in which a secret is written besides its own.
var encodings = []func(s string) string{
	func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
	func(s string) string { return base64.StdEncoding.EncodeToString([]byte("c:" + s)) },
	func(s string) string { return base64.StdEncoding.EncodeToString([]byte("me:" + s + ":?>")) },
	func(s string) string { return base64.URLEncoding.EncodeToString([]byte("d:" + s + "~~~")) },
	func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) },
	func(s string) string { return hex.EncodeToString([]byte(s)) },
	func(s string) string { return strings.ToUpper(hex.EncodeToString([]byte(s))) },
	func(s string) string { return percents(s, 1, "%%%02X") },
	func(s string) string { return percents(s, 3, "%%%02x") },
	func(s string) string { return percents(s, 2, `\u%04x`) },
	func(s string) string { return percents(s, 1, "%%25%02X") },
	func(s string) string { return percents(s, 2, "%%2525%02x") },
	func(s string) string { return percents(base64.StdEncoding.EncodeToString([]byte("c:"+s)), 5, "%%%02X") },
}

// TestSecretsInOtherEncodings: wherever one stands, and whatever stands around it, it is found
// and struck; what is left is found and changes no more; lengths stay.
func TestSecretsInOtherEncodings(t *testing.T) {
	t.Parallel()
	sampling.Check(t, func(t *rapid.T) {
		value := rapid.StringMatching(`[A-Za-z0-9]{8,30}[!-~]{0,10}[0-9]`).Draw(t, "secret")
		v := secret.NewValues("eyJ")
		v.Add("another-secret-1", value)
		word := &v.Words()[len(v.Words())-1]
		require.True(t, word.Encoded())
		written := rapid.SampledFrom(encodings).Draw(t, "encoding")(value)
		text := rapid.StringMatching(`[a-z "{}:]{0,30}`).Draw(t, "before") + written + rapid.StringMatching(`[ "&,;][a-z "{}:]{0,30}`).Draw(t, "after")
		require.True(t, word.In(text), "%q in %q", value, text)
		require.True(t, word.InBytes([]byte(text)))
		struck := word.Text(text)
		require.Equal(t, struck, string(word.Body([]byte(text))))
		require.Equal(t, struck, word.Header(text))
		require.Len(t, struck, len(text))
		require.NotContains(t, struck, written)
		require.True(t, word.In(struck), "what is left is found again: %q", struck)
		require.Equal(t, struck, word.Text(struck))
		for _, read := range []func(string) string{
			func(s string) string { p, _ := url.PathUnescape(s); return p },
			func(s string) string { p, _ := base64.StdEncoding.DecodeString(s); return string(p) },
			func(s string) string { p, _ := base64.RawURLEncoding.DecodeString(s); return string(p) },
			func(s string) string { p, _ := hex.DecodeString(s); return string(p) },
		} {
			for _, piece := range append(strings.FieldsFunc(struck, func(c rune) bool { return strings.ContainsRune(` "&,;{}:`, c) }), struck) {
				require.NotContains(t, read(piece), value, "%q", piece)
			}
		}
	})
}

// TestWhatIsNoSecretStays: ids, amounts, times, Base64 and digits of anything else.
func TestWhatIsNoSecretStays(t *testing.T) {
	t.Parallel()
	v := secret.NewValues("eyJ")
	v.Add("secret-3f0c4a53-9d3e-4f1f-8e9d-8c117b0c5b0e", "whsec_5f0c5b0e3f0c4a539d3e6f1f0e9d8c33", "key-12345")
	word := &v.Words()[len(v.Words())-1]
	sampling.Check(t, func(t *rapid.T) {
		raw := rapid.SliceOfN(rapid.Byte(), 0, 60).Draw(t, "bytes")
		for _, text := range []string{
			rapid.StringMatching(`[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`).Draw(t, "id"),
			rapid.StringMatching(`\{"amount":[0-9]{1,9},"date":"20[0-9]{2}-[01][0-9]-[0-3][0-9]T12:00:00Z","note":"[a-z%\\ ]{0,40}"\}`).Draw(t, "body"),
			base64.StdEncoding.EncodeToString(raw), hex.EncodeToString(raw), url.QueryEscape(string(raw)), string(raw),
			"secret-3f0c4a53-9d3e-4f1f-8e9d-8c117b0c5b0e as it is, which another word finds",
		} {
			require.False(t, word.In(text), text)
			require.Equal(t, text, word.Text(text))
		}
	})
}

func BenchmarkEncoded(b *testing.B) {
	v := secret.NewValues("eyJ")
	v.Add("secret-3f0c4a53-9d3e-4f1f-8e9d-8c117b0c5b0e", "whsec_5f0c5b0e3f0c4a539d3e6f1f0e9d8c33", "key-12345")
	body := []byte(strings.Repeat(`{"locationId":"3f0c4a53-9d3e-4f1f-8e9d-8c117b0c5b0e","name":"Northside"},`, 14))
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for n := range v.Words() {
		b.Run([]string{"token", "plain", "plain", "plain", "encoded"}[n], func(b *testing.B) {
			for b.Loop() {
				if v.Words()[n].InBytes(body) {
					b.Fatal("found")
				}
			}
		})
	}
}

// TestTokensInOtherEncodings: an access token in Base64 or hexadecimal digits, of whomever,
// alone or with something before it, leaves nothing that opens a door.
func TestTokensInOtherEncodings(t *testing.T) {
	t.Parallel()
	v := secret.NewValues("eyJ")
	word := &v.Words()[len(v.Words())-1]
	for _, head := range []string{`{"alg":"HS256","typ":"JWT"}`, `{"alg":"RS256"}`, `{"typ":"JWT","alg":"EdDSA"}`} {
		token := base64.RawURLEncoding.EncodeToString([]byte(head)) + ".eyJhIjoxfQ.cAn4ryS1gnature-of_32_bytes"
		for n, write := range encodings[:7] {
			written := write(token)
			struck := word.Text("note " + written + " end")
			require.Len(t, struck, len("note  end")+len(written))
			require.NotContains(t, struck, written[len(written)/2:], "%d: %s", n, struck)
			require.Equal(t, struck, word.Text(struck))
			require.True(t, word.In(struck), "what is left is found again")
		}
	}
	require.False(t, word.In(base64.StdEncoding.EncodeToString([]byte(`{"alg":"none"}`))))
}
