package privacy

import (
	"encoding/base64"
	"strings"

	"paysandbox/harness/trail"
)

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
