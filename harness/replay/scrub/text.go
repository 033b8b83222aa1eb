package scrub

import (
	"regexp"
	"slices"
	"strings"

	"paysandbox/harness/trail"
)

// pattern finds a kind in any text.
type pattern struct {
	kind kind
	find func() *regexp.Regexp
	// is says whether what was found is of the kind.
	is func(string) bool
	// digits are how many there are at least.
	digits int
}

// patterns are looked for one after the other.
var patterns = []pattern{
	{token, trail.Pattern(`\beyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*`), nil, 0},
	{token, trail.Pattern(`(?i)\b(?:bearer|basic)[ \t]+[A-Za-z0-9._~+/=-]{8,}`), nil, 0},
	{email, trail.Pattern(`[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+`), nil, 0},
	{ssn, trail.Pattern(`\b\d{3}-\d{2}-\d{4}\b`), nil, 9},
	{card, trail.Pattern(`\b[2-6](?:[ -]?\d){12,18}\b`), func(s string) bool { return trail.Luhn(digits(s)) }, 13},
	{telephone, trail.Pattern(`\+\d[\d ().-]{7,17}\d\b|\(\d{3}\) ?\d{3}-\d{4}\b|\b\d{3}-\d{3}-\d{4}\b`), nil, 9},
	{secret, trail.Pattern(`\b(?:sk|pk|whsec|rk|ghp|xox[a-z])[_-][A-Za-z0-9_-]{8,}\b`), nil, 0},
}

// uuid is an id: it links, and is no number of a card.
var uuid = trail.Pattern(`(?i)\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b`)

// found is a stretch of a text.
type found struct {
	from, to int
	kind     kind
}

// find lists what stands in a text, in its order, nothing twice.
func find(text string) []found {
	var list []found
	for _, at := range uuid().FindAllStringIndex(text, -1) {
		list = append(list, found{at[0], at[1], keep})
	}
	numbers, mail := len(digits(text)), strings.Contains(text, "@")
	for _, p := range patterns {
		if p.kind == email && !mail || p.digits > numbers { // which is cheaper than to look
			continue
		}
		next, before := 0, list
		for _, at := range p.find().FindAllStringIndex(text, -1) {
			for next < len(before) && before[next].to <= at[0] {
				next++
			}
			taken := next < len(before) && before[next].from < at[1]
			if !taken && (p.is == nil || p.is(text[at[0]:at[1]])) {
				list = append(list, found{at[0], at[1], p.kind})
			}
		}
		slices.SortStableFunc(list, func(a, b found) int { return a.from - b.from })
	}
	return list
}

// instead is the kind of a value that is wholly of another form than its name says: the service has the telephone number of a payer
// for a name where it knows none.
func instead(k kind, value string) kind {
	if list := find(value); len(list) == 1 && list[0].from == 0 && list[0].to == len(value) {
		return list[0].kind
	}
	return k
}

// text is a text in which what has a known form, or was met elsewhere, is replaced.
func (s *Scrubber) text(text string) string { return s.between(text, s.met) }

// forms is a text in which what has a known form is replaced.
func (s *Scrubber) forms(text string) string {
	return s.between(text, func(rest string) string { return rest })
}

// opaque are words that nobody would write: long, of letters and digits.
var opaque = trail.Pattern(`[A-Za-z0-9][A-Za-z0-9_+/=-]{11,}`)

// moment is how such a word begins where it is a day and an hour: 2026-03-02T17 of 2026-03-02T17:01:00Z.
var moment = trail.Pattern(`^(?:19|20)\d{2}-?[01]\d-?[0-3]\dT[0-2]\d(?:[0-5]\d){0,2}Z?$`)

// schemed is what stands before the digest of a signature, which is not there any more, behind its name.
var schemed = trail.Pattern(`^[A-Za-z_-]{1,24}=sha256=$`)

// words replaces the opaque words of a text that has no names by which to tell what is
// secret in it. Ids link, and stay; so does what was replaced already.
func (s *Scrubber) words(text string) string {
	return opaque().ReplaceAllStringFunc(text, func(w string) string {
		n := len(digits(w))
		if n == 0 || n == len(w) || uuid().MatchString(w) || moment().MatchString(w) || schemed().MatchString(w) || strings.HasPrefix(w, "scrubbed-") {
			return w
		}
		return s.replace(secret, w)
	})
}

// prose is a text of people's: its words have another's letters.
func (s *Scrubber) prose(text string) string {
	return s.between(text, func(rest string) string { return s.shaped(prose, rest) })
}

// between replaces what has a known form, and does something to what stands between.
func (s *Scrubber) between(text string, rest func(string) string) string {
	list := find(text)
	if len(list) == 0 {
		return rest(text)
	}
	var b strings.Builder
	at := 0
	for _, f := range list {
		b.WriteString(rest(text[at:f.from]))
		value := text[f.from:f.to]
		if scheme, credential, ok := cutScheme(value); ok && f.kind == token {
			b.WriteString(scheme + s.replace(token, credential))
		} else {
			b.WriteString(s.replace(f.kind, value))
		}
		at = f.to
	}
	b.WriteString(rest(text[at:]))
	return b.String()
}

// cutScheme splits "Bearer abc".
func cutScheme(value string) (scheme, credential string, ok bool) {
	if i := strings.LastIndexAny(value, " \t"); i > 0 {
		return value[:i+1], value[i+1:], true
	}
	return "", value, false
}

// looksRandom says whether a text reads like something that nobody could guess.
func looksRandom(text string) bool {
	if len(text) < 16 || len(text) > 4096 || uuid().MatchString(text) {
		return false
	}
	for _, r := range text {
		if !strings.ContainsRune(randomSigns, r) {
			return false
		}
	}
	numbers := len(digits(text))
	lower, upper := lettersOf(text, 'a', 'z'), lettersOf(text, 'A', 'Z')
	if len(text) < 20 { // names with a number are as long
		return numbers > 2 && lower > 1 && upper > 1
	}
	return numbers > 1 && lower+upper > 5 && (numbers > 3 || upper > 2 && lower > 2)
}

// randomSigns are those that a random text is written with.
const randomSigns = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.+/="

// lettersOf counts the letters of a text from one to another.
func lettersOf(text string, from, to rune) (n int) {
	for _, r := range text {
		if r >= from && r <= to {
			n++
		}
	}
	return n
}
