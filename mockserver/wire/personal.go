package wire

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/secret"
)

// ClausePersonal is what a body breaks that holds personal data where none belongs.
const ClausePersonal = "request.personal-data"

// maxPersonal bounds how many findings tell of it.
const maxPersonal = 10

// Personal adds to a list what is told of a text without what has the form of
// personal data, by what is left of it there: at the pointer where it stands, which
// is no JSON pointer outside a body. A list is bounded.
func Personal(list []kernel.Finding, pointer, struck string) []kernel.Finding {
	_, found := secret.Struck(struck, nil)
	for _, f := range found {
		if len(list) < maxPersonal {
			list = append(list, personalAt(pointer, struck, f))
		}
	}
	return list
}

// personal tells of what was struck in a body, with what is left of it.
func personal(struck string, found []secret.Found) (list []kernel.Finding) {
	for _, f := range found[:min(len(found), maxPersonal)] {
		list = append(list, personalAt(pointerAt(struck, f.Offset), struck, f))
	}
	return list
}

func personalAt(pointer, struck string, f secret.Found) kernel.Finding {
	return kernel.Finding{
		Pointer: pointer, Clause: ClausePersonal, Source: kernel.Assumed, Advisory: true,
		Received: f.What + ", struck: " + struck[f.Offset:f.Offset+f.Length],
		Expected: "personal data only in the members that are made for it",
		Fix:      "leave it out; the sandbox keeps, shows and passes on no more than what is left",
	}
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
