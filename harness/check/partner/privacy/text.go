package privacy

import (
	"encoding/base64"
	"slices"
	"strings"
	"unicode"

	"paysandbox/harness/trail"
)

// phrases are rows of words, each as words gives them, by their first words.
type phrases map[string][]string

// add keeps a phrase.
func (p phrases) add(phrase string) {
	first, _, _ := strings.Cut(strings.TrimPrefix(phrase, " "), " ")
	if first != "" && !slices.Contains(p[first], phrase) {
		p[first] = append(p[first], phrase)
	}
}

// in lists the phrases that words hold.
func (p phrases) in(words string) []string {
	var found []string
	for i := 0; i < len(words)-1; i++ {
		if words[i] != ' ' {
			continue
		}
		first, _, _ := strings.Cut(words[i+1:], " ")
		for _, phrase := range p[first] {
			if strings.HasPrefix(words[i:], phrase) {
				found = append(found, phrase)
			}
		}
	}
	return found
}

// words is a text as its words in lower case, with one space around each.
func words(text string) string {
	list := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' })
	if len(list) == 0 {
		return ""
	}
	return " " + strings.Join(list, " ") + " "
}

// base64Form is what may be a text in Base64 of either alphabet.
var base64Form = trail.Pattern(`[A-Za-z0-9+/_-]{12,}`)

// The lengths of Base64 that is read, in letters: from which on it may be of a person,
// and up to which it is looked for behind prefixes, each of which has it read again.
const (
	shortestBase64 = 12
	longestBehind  = 256
)

// unwrapped are the readable texts that a text holds in Base64, alone or behind a
// prefix: who writes an address so has not made it opaque.
func unwrapped(text string) []string {
	var found []string
	for _, token := range base64Form().FindAllString(text, -1) {
		for rest, more := token, true; more && len(rest) >= shortestBase64; {
			if len(rest) == len(token) || len(rest) <= longestBehind {
				if plain, ok := decoded(rest); ok {
					found = append(found, plain)
					break
				}
			}
			n := strings.IndexAny(rest, "-_/+")
			if more = n >= 0; more {
				rest = rest[n+1:]
			}
		}
	}
	return found
}

// decoded reads Base64 of either alphabet and says whether it is readable text.
func decoded(token string) (string, bool) {
	token = strings.NewReplacer("-", "+", "_", "/").Replace(token)
	raw, err := base64.RawStdEncoding.DecodeString(token)
	if err != nil {
		return "", false
	}
	for _, b := range raw {
		if b < ' ' || b > '~' {
			return "", false
		}
	}
	return string(raw), true
}
