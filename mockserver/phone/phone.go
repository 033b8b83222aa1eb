// Package phone knows which telephone numbers can exist. It owns the numbering
// plans of the world (plans.tsv, written by `make golden` from the tables of
// github.com/nyaruka/phonenumbers) and the ways in which a number is written. It
// must read nothing but that table, and nothing before it is asked: the library
// unpacks all its tables whenever a program starts.
package phone

import (
	_ "embed"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// plans has a line for each region, the regions of a calling code together and
// the greatest first: the code, a tab, and the pattern of its national numbers.
//
//go:embed plans.tsv
var plans string

// The calling code of numbers without one, and how many characters a written
// number and a calling code may have.
const (
	home       = "1"
	maxWritten = 40
	maxCode    = 3
)

// compiled holds the patterns of each calling code that was asked for. The map is
// replaced when a code is asked for first, never changed.
var compiled struct {
	sync.Mutex
	of atomic.Pointer[map[string][]*regexp.Regexp]
}

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
		if regions := plansOf(digits[:n]); regions != nil {
			return number, slices.ContainsFunc(regions, func(r *regexp.Regexp) bool { return r.MatchString(digits[n:]) })
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
	if strings.ContainsAny(written, "xX") {
		written = extension().ReplaceAllString(written, "")
	}
	written, plus = strings.CutPrefix(written, "+")
	if strings.Trim(written, "0123456789") == "" {
		return written, plus
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

// plansOf gives the patterns of a calling code, and none where there is no such
// code.
func plansOf(code string) []*regexp.Regexp {
	if known := compiled.of.Load(); known != nil && (*known)[code] != nil {
		return (*known)[code]
	}
	var regions []*regexp.Regexp
	for rest, found := plans, true; ; {
		if _, rest, found = strings.Cut(rest, "\n"+code+"\t"); !found {
			break
		}
		pattern, _, _ := strings.Cut(rest, "\n")
		regions = append(regions, regexp.MustCompile("^(?:"+pattern+")$"))
	}
	if regions == nil {
		return nil
	}
	compiled.Lock()
	defer compiled.Unlock()
	all := map[string][]*regexp.Regexp{code: regions}
	if known := compiled.of.Load(); known != nil {
		maps.Copy(all, *known)
	}
	compiled.of.Store(&all)
	return regions
}
