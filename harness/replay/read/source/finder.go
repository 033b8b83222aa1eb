package source

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"paysandbox/harness/trail"
)

// Sign is a pattern that a line is searched for.
type Sign struct {
	anywhere, here func() *regexp.Regexp
	// may says, cheaply, whether it can stand in a text; nil when only a search tells.
	may func(string) bool
}

// NewSign makes a sign of a pattern.
func NewSign(pattern string, may func(string) bool) *Sign {
	return &Sign{anywhere: trail.Pattern(pattern), here: trail.Pattern(`^(?:` + pattern + `)`), may: may}
}

// AnyOf says whether any of some words of small letters stands in a text, whatever its case.
func AnyOf(words ...string) func(string) bool {
	var begin [256][]string
	for _, word := range words {
		first, _ := utf8.DecodeRuneInString(word)
		for _, one := range slices.Compact([]byte{string(first)[0], string(unicode.ToUpper(first))[0]}) {
			begin[one] = append(begin[one], word)
		}
	}
	return func(text string) bool {
		for i := range len(text) {
			for _, word := range begin[text[i]] {
				if len(text)-i >= len(word) && strings.EqualFold(text[i:i+len(word)], word) {
					return true
				}
			}
		}
		return false
	}
}

// In says whether the sign stands in a text.
func (s *Sign) In(text string) bool { return s.anywhere().MatchString(text) }

// Finder finds the next of several signs in a line, from places that only go on. What is
// known to stand further on is not searched for again, so that a line costs about what it
// is long, however much stands in it.
type Finder struct {
	line  string
	next  []found
	spent int
}

// found is where a sign stands next, nil for nowhere, as seen from a place.
type found struct {
	sign  *Sign
	from  int
	at    []int
	never bool
}

// NewFinder begins a line.
func NewFinder(line string) *Finder { return &Finder{line: line} }

// Text is a part of the line.
func (f *Finder) Text(from, to int) string { return f.line[from:to] }

// Followed says whether a text stands at a place of the line.
func (f *Finder) Followed(at int, by string) bool { return strings.HasPrefix(f.line[at:], by) }

// OfAddress says whether the number that ends at a place goes on as that of a network address does: a point, and a number again.
func (f *Finder) OfAddress(at int) bool {
	return at+1 < len(f.line) && f.line[at] == '.' && f.line[at+1] >= '0' && f.line[at+1] <= '9'
}

// Spent is how many bytes were searched.
func (f *Finder) Spent() int { return f.spent }

// Find gives where the sign and its parts stand next, as FindStringSubmatchIndex does for
// the rest of the line that begins at from; nil where it does not.
func (f *Finder) Find(s *Sign, from int) []int {
	n := slices.IndexFunc(f.next, func(known found) bool { return known.sign == s })
	if n < 0 {
		n, f.next = len(f.next), append(f.next, found{sign: s, from: -1})
	}
	known := &f.next[n]
	switch {
	case known.never:
		return nil
	case known.from >= 0 && (known.at == nil || known.at[0] >= from):
		if from > known.from {
			if at := s.here().FindStringSubmatchIndex(f.line[from:]); at != nil { // the line begins anew here
				return shifted(at, from)
			}
		}
		return known.at
	}
	rest := f.line[from:]
	if known.never = s.may != nil && !s.may(rest); known.never {
		return nil
	}
	known.from, known.at = from, shifted(s.anywhere().FindStringSubmatchIndex(rest), from)
	f.spent += len(rest)
	if known.at != nil {
		f.spent -= len(f.line) - known.at[1]
	}
	return known.at
}

// shifted moves places on.
func shifted(at []int, by int) []int {
	for i := range at {
		if at[i] >= 0 {
			at[i] += by
		}
	}
	return at
}
