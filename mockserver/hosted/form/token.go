package form

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// tokenField is the name of the hidden field with a form's token.
const tokenField = "csrf"

// Token is what a form of a page must bring back. It follows from a secret of the
// integration and from the page's address below it alone, so nothing has to be
// kept; a foreign site that does not know the address cannot make one.
func Token(secret, integration, page string) string {
	key := hmac.New(sha256.New, []byte(secret))
	key.Write([]byte("page-form\x00" + integration))
	kind, below, _ := strings.Cut(page, "/")
	id, below, _ := strings.Cut(below, "/")
	mac := hmac.New(sha256.New, key.Sum(nil))
	mac.Write([]byte(kind + "\x00" + id + "\x00" + strings.ReplaceAll(below, "/", "\x00")))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// HideToken replaces a token in what goes on the tape.
func HideToken(body []byte, token string) []byte {
	return []byte(strings.ReplaceAll(string(body), token, strings.Repeat("x", len(token))))
}

// ReadWithToken reads a form that has to bring a token, which is hidden once it
// has been compared, in constant time.
func ReadWithToken(body []byte, fields []Field, token string) (f Form, same bool, err error) {
	f, err = Read(body, append([]Field{{Name: tokenField}}, fields...))
	if err != nil {
		return nil, false, err
	}
	given := f.Get(tokenField)
	if len(f) > 0 && f[0].name == tokenField {
		f[0].value = strings.Repeat("x", len(given))
	}
	return f, hmac.Equal([]byte(given), []byte(token)), nil
}
