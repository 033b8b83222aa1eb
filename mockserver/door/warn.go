package door

import (
	"slices"
	"strconv"
	"strings"

	"paysandbox/mockserver/kernel"
)

// maxWarnings bounds how many findings one header names.
const maxWarnings = 10

// Warn names the findings that have refused nothing in the header Sandbox-Warning: what is found twice
// at one place, as a secret by its name and by its form, once.
func (x *Exchange) Warn(list []kernel.Finding) {
	if len(list) == 0 {
		return
	}
	list = slices.CompactFunc(slices.Clone(list), func(a, b kernel.Finding) bool { return a.Clause == b.Clause && a.Pointer == b.Pointer })
	most := min(len(list), maxWarnings)
	text := make([]byte, 0, 48*most)
	for i := range list[:most] {
		if i > 0 {
			text = append(text, ", "...)
		}
		text = append(text, Printable(named(&list[i]))...)
	}
	if more := len(list) - most; more > 0 {
		text = append(append(append(text, ", "...), strconv.Itoa(more)...), " more on the tape"...)
	}
	x.Put("Sandbox-Warning", string(text))
}

// named is a finding in the header: its clause and pointer. A parameter of the
// query that is not known has the nearest name too, for nobody reads the tape of
// a call that answered 200.
func named(f *kernel.Finding) string {
	text := f.Clause + " " + f.Pointer
	if near, ok := strings.CutPrefix(f.Fix, "nearest: "); ok && strings.HasPrefix(f.Pointer, "query:") {
		text += " (nearest: " + near + ")"
	}
	return text
}

// Printable makes a text fit for a header.
func Printable(s string) string {
	s = Clip(s)
	for n := range len(s) {
		if unprintable(rune(s[n])) {
			return strings.Map(func(r rune) rune {
				if unprintable(r) {
					return '?'
				}
				return r
			}, s)
		}
	}
	return s
}

func unprintable(r rune) bool { return r < ' ' || r > '~' || r == ',' }
