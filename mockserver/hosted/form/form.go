// Package form reads what visitors post on the hosted pages: the fields that a page
// knows, its token, and the masks that hide numbers before anything looks at them.
// It must not know a page.
package form

import (
	"errors"
	"iter"
	"net/url"
	"strings"
	"unicode/utf8"

	"paysandbox/mockserver/secret"
)

// Max is the size of the largest posted form in bytes (64 KiB).
const Max = 64 << 10

// maxPairs bounds how many pairs of a form are read.
const maxPairs = 200

// Field is one member of a page's form.
type Field struct {
	Name string
	// Mask hides a value before anything looks at it; nil keeps it. Masking a
	// masked value changes nothing.
	Mask func(string) string
	// Secret values are never shown again.
	Secret bool
}

// pair is a field with its value.
type pair struct{ name, value string }

// Form is a posted form: the fields that its page knows, in the page's order,
// each once.
type Form []pair

// Errors of Read.
var (
	errFormCoding = errors.New("the form is not coded as it should be")
	errFormPairs  = errors.New("the form has too many fields")
)

// Read reads a body of application/x-www-form-urlencoded. Fields that the
// page does not know are left out; of a field that comes twice the first counts.
func Read(body []byte, fields []Field) (Form, error) {
	values := make(map[string]string, len(fields))
	rest, n := string(body), 0
	for rest != "" {
		var part string
		part, rest, _ = strings.Cut(rest, "&")
		if n++; n > maxPairs {
			return nil, errFormPairs
		}
		name, value, err := readPair(part)
		if err != nil {
			return nil, err
		}
		if _, twice := values[name]; !twice {
			values[name] = value
		}
	}
	f := make(Form, 0, len(fields))
	for _, known := range fields {
		value, sent := values[known.Name]
		if !sent {
			continue
		}
		if value = tidy(value); known.Mask != nil {
			value = known.Mask(value)
		} else {
			value = secret.Text(value)
		}
		f = append(f, pair{known.Name, value})
	}
	return f, nil
}

// readPair decodes name=value; both must be UTF-8 without control characters
// other than line ends and tabs.
func readPair(part string) (name, value string, err error) {
	left, right, _ := strings.Cut(part, "=")
	if name, err = url.QueryUnescape(left); err != nil {
		return "", "", errFormCoding
	}
	if value, err = url.QueryUnescape(right); err != nil {
		return "", "", errFormCoding
	}
	for _, s := range [...]string{name, value} {
		if !utf8.ValidString(s) || strings.ContainsFunc(s, forbidden) {
			return "", "", errFormCoding
		}
	}
	return name, value, nil
}

func forbidden(r rune) bool {
	return r < ' ' && r != '\n' && r != '\r' && r != '\t' || r == 0x7f
}

// longestValue bounds one value in bytes; longer ones are cut.
const longestValue = 500

// tidy takes the space around a value away and cuts it to its bound.
func tidy(s string) string {
	s = strings.TrimSpace(s)
	if len(s) <= longestValue {
		return s
	}
	end := longestValue
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return strings.TrimSpace(s[:end])
}

// Unmasked gives each value of the fields that hide nothing, by its name.
func (f Form) Unmasked(fields []Field) iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		for _, field := range fields {
			if value := f.Get(field.Name); field.Mask == nil && !yield(field.Name, value) {
				return
			}
		}
	}
}

// Get gives a field's value, "" when it was not sent.
func (f Form) Get(name string) string {
	for i := range f {
		if f[i].name == name {
			return f[i].value
		}
	}
	return ""
}

// Encode writes the form in the order of its fields, for the tape.
func (f Form) Encode() []byte {
	var b []byte
	for i := range f {
		if i > 0 {
			b = append(b, '&')
		}
		b = append(b, url.QueryEscape(f[i].name)...)
		b = append(b, '=')
		b = append(b, url.QueryEscape(f[i].value)...)
	}
	return b
}
