package wire

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"paysandbox/mockserver/kernel"
)

// The clauses of what can be wrong with a body before any rule is asked.
const (
	clauseEmpty      = "request.empty-body"
	clauseJSON       = "request.json"
	clauseUTF8       = "request.utf8"
	clauseDepth      = "request.depth"
	clauseObject     = "request.object"
	clauseType       = "request.type"
	clauseInteger    = "request.integer"
	clauseRange      = "request.integer-range"
	clauseString     = "request.integer-string"
	clauseDuplicate  = "request.duplicate-member"
	clauseUnknown    = "request.unknown-member"
	clauseArray      = "request.array-length"
	clauseMore       = "request.more-findings"
	hiddenValue      = `"••••"`
	maxFindings      = 100 // of each sort
	maxReceivedRunes = 80
)

// room counts a finding and reports whether it is to be spelt out.
func (d *decoder) room(advisory bool) bool {
	sort := 0
	if advisory {
		sort = 1
	}
	d.counts[sort]++
	return d.counts[sort] <= maxFindings
}

// finish gives the findings, with a last one of each sort for those left out.
func (d *decoder) finish() []kernel.Finding {
	for sort, n := range d.counts {
		if n <= maxFindings {
			continue
		}
		d.findings = append(d.findings, kernel.Finding{
			Clause: clauseMore, Source: kernel.Assumed, Advisory: sort == 1,
			Received: strconv.Itoa(n) + " findings of this sort, the first " + strconv.Itoa(maxFindings) + " are listed",
			Expected: "a body without them", Fix: "mend the listed ones and send the request again",
		})
	}
	return d.findings
}

// null takes a null as absence, but for a struct that must be there.
func (d *decoder) null(v *value, i int, at *frame) int {
	if v.kind == kindStruct && !v.ptr {
		return d.mismatch(v, i, at)
	}
	return i + len("null")
}

// mismatch reports a value of a wrong JSON type and skips it.
func (d *decoder) mismatch(v *value, i int, at *frame) int {
	end := d.skip(i, at.depth, !v.mask)
	if d.deep >= 0 || !d.room(false) {
		return end
	}
	expected := typeName(v)
	d.findings = append(d.findings, kernel.Finding{
		Pointer: at.pointer(), Clause: clauseType, Source: kernel.Spec,
		Received: d.received(i, end, v.mask),
		Expected: expected + ", not " + jsonType(d.text[i]),
		Fix:      "send " + expected + v.asIn(),
	})
	return end
}

// asIn shows how dollars become cents where a field takes these: whoever is told of the
// type alone sends 50 for 50.00.
func (v *value) asIn() string {
	if v.cents {
		return ", as in 5000 for 50.00 dollars"
	}
	return ""
}

// typeName says what a field takes.
func typeName(v *value) string {
	if v.list && v.kind == kindStruct {
		return "an array of objects"
	}
	if v.list {
		return "an array of strings"
	}
	switch v.kind {
	case kindInt:
		if v.cents {
			return "a whole number of cents"
		}
		return "a whole number"
	case kindBool:
		return "true or false"
	case kindStruct, kindRaw:
		return "an object"
	case kindString:
	}
	return "a string"
}

// jsonType says which type a value has that begins with c.
func jsonType(c byte) string {
	switch c {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	default:
		return "a number"
	}
}

// notWhole reports a number with a fraction or an exponent.
func (d *decoder) notWhole(v *value, i, end int, at *frame) {
	if !d.room(false) {
		return
	}
	d.findings = append(d.findings, kernel.Finding{
		Pointer: at.pointer(), Clause: clauseInteger, Source: kernel.Spec,
		Received: d.received(i, end, v.mask),
		Expected: typeName(v) + " without fraction or exponent",
		Fix:      "write the digits only" + cmp.Or(v.asIn(), ", as in 5000") + "; neither 5000.0 nor 5e3",
	})
}

