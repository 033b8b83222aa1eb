// Package phone knows which telephone numbers can exist. It owns the numbering
// plans of the world (plans.tsv, written by `make golden` from the tables of
// github.com/nyaruka/phonenumbers) and the ways in which a number is written. It
// must read nothing but that table, and nothing before it is asked: the library
// unpacks all its tables whenever a program starts.
package phone

import (
	"regexp"
	"strings"
	"sync"
)

// The calling code of numbers without one, and how many characters a written
// number and a calling code may have.
const (
	home       = "1"
	maxWritten = 40
	maxCode    = 3
)

// extension is what may stand behind a number.
var extension = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i) *(?:ext\.? ?|x ?)[0-9]{1,7}$`) })

// E164 reads a written number: "+1 202-555-0123", "(202) 555-0123". Without a
// plus it is a number of the United States, with or without the leading 1. It
// gives the number as plus and digits, without an extension, and "" for what is no
// writing of a number; exists says whether the numbering plans have such a number.
func E164(written string) (number string, exists bool) {
	digits, plus := read(written)
	if digits == "" {
		return "", false
	}
	if !plus {
		digits = home + strings.TrimPrefix(digits, home)
	}
	if number = written; !plus || len(written) != len(digits)+1 { // the usual form is left as it is
		number = "+" + digits
	}
	for n := 1; n <= min(maxCode, len(digits)); n++ {
		if p := plans()[digits[:n]]; p != nil {
			return number, p.has(digits[n:])
		}
	}
	return number, false
}

// read takes the digits out of a written number, and says whether a plus stands
// before them.
func read(written string) (digits string, plus bool) {
	if len(written) > maxWritten {
		return "", false
	}
	written, plus = strings.CutPrefix(written, "+")
	if allDigits(written) {
		return written, plus
	}
	if strings.ContainsAny(written, "xX") {
		written = extension().ReplaceAllString(written, "")
	}
	plain := make([]byte, 0, maxWritten)
	for i := range len(written) {
		switch b := written[i]; {
		case '0' <= b && b <= '9':
			plain = append(plain, b)
		case !strings.ContainsRune(" -.()", rune(b)):
			return "", false
		}
	}
	return string(plain), plus
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i]-'0' > 9 {
			return false
		}
	}
	return true
}
