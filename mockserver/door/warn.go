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
		parts = append(parts, Printable(list[i].Clause+" "+list[i].Pointer))
	}
	if more := len(list) - len(parts); more > 0 {
		parts = append(parts, strconv.Itoa(more)+" more on the tape")
	}
	x.Put("Sandbox-Warning", strings.Join(parts, ", "))
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
