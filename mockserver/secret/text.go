package secret

import (
	"regexp"
	"strings"
	"sync"
)

// LogHidden stands in a log where something was struck.
const LogHidden = "••••"

// personal finds what could identify a person, or open a door, in free text:
// access tokens, e-mail addresses, and long runs of digits; and first the ids and
// trace ids that such a run could be a part of. It is compiled when something is
// logged.
var personal = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(\b[[:xdigit:]]{8}(?:-[[:xdigit:]]{4}){3}-[[:xdigit:]]{12}\b|\b[[:xdigit:]]{32}\b)` +
		`|eyJ[\w-]+\.[\w-]+\.[\w-]*|[\w.+-]+@[\w-]+\.[\w.-]+|\+?\d[\d -]{7,}\d`)
})

// LogText masks what could identify a person, or open a door, in a text that goes
// to a log. Ids stay whole: without them a log leads nowhere.
func LogText(s string) string {
	return personal().ReplaceAllStringFunc(s, func(found string) string {
		if isID(found) {
			return found
		}
		return LogHidden
	})
}

// isID says whether what was found is a UUID, or a trace id of 16 bytes. One of digits
// alone could be anything.
func isID(s string) bool {
	letters := strings.ContainsFunc(s, func(c rune) bool { return isLetter(byte(c)) }) //nolint:gosec // G115: hex digits and what stands in an address
	return letters && (len(s) == uuidLength || len(s) == 32) && !strings.ContainsAny(s, "@.") && strings.Trim(s, "0123456789abcdefABCDEF-") == ""
}
