package source

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strings"
	"unicode"

	"paysandbox/harness/trail"
)

// Bounds of what is looked at for secrets: bytes of a file and of a line, the length of a secret, and how many words may be one.
const (
	mostSecretText             = 1 << 20
	mostSecretLine             = 2000
	shortestSecret, mostSecret = 8, 200
	mostSecrets                = 400
	linesBehind                = 4 // those behind a line that names one, in which it may stand alone
)

// ofSecrets says whether a line may name a secret.
var ofSecrets = trail.Pattern(`(?i)secret|hmac|whsec|whk_|sign(?:ing|ature)?[ _-]?key|webhook[ _-]?key`)

// Secrets are the words of a file that may be the secret of a webhook endpoint, each once: the one that it holds alone, as programs are
// given secrets, and those on lines that name one, or alone on a line right behind, as they stand and decoded from Base64. Whether one
// is, only a signature tells.
func Secrets(data []byte) []string {
	data = data[:min(len(data), mostSecretText)]
	var found secrets
	if words := bytes.Fields(data[:min(len(data), mostSecret+2)]); len(data) <= mostSecret+2 && len(words) == 1 {
		found.add(string(words[0]))
	}
	named := 0 // how many lines may still hold one that was named above
	for line := range bytes.Lines(data) {
		if len(line) > mostSecretLine || len(found) >= mostSecrets {
			continue
		}
		if named > 0 && len(bytes.Fields(line)) == 1 {
			found.line(string(line))
		}
		if mayName(line) && ofSecrets().Match(line) {
			found.line(string(line))
			named = linesBehind
		} else if named > 0 {
			named--
		}
	}
	return found
}

// mayName says whether a line may be one of ofSecrets: nearly none is, and patterns are dear.
func mayName(line []byte) bool {
	low := bytes.ToLower(line)
	for _, sign := range [][]byte{[]byte("secret"), []byte("hmac"), []byte("wh"), []byte("key")} {
		if bytes.Contains(low, sign) {
			return true
		}
	}
	return false
}

// secrets are words that may be one.
type secrets []string

func (list *secrets) add(word string) {
	if word = strings.TrimSpace(word); len(word) >= shortestSecret && len(word) <= mostSecret && len(*list) < mostSecrets && !slices.Contains(*list, word) {
		*list = append(*list, word)
	}
}

// line adds the words of a line, and what stands behind each sign of those that name a value.
func (list *secrets) line(text string) {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("\"'`,;(){}[]<>", r) }) {
		for word = strings.TrimRight(word, "."); word != ""; {
			list.add(word)
			if plain, err := base64.StdEncoding.DecodeString(word); err == nil && printable(plain) {
				list.add(string(plain))
			}
			at := strings.IndexAny(word, "=:")
			if at < 0 {
				break
			}
			word = word[at+1:]
		}
	}
}

// printable says whether bytes are a word that somebody can write, but for spaces around it.
func printable(b []byte) bool {
	return len(b) > 0 && !bytes.ContainsFunc(bytes.TrimSpace(b), func(r rune) bool { return r <= ' ' || r > '~' })
}
