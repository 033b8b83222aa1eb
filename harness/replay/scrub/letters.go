package scrub

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// shaped has a digit for a digit and a letter for a letter, each of its own script; all else stays.
func (s *Scrubber) shaped(k kind, value string) string { return s.turned(k, value, 0) }

// turned is a text of the same form; each turn gives another.
func (s *Scrubber) turned(k kind, value string, turn int) string {
	first, n, block := s.digest(k, value, turn), 0, 0
	d := first
	next := func() byte {
		if n == len(d) {
			block++
			d, n = s.digest(k, string(first), turn+block<<8), 0
		}
		n++
		return d[n-1]
	}
	var b strings.Builder
	b.Grow(len(value))
	for i := 0; i < len(value); {
		r, size := utf8.DecodeRuneInString(value[i:])
		i += size
		switch {
		case r == utf8.RuneError && size == 1: // no letter of any kind stays none
			b.WriteByte(0xff)
		case r >= '0' && r <= '9':
			b.WriteByte('0' + next()%10)
		case r >= 'a' && r <= 'z':
			b.WriteByte('a' + next()%26)
		case r >= 'A' && r <= 'Z':
			b.WriteByte('A' + next()%26)
		case r > unicode.MaxASCII:
			b.WriteRune(alike(r, next()))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// alike is another digit, or letter, of the same script and case; what is neither stays.
func alike(r rune, by byte) rune {
	switch {
	case unicode.IsDigit(r):
		return r - digitValue(r) + rune(by%10)
	case !unicode.IsLetter(r):
		return r
	}
	for i := range rune(32) {
		c := r&^31 | (rune(by)+i)&31
		if c != r && unicode.IsLetter(c) && unicode.IsUpper(c) == unicode.IsUpper(r) && unicode.IsLower(c) == unicode.IsLower(r) {
			return c
		}
	}
	return 'x'
}

// digitValue is what a digit of any script counts: each has its ten in a row.
func digitValue(r rune) (n rune) {
	for unicode.IsDigit(r - n - 1) {
		n++
	}
	return n % 10
}

// inFigures is a text with the figures 0 to 9 for the digits of other scripts, and inScript writes another of the same form in its
// digits again.
func inFigures(text string) string {
	return strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII && unicode.IsDigit(r) {
			return '0' + digitValue(r)
		}
		return r
	}, text)
}

func inScript(text, like string) string {
	of := []rune(like)
	i := -1
	return strings.Map(func(r rune) rune {
		if i++; i < len(of) && r >= '0' && r <= '9' && of[i] > unicode.MaxASCII && unicode.IsDigit(of[i]) {
			return of[i] - digitValue(of[i]) + r - '0'
		}
		return r
	}, text)
}

// usual says whether a value is written as most are, so that another of its kind is as valid as it is. Of any other the form is kept:
// what a service refuses, it refuses for that.
func usual(value string) bool {
	const longest = 60
	letter := false
	for i := range len(value) {
		c := value[i]
		letter = letter || c|0x20 >= 'a' && c|0x20 <= 'z'
		if c < ' ' || c > unicode.MaxASCII || strings.IndexByte(`<>{}[]\|"@`, c) >= 0 {
			return false
		}
	}
	return letter && len(value) > 1 && len(value) <= longest && strings.TrimSpace(value) == value
}
