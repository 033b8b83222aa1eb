package partner_test

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/partner"
)

// sealed is a data parameter: nonce, tag and what is said, under a key.
func sealed(tb testing.TB, key, nonce string, said []byte) []byte {
	tb.Helper()
	sum := sha256.Sum256([]byte(key))
	block, err := aes.NewCipher(sum[:])
	require.NoError(tb, err)
	gcm, err := cipher.NewGCM(block)
	require.NoError(tb, err)
	both := gcm.Seal(nil, []byte(nonce), said, nil)
	cut := len(both) - gcm.Overhead()
	return append(append([]byte(nonce), both[cut:]...), both[:cut]...)
}

// FuzzReadReturn: what the service has said is read as it was said, in either alphabet of
// base64; nobody else says anything, whatever stands in the address.
func FuzzReadReturn(f *testing.F) {
	f.Add("https://p.example/back?data=abc", "key", []byte(`{"paymentRequestId":"a","status":"Paid","amount":1}`), uint16(3))
	f.Add("http://[::1]:1/?a=b&data=%zz#data=", "", []byte(`{"amount":9007199254740993}`), uint16(40))
	f.Add("?data=", "k", []byte(`{"status":null}`), uint16(0))
	f.Fuzz(func(t *testing.T, address, key string, said []byte, at uint16) {
		_, err := partner.ReadReturn(address, key)
		require.Error(t, err, "nobody finds a tag by chance")
		raw := sealed(t, key, "twelve bytes", said)
		var want partner.Returned
		bad := json.Unmarshal(said, &want)
		for _, alphabet := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
			got, err := partner.ReadReturn("https://p.example/?data="+url.QueryEscape(alphabet.EncodeToString(raw)), key)
			require.Equal(t, bad == nil, err == nil)
			require.Equal(t, want, got)
		}
		raw[int(at)%len(raw)] ^= 1 << (at % 8)
		_, err = partner.ReadReturn("?data="+base64.RawURLEncoding.EncodeToString(raw), key)
		require.Error(t, err, "one bit is another")
	})
}

// FuzzPage: a page of a service under test says anything. Its form's address and parts are
// read without breaking, and what a person reads has no markup of one line.
func FuzzPage(f *testing.F) {
	f.Add([]byte(`<main><form method="post" action="/a?b=1&amp;c"><input type="hidden" name="t" value="x&quot;"><p data-testid="p"> a </p></form></main>`), "5; url=/next", "p")
	f.Add([]byte(`<a href="//[" data-testid="p">p</a><script>`), "1; url=:", "p")
	f.Add([]byte("<style><<<p data-testid=\"(\">"), "", "(")
	base := &url.URL{Scheme: "https", Host: "p.example"}
	f.Fuzz(func(t *testing.T, body []byte, refresh, name string) {
		name = strings.ToValidUTF8(name, "") // is ours
		p := &partner.Page{Address: base}
		p.Body, p.Header = body, http.Header{"Refresh": {refresh}}
		require.Equal(t, p.Text(), p.Text())
		require.NotContains(t, p.Text(), "\n")
		require.LessOrEqual(t, len(p.Outline()), 8*len(body)+len(refresh)+100)
		if address, _, ok := p.Again(); ok {
			_, err := url.Parse(address)
			require.NoError(t, err)
		}
		if link, err := p.Link(name); err == nil {
			_, err := url.Parse(link)
			require.NoError(t, err)
		}
		if part, err := p.Part(name); err == nil && utf8.Valid(body) {
			require.True(t, utf8.ValidString(part))
		}
	})
}
