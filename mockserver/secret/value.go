package secret

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"
)

// InHeader stands in a header in the place of a secret.
const InHeader = "[secret]"

// Word is what is looked for: a secret in one of its spellings, all of them in other
// encodings, or, without a secret, access tokens.
type Word struct {
	encoded *encoded
	// find shows that it is there, and bytes are the same; without a secret it is
	// how each token begins.
	find  string
	bytes []byte
	// rarest is the place of the byte in find that bodies hold least often.
	rarest int
	secret string
	// write spells the secret, and what stands in its place.
	write func(string) string
}

func newWord(find, secret string, write func(string) string) Word {
	return Word{find: find, bytes: []byte(find), rarest: rarest(find), secret: secret, write: write}
}

// common are the bytes of bodies, the most common first; the others are rare.
const common = `"e0123456789abcdf:,-tionrslmuyphg ETSCAIvkwPDNMLR{}/.+@_xj[]zq=`

// looked is how far into a word the byte is looked for.
const looked = 64

func rarest(text string) (at int) {
	best := -1
	for i := range min(len(text), looked) {
		if rank := rarity(text[i]); rank > best {
			at, best = i, rank
		}
	}
	return at
}

// rarity is higher the less often bodies hold a byte.
func rarity(c byte) int {
	if rank := strings.IndexByte(common, c); rank >= 0 {
		return rank
	}
	return len(common)
}

// maxTries is how often the rarest byte may be there without the rest of the word.
const maxTries = 16

// Encoded says whether the word is secrets in other encodings.
func (w *Word) Encoded() bool { return w.encoded != nil }

// In says whether a text holds the word.
func (w *Word) In(text string) bool {
	if w.encoded != nil {
		return len(text) >= shortest && w.encoded.in(text)
	}
	return len(text) >= len(w.find) && strings.Contains(text, w.find)
}

// InBytes says the same of a body. To look for one byte is quick, and most bodies do
// not hold a rare one often.
func (w *Word) InBytes(body []byte) bool {
	if w.encoded != nil {
		return w.encoded.inBytes(body)
	}
	for range maxTries {
		if len(body) < len(w.bytes) {
			return false
		}
		at := bytes.IndexByte(body[w.rarest:], w.bytes[w.rarest])
		if at < 0 {
			return false
		}
		if bytes.HasPrefix(body[at:], w.bytes) {
			return true
		}
		body = body[at+1:]
	}
	return bytes.Contains(body, w.bytes)
}

// Text is a text without the word, which leaves its form behind.
func (w *Word) Text(text string) string {
	switch {
	case !w.In(text):
		return text
	case w.encoded != nil:
		return string(w.encoded.struck(text))
	case w.secret == "":
		return w.tokens(text)
	default:
		return strings.ReplaceAll(text, w.find, w.write(disguised(w.secret)))
	}
}

// Body is a body without the word.
func (w *Word) Body(body []byte) []byte {
	if !w.InBytes(body) {
		return body
	}
	if w.encoded != nil {
		return w.encoded.struck(string(body))
	}
	if w.secret == "" {
		return []byte(w.tokens(string(body)))
	}
	return bytes.ReplaceAll(body, w.bytes, []byte(w.write(disguised(w.secret))))
}

// Header is a header's value without the word.
func (w *Word) Header(value string) string {
	if w.secret == "" { // what remains says what stood there
		return w.Text(value)
	}
	return strings.ReplaceAll(value, w.find, InHeader)
}

// tokens disguises the signatures of access tokens, ours and others': without them they
// open nothing, and what remains says still that a token stood there.
func (w *Word) tokens(text string) string {
	var out strings.Builder
	for {
		before, after, found := strings.Cut(text, w.find)
		out.WriteString(before)
		if !found {
			return out.String()
		}
		out.WriteString(w.find)
		text = after
		head := base64URL(text)
		if !strings.HasPrefix(text[head:], ".") {
			continue
		}
		claims := head + 1 + base64URL(text[head+1:])
		if claims == head+1 || !strings.HasPrefix(text[claims:], ".") {
			continue
		}
		end := claims + 1 + base64URL(text[claims+1:])
		out.WriteString(text[:claims+1] + strings.Repeat("x", end-claims-1))
		text = text[end:]
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
