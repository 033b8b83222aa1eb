package door

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"paysandbox/mockserver/tape"
)

// LabelHeader is the header by which callers who share an integration name
// themselves: a person, a branch, a job.
const LabelHeader = "Sandbox-Label"

// longestLabel is in characters.
const longestLabel = 100

// label takes the label that the request brings. One that cannot be used is left
// out, and the answer says so: nobody's call fails for it.
func (x *Exchange) label(sent []tape.Header) {
	for n := range sent {
		if sent[n].Name != LabelHeader {
			continue
		}
		if label := strings.TrimSpace(sent[n].Value); usable(label) {
			x.Call.Label = label
		} else {
			x.unlabelled = true
		}
	}
}

func usable(label string) bool {
	return label != "" && utf8.ValidString(label) && utf8.RuneCountInString(label) <= longestLabel &&
		!strings.ContainsFunc(label, func(r rune) bool { return !unicode.IsPrint(r) })
}
