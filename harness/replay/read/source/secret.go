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
	linesBehind                = 2 // those behind a line that names one, blank ones aside, on which it may stand alone
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
	behind, colon := linesBehind, false // the line that names one
	for line := range bytes.Lines(data) {
		if len(line) > mostSecretLine || len(found) >= mostSecrets {
			continue
		}
		words := len(bytes.Fields(line))
		switch {
		case mayName(line) && ofSecrets().Match(line):
			found.line(string(line))
			behind, colon = 0, bytes.HasSuffix(bytes.TrimSpace(line), []byte(":"))
			continue
		case words == 0:
			continue
		case behind < linesBehind && words == 1, words <= wordsAnnounced && (behind == 0 || colon && behind < mostAnnounced):
			found.line(string(line))
		}
		behind++
	}
	return found
}

// mostAnnounced is how many lines behind one that names a secret, and ends in a colon, may be the secret, wordsAnnounced how many words stand
// on such a line at most; of any other the next line may be.
const mostAnnounced, wordsAnnounced = 3, 3

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