// outOfRange reports an integer that its field cannot hold.
func (d *decoder) outOfRange(v *value, i, end int, at *frame) {
	if !d.room(false) {
		return
	}
	source, expected := kernel.Assumed, "a whole number from -9223372036854775808 to 9223372036854775807"
	if v.bits == 32 {
		source, expected = kernel.Spec, "a whole number from -2147483648 to 2147483647"
	}
	d.findings = append(d.findings, kernel.Finding{
		Pointer: at.pointer(), Clause: clauseRange, Source: source,
		Received: d.received(i, end, v.mask), Expected: expected, Fix: "send a number in that range",
	})
}

// numberString reports an integer that was accepted although it is a string.
func (d *decoder) numberString(i, end int, at *frame) {
	if !d.room(true) {
		return
	}
	d.findings = append(d.findings, kernel.Finding{
		Pointer: at.pointer(), Clause: clauseString, Source: kernel.Spec, Advisory: true,
		Received: d.received(i, end, false), Expected: "a whole number, not a string",
		Fix: "leave the quotation marks out",
	})
}

// duplicate reports a member that its object already has, and skips it.
func (d *decoder) duplicate(v *value, i int, at *frame) int {
	end := d.skip(i, at.depth, !v.mask)
	if d.deep >= 0 || !d.room(false) {
		return end
	}
	d.findings = append(d.findings, kernel.Finding{
		Pointer: at.pointer(), Clause: clauseDuplicate, Source: kernel.Assumed,
		Received: d.received(i, end, v.mask), Expected: d.once(), Fix: "send the member once",
	})
	return end
}

// once says how often a member may be there.
func (d *decoder) once() string {
	if d.opt.CamelOnly {
		return "each member once in its object"
	}
	return "each member once in its object, whatever the case of its letters"
}

// rawDuplicate reports the first name that is twice in a free-form object.
func (d *decoder) rawDuplicate(text string, at *frame) {
	if !d.room(false) {
		return
	}
	d.findings = append(d.findings, kernel.Finding{
		Pointer: clip(at.pointer()+string(duplicateIn(text)), maxPointer), Clause: clauseDuplicate, Source: kernel.Assumed,
		Expected: "each member once in its object", Fix: "send the member once",
	})
}

// tooLong reports an array with more elements than are read.
func (d *decoder) tooLong(n int, at *frame) {
	if !d.room(false) {
		return
	}
	d.findings = append(d.findings, kernel.Finding{
		Pointer: at.pointer(), Clause: clauseArray, Source: kernel.Assumed,
		Received: strconv.Itoa(n) + " elements", Expected: "at most " + strconv.Itoa(maxElements) + " elements",
		Fix: "send fewer elements",
	})
}

// unknown skips a member that the struct does not have and reports it.
func (d *decoder) unknown(p *plan, name string, i int, at *frame) int {
	secret := d.secrets.Has(name)
	end := d.skip(i, at.depth+1, !secret)
	if secret {
		d.span(i, end)
	}
	if d.deep >= 0 || !d.room(!d.opt.RefuseUnknown) {
		return end
	}
	here := frame{parent: at, name: name, index: -1}
	f := kernel.Finding{
		Pointer: here.pointer(), Clause: clauseUnknown, Source: kernel.Assumed,
		Received: d.received(i, end, secret), Expected: "only members that this request has",
		Fix: "leave the member out", Advisory: !d.opt.RefuseUnknown,
	}
	if d.opt.UnknownClause != "" {
		f.Clause = d.opt.UnknownClause
	}
	if d.opt.UnknownSource != "" {
		f.Source = d.opt.UnknownSource
	}
	if _, money := p.exact["amount"]; money && strings.HasPrefix(strings.ToLower(name), "currency") {
		f.Expected += "; an amount is in cents of US dollars, always"
	} else if near := p.nearest(name); near != "" {
		f.Expected += "; did you mean " + near + "?"
		f.Fix = "send it as " + near + ", or leave it out"
	}
	d.findings = append(d.findings, f)
	return end
}

// duplicateIn gives the pointer of the first name that is twice.
func duplicateIn(text string) jsontext.Pointer {
	_, err := jsontext.NewDecoder(strings.NewReader(text)).ReadValue()
	return syntactic(err).JSONPointer
}
