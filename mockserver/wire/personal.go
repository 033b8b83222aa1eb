package wire

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/secret"
)

// clausePersonal is what a body breaks that holds personal data where none belongs.
const clausePersonal = "request.personal-data"

// maxPersonal bounds how many findings tell of it.
const maxPersonal = 10

// personal tells of what was struck, with what is left of it.
func personal(struck string, found []secret.Found) (list []kernel.Finding) {
	for _, f := range found[:min(len(found), maxPersonal)] {
		list = append(list, kernel.Finding{
			Pointer: pointerAt(struck, f.Offset), Clause: clausePersonal, Source: kernel.Assumed, Advisory: true,
			Received: f.What + ", struck: " + struck[f.Offset:f.Offset+f.Length],
			Expected: "personal data only in the members that are made for it",
			Fix:      "leave it out; the sandbox keeps, shows and passes on no more than what is left",
		})
	}
	return list
}

// pointerAt is the pointer of the value, or of the member, at a byte of a body that
// can be read.
func pointerAt(body string, offset int) string {
	d := jsontext.NewDecoder(strings.NewReader(body), jsontext.AllowDuplicateNames(true))
	for d.InputOffset() <= int64(offset) {
		if _, err := d.ReadToken(); err != nil {
			return ""
		}
	}
	return clip(string(d.StackPointer()), maxPointer)
}
