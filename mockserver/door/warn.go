package door

import (
	"strconv"
	"strings"

	"paysandbox/mockserver/kernel"
)

// maxWarnings bounds how many findings one header names.
const maxWarnings = 10

// Warn names the findings that have refused nothing in the header Sandbox-Warning.
func (x *Exchange) Warn(list []kernel.Finding) {
	if len(list) == 0 {
		return
	}
	parts := make([]string, 0, maxWarnings)
	for i := range list[:min(len(list), maxWarnings)] {
		parts = append(parts, Printable(named(&list[i])))
	}
	if more := len(list) - len(parts); more > 0 {
		parts = append(parts, strconv.Itoa(more)+" more on the tape")
	}
	x.Put("Sandbox-Warning", strings.Join(parts, ", "))
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
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || r == ',' {
			return '?'
		}
		return r
	}, Clip(s))
}
