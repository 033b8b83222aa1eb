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
	expected := "personal data only in the members that are made for it"
	if f.What == secret.Credential {
		expected = "credentials only where the caller is to be known by them"
	}
	return kernel.Finding{
		Pointer: pointer, Clause: ClausePersonal, Source: kernel.Assumed, Advisory: true,
		Received: f.What + ", struck: " + clip(struck[f.Offset:f.Offset+f.Length], maxShown),
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

// maxAddresses bounds how many secrets are taken out of the addresses in a body.
const maxAddresses = 32

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
	d := jsontext.NewDecoder(bytes.NewBuffer(body), jsontext.AllowDuplicateNames(true)) // a Buffer is read where it is
	for len(secrets) < maxAddresses {
		token, err := d.ReadToken()
		if err != nil { // what cannot be read is searched as it stands
			for _, word := range strings.FieldsFunc(string(body[d.InputOffset():]), func(c rune) bool { return c <= ' ' || c == '"' }) {
				if strings.Contains(word, "://") {
					secrets = append(secrets, secret.InAddress(word)...)
				}
			}
			return secrets[:min(len(secrets), maxAddresses)], told
		}
		if token.Kind() != '"' {
			continue
		}
		text := token.String()
		if !strings.Contains(text, "://") {
			continue
		}
		found := secret.InAddress(text)
		if len(found) > 0 && len(told) < maxPersonal {
			told = append(told, kernel.Finding{
				Pointer: clip(string(d.StackPointer()), maxPointer), Clause: ClausePersonal, Source: kernel.Assumed, Advisory: true,
				Received: "a token in an address, struck", Expected: "addresses that may be shown",
				Fix: "none is needed: the address is called as it is; the sandbox keeps and shows it without the token",
			})
		}
		secrets = append(secrets, found...)
	}
	return secrets, told
}
