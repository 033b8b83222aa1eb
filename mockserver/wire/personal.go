package wire

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/secret"
)

// ClausePersonal is what a body breaks that holds personal data where none belongs.
const ClausePersonal = secret.ClausePersonal

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
	left, expected := struck[f.Offset:f.Offset+f.Length], "personal data only in the members that are made for it"
	if f.What == secret.Credential { // in an address it is struck by its name, too, which leaves no case: played again, the tape tells the same
		left, expected = strings.ToLower(left), "credentials only where the caller is to be known by them"
	}
	return kernel.Finding{
		Pointer: pointer, Clause: ClausePersonal, Source: kernel.Assumed, Advisory: true,
		Received: f.What + ", struck: " + clip(left, maxShown),
		Expected: expected,
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

// inPlain says whether a body without escapes may have a secret in an address: in one of
// its strings, or in a word of what is no JSON. Most addresses have none, and that costs
// no memory.
func inPlain(body []byte) bool {
	for at := 0; ; {
		slash := bytes.IndexByte(body[at:], '/') // rarer in JSON than a colon
		if slash < 0 {
			return false
		}
		at += slash + 1
		if at < 2 || body[at-2] != ':' || !bytes.HasPrefix(body[at:], []byte("/")) {
			continue
		}
		end := bytes.IndexByte(body[at:], '"')
		if end < 0 {
			end = len(body) - at
		}
		piece := body[bytes.LastIndexByte(body[:at], '"')+1 : at+end]
		at += end
		if secret.MayBeInAddress(piece) && hasSecret(string(piece)) {
			return true
		}
	}
}

// hasSecret says whether a text, or a word of it, is an address with a secret.
func hasSecret(text string) bool {
	return len(secret.InAddress(text)) > 0 || slices.ContainsFunc(strings.FieldsFunc(text, func(c rune) bool { return c <= ' ' }), func(word string) bool { return len(secret.InAddress(word)) > 0 })
}

// maxAddresses bounds how many secrets are taken out of the addresses in a body, and maxRead
// how many addresses are looked at.
const maxAddresses, maxRead = 32, 128

// Addresses lists what is secret in the addresses that a body holds, and what is told of
// it: an address is called as it is, and kept without.
func Addresses(body []byte) (secrets []string, told []kernel.Finding) {
	if bytes.IndexByte(body, '\\') < 0 {
		if !inPlain(body) {
			return nil, nil
		}
	} else if !bytes.Contains(body, []byte("://")) && !bytes.Contains(body, []byte(`:\/`)) && !bytes.Contains(body, []byte(`\u00`)) {
		return nil, nil
	}
	var r reading
	r.read(body)
	for _, at := range r.addresses {
		if len(secrets) >= maxAddresses {
			break
		}
		found := secret.InAddress(at.text, r.reference...)
		if len(found) > 0 && len(told) < maxPersonal && !at.unread {
			told = append(told, kernel.Finding{
				Pointer: at.pointer, Clause: ClausePersonal, Source: kernel.Assumed, Advisory: true,
				Received: "a token in an address, struck", Expected: "addresses that may be shown",
				Fix: "none is needed: the address is called as it is; the sandbox keeps and shows it without the token",
			})
		}
		secrets = append(secrets, found...)
	}
	return secrets[:min(len(secrets), maxAddresses)], told
}

// reading is what a body holds of addresses, and the reference by which the caller knows
// what it asks for: it stands in return addresses, and is no secret there.
type reading struct {
	addresses []address
	reference []string
}

// address is one that may hold a secret; unread stands in what is no JSON.
type address struct {
	pointer, text string
	unread        bool
}

func (r *reading) read(body []byte) {
	d := jsontext.NewDecoder(bytes.NewBuffer(body), jsontext.AllowDuplicateNames(true)) // a Buffer is read where it is
	referred := false
	for {
		token, err := d.ReadToken()
		if err != nil { // what cannot be read is searched as it stands
			for _, word := range strings.FieldsFunc(string(body[d.InputOffset():]), func(c rune) bool { return c <= ' ' || c == '"' }) {
				if len(r.addresses) < maxRead && strings.Contains(word, "://") {
					r.addresses = append(r.addresses, address{text: word, unread: true})
				}
			}
			return
		}
		if token.Kind() != '"' {
			referred = false
			continue
		}
		text := token.String()
		if referred {
			r.reference = append(r.reference, text)
		}
		_, members := d.StackIndex(1)
		referred = d.StackDepth() == 1 && members%2 == 1 && strings.EqualFold(text, "reference")
		if len(r.addresses) < maxRead && strings.Contains(text, "://") && len(secret.InAddress(text)) > 0 {
			r.addresses = append(r.addresses, address{pointer: clip(string(d.StackPointer()), maxPointer), text: text})
		}
	}
}
