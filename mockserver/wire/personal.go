package wire

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/secret"
)

// clausePersonal is what a body breaks that holds personal data where none belongs.
const clausePersonal = "request.personal-data"

// maxPersonal bounds how many findings tell of it.
const maxPersonal = 10

// outside are the forms that no span covers: what a member's name says to be secret
// is masked as such. Both lists are in ascending order.
func outside(forms []secret.Found, spans []secret.Span) []secret.Found {
	next := 0
	return slices.DeleteFunc(forms, func(f secret.Found) bool {
		for next < len(spans) && spans[next].Offset+spans[next].Length <= f.Offset {
			next++
		}
		return next < len(spans) && spans[next].Offset < f.Offset+f.Length
	})
}

// personal tells of what was struck, with what is left of it.
func personal(struck []byte, forms []secret.Found) (list []kernel.Finding) {
	for _, f := range forms[:min(len(forms), maxPersonal)] {
		list = append(list, kernel.Finding{
			Pointer: pointerAt(struck, f.Offset), Clause: clausePersonal, Source: kernel.Assumed, Advisory: true,
			Received: f.What + ", struck: " + string(struck[f.Offset:f.Offset+f.Length]),
			Expected: "personal data only in the members that are made for it",
			Fix:      "leave it out; the sandbox keeps, shows and passes on no more than what is left",
		})
	}
	return list
}

// pointerAt is the pointer of the value, or of the member, at a byte of a body that
// can be read.
func pointerAt(body []byte, offset int) string {
	d := jsontext.NewDecoder(bytes.NewReader(body), jsontext.AllowDuplicateNames(true))
	for d.InputOffset() <= int64(offset) {
		if _, err := d.ReadToken(); err != nil {
			return ""
		}
	}
	return clip(string(d.StackPointer()), maxPointer)
}
