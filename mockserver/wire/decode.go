// Package wire owns what the sandbox's HTTP layers share about bytes: strict
// JSON in with one finding for each problem, masking of secrets in the raw
// body, problem details and JSON out, and the media types of both directions.
//
// It must not know resources or rules (that is world's part). Of net/http it
// reads a request's address and headers alone, and answers nobody. It keeps no state but
// pools of scratch memory and the compiled decode plans of types. Everything it reports is
// a function of its arguments.
package wire

import (
	"reflect"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/secret"
)

const (
	// maxDepth is the deepest nesting that a body may have; the body's own
	// braces count as one.
	maxDepth = 64
	// maxElements is the longest array that a body may have. It bounds how
	// much memory a body of a given size can claim.
	maxElements = 10_000
	// shareLimit is the longest body, in bytes, whose values are substrings of
	// one copy of it. Values of a longer body are copied one by one, so that a
	// short name does not keep ten megabytes alive.
	shareLimit = 64 << 10
)

// Options are the choices that the HTTP layer makes for one request. The zero
// value is the sandbox's default behaviour.
type Options struct {
	// CamelOnly matches member names exactly; by default the case of ASCII
	// letters is ignored, so camelCase and PascalCase both match.
	CamelOnly bool
	// NumberStrings accepts "5000" for 5000 with an advisory finding; by
	// default it is refused.
	NumberStrings bool
	// RefuseUnknown refuses unknown members; by default they are ignored with
	// an advisory finding.
	RefuseUnknown bool
	// UnknownClause is the clause of findings about unknown members; empty
	// means request.unknown-member.
	UnknownClause string
	// UnknownSource is the source of findings about unknown members; empty
	// means assumed.
	UnknownSource kernel.Source
}

// Result is what Decode found out about a body.
type Result struct {
	// Findings are all problems of a body that is a JSON object, in the order
	// of its members. At most 100 advisory and 100 refusing ones are spelt
	// out; a last finding of either sort counts the rest. It is nil when Err
	// is set.
	Findings []kernel.Finding
	// Err is set when the body is not a JSON object that can be read: its code
	// is kernel.Malformed and it holds exactly one finding. What the target
	// struct then holds is undefined.
	Err *kernel.Error
	// Spans are the secrets in the body, in ascending order and disjoint; Mask
	// strikes them.
	Spans []secret.Span
	// Personal says that something elsewhere has the form of personal data. The target
	// holds what is left of it when it is struck, so that whoever reads the masked
	// body comes to the same.
	Personal bool
}

// Mask strikes the secrets and what has the form of personal data, in place and
// without changing any length. Call it before the body is kept anywhere.
func (r *Result) Mask(body []byte) {
	r.Strike(body)
	secret.Mask(body, r.Spans)
}

// Strike is Mask for what has the form of personal data alone.
func (r *Result) Strike(body []byte) {
	if r.Personal {
		struck, _ := secret.Struck(string(body), r.Spans)
		copy(body, struck)
	}
}

// Refused reports whether the body must not be acted upon: it cannot be read,
// or at least one finding is not advisory.
func (r Result) Refused() bool {
	if r.Err != nil {
		return true
	}
	for i := range r.Findings {
		if !r.Findings[i].Advisory {
			return true
		}
	}
	return false
}

// Decode reads the JSON object in body into dst, a pointer to a struct whose
// exported fields carry json tags. Fields may be strings, int64, int32, bool,
// structs, pointers to these, and slices of structs or strings. A string field
// tagged wire:"raw" takes the raw text of a JSON object. A string field tagged
// mask:"true" is a secret: its value is never shown and is listed in Spans.
//
// Reading goes on after each problem that is not one of JSON syntax; a value
// that cannot be taken is skipped and its field keeps its zero value. Null
// means absence for everything but a struct that is not a pointer and the
// elements of a list. Pointers in findings use the field's own spelling.
//
// The body is not kept: values refer to copies of it. Decode panics when dst
// is not a pointer to a struct of such fields, which is a programmer's mistake.
func Decode(body []byte, dst any, opt Options) Result {
	text := string(body)
	r := decode(text, body, dst, opt)
	struck, found := secret.Struck(text, r.Spans)
	if len(found) == 0 {
		return r
	}
	reflect.ValueOf(dst).Elem().SetZero()
	r = decode(struck, []byte(struck), dst, opt)
	r.Personal = true
	if r.Err == nil {
		r.Findings = append(r.Findings, personal(struck, found)...)
	}
	return r
}

// decode reads a body that is left as it is.
func decode(text string, body []byte, dst any, opt Options) Result {
	target := reflect.ValueOf(dst)
	p := planOf(target.Type())
	plain := plainly(text)
	if !plain {
		if fault := check(body); fault.kind != faultNone {
			return refuse(body, fault, p.secrets)
		}
	}
	d := decoder{text: text, plain: plain, opt: opt, secrets: p.secrets, deep: -1}
	start := d.space(0)
	if d.text[start] != '{' {
		return refuse(body, fault{kind: faultNotObject, offset: start}, p.secrets)
	}
	d.object(p, target.Elem(), start, &frame{index: -1, depth: 1})
	if d.deep >= 0 {
		return refuse(body, fault{kind: faultDeep, offset: d.deep}, p.secrets)
	}
	return Result{Findings: d.finish(), Spans: d.spans}
}

// decoder walks one body that has been found to be valid JSON, so it may
// rely on the grammar.
type decoder struct {
	text    string
	plain   bool // nothing in it is escaped
	opt     Options
	secrets *secret.Names

	findings []kernel.Finding
	counts   [2]int // refusing, advisory
	spans    []secret.Span
	slab     []string // memory for the next *string fields
	deep     int      // offset of the first bracket below maxDepth, or -1
}

// space gives the first position from i on that is not white space.
func (d *decoder) space(i int) int {
	for i < len(d.text) && d.text[i] <= ' ' {
		i++
	}
	return i
}
