package hosted

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strings"

	"paysandbox/mockserver/integration"
)

// csrfField is the name of the hidden field with a form's token.
const csrfField = "csrf"

// token is what a form of the page must bring back. It follows from a secret of
// the integration and from the page alone, so nothing has to be kept; a foreign
// site that does not know the page's address cannot make one.
func token(i *integration.Integration, at place) string {
	key := hmac.New(sha256.New, []byte(i.Options().ClientSecret))
	key.Write([]byte("page-form\x00" + i.ID))
	mac := hmac.New(sha256.New, key.Sum(nil))
	mac.Write([]byte(at.kind + "\x00" + at.id + "\x00" + strings.Join(at.rest, "\x00")))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// sameToken compares in constant time.
func sameToken(given, right string) bool { return hmac.Equal([]byte(given), []byte(right)) }

// hideToken replaces a token in what goes on the tape.
func hideToken(body []byte, token string) []byte {
	return []byte(strings.ReplaceAll(string(body), token, strings.Repeat("x", len(token))))
}
