package wire

import (
	"strings"

	"paysandbox/mockserver/secret"
	"paysandbox/mockserver/spelling"
)

// collectNames notes the members of a plan and of all plans below it.
func collectNames(names *secret.Names, p *plan) {
	for i := range p.fields {
		f := &p.fields[i]
		names.Add(f.name, f.mask)
		if f.sub != nil {
			collectNames(names, f.sub)
		}
	}
}

// nearest gives the plan's member name that a wrong one was probably meant to
// be, or "".
func (p *plan) nearest(name string) string {
	if len(name) > maxName {
		return ""
	}
	var buf [maxName]byte
	low := string(fold(buf[:0], name))
	best, at := len(low)/3+2, ""
	for i := range p.fields {
		if known := strings.ToLower(p.fields[i].name); spelling.Within(low, known, best-1) {
			best, at = spelling.Edits(low, known), p.fields[i].name
		}
	}
	return at
}
