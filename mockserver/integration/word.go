package integration

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"
)

// struckHeader stands in a header in the place of a secret.
const struckHeader = "[secret]"

// tokenHead begins each access token of the sandbox.
const tokenHead = jwtHeader + "."

// word is what is looked for in an entry: a secret in one of its spellings, or,
// without a secret, access tokens.
type word struct {
	// find shows that it is there, and bytes are the same.
	find   string
	bytes  []byte
	secret string
	// write spells the secret, and what stands in its place.
	write func(string) string
}

func newWord(find, secret string, write func(string) string) word {
	return word{find: find, bytes: []byte(find), secret: secret, write: write}
}

// text is a text without the word, which leaves its form behind.
func (w *word) text(text string) string {
	switch {
	case !strings.Contains(text, w.find):
		return text
	case w.secret == "":
		return struckTokens(text)
	default:
		return strings.ReplaceAll(text, w.find, w.write(disguised(w.secret)))
	}
}

// body is a body without the word.
func (w *word) body(body []byte) []byte {
	if !bytes.Contains(body, w.bytes) {
		return body
	}
	return []byte(w.text(string(body)))
}

// header is a header's value without the word.
func (w *word) header(value string) string {
	if w.secret == "" {
		return w.text(value)
	}
	return strings.ReplaceAll(value, w.find, struckHeader)
}

// struckTokens disguises the signatures of access tokens: without them they open
// nothing, and what remains says still that a token stood there.
func struckTokens(text string) string {
	var out strings.Builder
	for {
		before, after, found := strings.Cut(text, tokenHead)
		out.WriteString(before)
		if !found {
			return out.String()
		}
		claims := base64URL(after)
		out.WriteString(tokenHead + after[:claims])
		if text = after[claims:]; strings.HasPrefix(text, ".") {
			end := 1 + base64URL(text[1:])
			out.WriteString("." + strings.Repeat("x", end-1))
			text = text[end:]
		}
	}
}

// base64URL is how many bytes at the beginning of a text are Base64 of addresses.
func base64URL(text string) int {
	return len(text) - len(strings.TrimLeft(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"))
}

// plain says whether a secret is spelt the same everywhere.
func plain(secret string) bool {
	return !strings.ContainsFunc(secret, func(c rune) bool {
		return (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') && !strings.ContainsRune("-_.~", c)
	})
}

func asIs(s string) string { return s }

// lowerEscape is url.QueryEscape as some write it, with %2f for a slash.
func lowerEscape(s string) string {
	b := []byte(url.QueryEscape(s))
	for n := range b {
		if b[n] == '%' {
			copy(b[n:n+3], bytes.ToLower(b[n:n+3]))
		}
	}
	return string(b)
}

// escapeSlashes writes JSON as PHP does.
func escapeSlashes(s string) string { return strings.ReplaceAll(s, "/", `\/`) }

// escapeJSON writes a text as it stands between quotes.
func escapeJSON(s string) string {
	quoted, _ := json.Marshal(s) // a string always encodes
	return string(quoted[1 : len(quoted)-1])
}

// disguised has the form of a secret, as what is masked by name does: x for each
// letter and 1 for each digit. What may be an escape in an address stays one.
func disguised(secret string) string {
	b := []byte(secret)
	for n, c := range b {
		switch {
		case n > 0 && b[n-1] == '%', n > 1 && b[n-2] == '%':
		case c >= '0' && c <= '9':
			b[n] = '1'
		case c|0x20 >= 'a' && c|0x20 <= 'z', c >= 0x80:
			b[n] = 'x'
		}
	}
	return string(b)
}
