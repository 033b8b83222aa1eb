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
// out, and the answer says so: nobody's call fails for it. A call of the partner API
// without one has the id of its trace; other calls have the label of what they are about.
func (x *Exchange) label(sent []tape.Header) {
	traced := ""
	for n := range sent {
		switch sent[n].Name {
		case LabelHeader:
			if label := strings.TrimSpace(sent[n].Value); usable(label) {
				x.Call.Label = label
			} else {
				x.unlabelled = true
			}
		case "Traceparent":
			traced = trace(sent[n].Value)
		}
	}
	if x.Call.Label == "" && !x.unlabelled && x.Call.Kind == tape.KindExchange {
		x.Call.Label = traced
	}
}

// trace is the id of the trace in a traceparent, "" where it has none (W3C Trace Context).
func trace(parent string) string {
	part := strings.Split(strings.TrimSpace(parent), "-")
	if len(part) < 4 || len(part[0]) != 2 || len(part[1]) != 32 || strings.Trim(part[1], "0") == "" || strings.Trim(part[1], "0123456789abcdef") != "" {
		return ""
	}
	return part[1]
}

func usable(label string) bool {
	return label != "" && utf8.ValidString(label) && utf8.RuneCountInString(label) <= longestLabel &&
		!strings.ContainsFunc(label, func(r rune) bool { return !unicode.IsPrint(r) })
}
