package redact

import (
	"cmp"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"paysandbox/harness/trail"
)

// Redactor strikes secrets out of texts: values that it was told, and whatever
// has the shape of a bearer token, basic credentials, a client secret, a social
// security number or a card number. It never looks beyond the end of a line, and
// may be used from several goroutines.
type Redactor struct {
	mu     sync.RWMutex
	values []string
}

// struck stands where a secret stood.
const struck = "[redacted]"

// shortest is the length of the shortest value that is struck out: shorter ones
// would strike out half the report.
const shortest = 4

// names are the members and fields whose values are secret.
const names = `client_?secret|access_?token|webhook_?secret|control_?token|password|ssn|cvv|cvc|security_?code|card_?number`

// shapes are the patterns of secrets.
type shapes struct {
	// schemes are the credentials of an Authorization header.
	schemes *regexp.Regexp
	// tokens are JSON web tokens wherever they stand.
	tokens *regexp.Regexp
	// members are secrets by the name of their JSON member; the closing quote
	// may be missing where an excerpt was cut.
	members *regexp.Regexp
	// nested are the same in JSON that stands in a quoted text.
	nested *regexp.Regexp
	// fields are the same in a form's body or a query.
	fields *regexp.Regexp
	// ssns are social security numbers in their usual form.
	ssns *regexp.Regexp
	// cards are ids, which stay, and runs of digits that may be a card's number.
	cards *regexp.Regexp
}

// patterns are compiled when a text is first looked at: a process that reports
// nothing does not pay for them.
var patterns = sync.OnceValue(func() shapes {
	return shapes{
		schemes: regexp.MustCompile(`(?i)\b(bearer|basic)([ \t]+)[A-Za-z0-9._~+/=-]{8,}`),
		tokens:  regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]*)?`),
		members: regexp.MustCompile(`(?i)("(?:` + names + `)"[ \t]*:[ \t]*)(?:"(?:[^"\\\r\n]|\\[^\r\n])*"?|\d+)`),
		nested:  regexp.MustCompile(`(?i)(\\"(?:` + names + `)\\"[ \t]*:[ \t]*)(?:\\"[^"\\\r\n]*(?:\\")?|\d+)`),
		fields:  regexp.MustCompile(`(?i)\b((?:` + names + `)=)[^&\s"'<>]+`),
		ssns:    regexp.MustCompile(`\b\d{3}-\d{2}-\d{4}\b`),
		cards:   regexp.MustCompile(`(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b[2-6](?:[ -]?\d){12,18}\b`),
	}
})

// New makes a redactor that strikes out the shapes and these values.
func New(values ...string) *Redactor {
	r := &Redactor{}
	r.Redact(values...)
	return r
}

// Redact registers values that are secret, for example the client secret of a
// run's integration. Values shorter than four bytes are not struck out.
func (r *Redactor) Redact(values ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, v := range values {
		if len(v) < shortest {
			continue
		}
		quoted, _ := json.Marshal(v) // a string always encodes
		r.values = append(r.values, v, url.QueryEscape(v), url.PathEscape(v), strings.Trim(string(quoted), `"`))
	}
	// The longest first: one secret may be the beginning of another.
	slices.SortFunc(r.values, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
	r.values = slices.Compact(r.values)
}

// Text is the text without its secrets.
func (r *Redactor) Text(s string) string {
	if s == "" {
		return s
	}
	s = r.Known(s)
	p, lower, digits := patterns(), strings.ToLower(s), countDigits(s)
	// Looking for a word is much cheaper than matching a pattern.
	if strings.Contains(lower, "bearer") || strings.Contains(lower, "basic") {
		s = p.schemes.ReplaceAllString(s, "${1}${2}"+struck)
	}
	if strings.Contains(s, "eyJ") {
		s = p.tokens.ReplaceAllString(s, struck)
	}
	if namesSecret(lower) {
		s = p.members.ReplaceAllString(s, `${1}"`+struck+`"`)
		s = p.nested.ReplaceAllString(s, `${1}\"`+struck+`\"`)
		s = p.fields.ReplaceAllString(s, "${1}"+struck)
	}
	if digits >= 9 {
		s = p.ssns.ReplaceAllString(s, struck)
	}
	if digits >= 13 {
		s = p.cards.ReplaceAllStringFunc(s, strikeCard)
	}
	return s
}

// Known is the text without the registered values.
func (r *Redactor) Known(s string) string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, v := range r.values {
		s = strings.ReplaceAll(s, v, struck)
	}
	return s
}

// namesSecret tells whether one of the names may be in a lower-case text.
func namesSecret(lower string) bool {
	for _, part := range []string{"secret", "token", "password", "ssn", "cvv", "cvc", "security", "card"} {
		if strings.Contains(lower, part) {
			return true
		}
	}
	return false
}

// countDigits is the number of digits in a text.
func countDigits(s string) int {
	n := 0
	for i := range len(s) {
		if s[i] >= '0' && s[i] <= '9' {
			n++
		}
	}
	return n
}

// strikeCard strikes out a card's number but for its last four digits; what is
// an id, or has not a card number's check digit, stays.
func strikeCard(s string) string {
	digits := strings.NewReplacer(" ", "", "-", "").Replace(s)
	if len(digits) > 19 || strings.Trim(digits, "0123456789") != "" || !trail.Luhn(digits) {
		return s
	}
	return "[redacted card " + digits[len(digits)-4:] + "]"
}
