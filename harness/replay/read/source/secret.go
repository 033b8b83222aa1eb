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
)

// ofSecrets says whether a line may name a secret.
var ofSecrets = trail.Pattern(`(?i)secret|hmac|whsec|whk_|sign(?:ing|ature)?[ _-]?key|webhook[ _-]?key`)

// Secrets are the words of a file that may be the secret of a webhook endpoint, each once: the one that it holds alone, as programs are
// given secrets, and those on lines that name one, as they stand and decoded from Base64. Whether one is, only a signature tells.
func Secrets(data []byte) (list []string) {
	data = data[:min(len(data), mostSecretText)]
	add := func(word string) {
		if word = strings.TrimSpace(word); len(word) >= shortestSecret && len(word) <= mostSecret && len(list) < mostSecrets && !slices.Contains(list, word) {
			list = append(list, word)
		}
	}
	if words := bytes.Fields(data[:min(len(data), mostSecret+2)]); len(data) <= mostSecret+2 && len(words) == 1 {
		add(string(words[0]))
	}
	for line := range bytes.Lines(data) {
		if len(list) >= mostSecrets {
			break
		}
		if len(line) > mostSecretLine || !ofSecrets().Match(line) {
			continue
		}
		for _, word := range strings.FieldsFunc(string(line), func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("\"'`,;(){}[]<>", r) }) {
			for word = strings.TrimRight(word, "."); ; {
				add(word)
				if plain, err := base64.StdEncoding.DecodeString(word); err == nil && printable(plain) {
					add(string(plain))
				}
				at := strings.IndexAny(word, "=:")
				if at < 0 || at == len(word)-1 {
					break
				}
				word = word[at+1:]
			}
		}
	}
	return list
}

// printable says whether bytes are a word that somebody can write, but for spaces around it.
func printable(b []byte) bool {
	return len(b) > 0 && !bytes.ContainsFunc(bytes.TrimSpace(b), func(r rune) bool { return r <= ' ' || r > '~' })
}
