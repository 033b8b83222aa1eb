package wire

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/secret"
)

// faultKind is why a body cannot be read.
type faultKind uint8

const (
	faultNone faultKind = iota
	faultEmpty
	faultBlank
	faultBOM
	faultTruncated
	faultSyntax
	faultTrailing
	faultUTF8
	faultControl
	faultEscape
	faultDeep
	faultNotObject
)

// faultText says, for each kind of fault, what the finding says.
type faultText struct {
	clause, what, expected, fix string
	source                      kernel.Source
}

// faultTexts is indexed by faultKind.
var faultTexts = [...]faultText{
	faultEmpty:     {clauseEmpty, "it is empty", "a JSON object", "send the request's members as a JSON object", kernel.Spec},
	faultBlank:     {clauseEmpty, "it holds nothing but white space", "a JSON object", "send the request's members as a JSON object", kernel.Spec},
	faultBOM:       {clauseUTF8, "it begins with a byte order mark", "UTF-8 without a byte order mark", "write the text without a byte order mark", kernel.Assumed},
	faultTruncated: {clauseJSON, "it ends in the middle of a value", "a complete JSON object", "send the whole text and check Content-Length", kernel.Spec},
	faultSyntax:    {clauseJSON, "it is not JSON: this character cannot stand here", "a JSON object", "let a JSON library write the body", kernel.Spec},
	faultTrailing:  {clauseJSON, "more follows after the JSON object", "one JSON object and nothing after it", "send one object for each request", kernel.Spec},
	faultUTF8:      {clauseUTF8, "it is not UTF-8", "UTF-8", "encode the text as UTF-8", kernel.Spec},
	faultControl:   {clauseJSON, "a string holds a bare control character", "control characters written as escapes, such as \\n", "let a JSON library write the body", kernel.Spec},
	faultEscape:    {clauseJSON, "a string holds an escape that JSON does not have", "JSON's own escapes, and surrogates in pairs", "let a JSON library write the body", kernel.Spec},
	faultDeep:      {clauseDepth, "it is nested too deep", "at most 64 levels of objects and arrays", "send a flatter body", kernel.Assumed},
	faultNotObject: {clauseObject, "it is JSON, but no object", "a JSON object", "send the request's members as a JSON object", kernel.Spec},
}

// fault is why and where a body cannot be read.
type fault struct {
	kind   faultKind
	offset int
}

// check finds the first reason why a body is not JSON at all.
func check(body []byte) fault {
	if jsontext.Value(body).IsValid(jsontext.AllowDuplicateNames(true)) {
		return fault{}
	}
	switch {
	case len(body) == 0:
		return fault{kind: faultEmpty}
	case len(bytes.Trim(body, " \t\r\n")) == 0:
		return fault{kind: faultBlank}
	case bytes.HasPrefix(body, []byte("\ufeff")):
		return fault{kind: faultBOM}
	}
	d := jsontext.NewDecoder(bytes.NewBuffer(body), jsontext.AllowDuplicateNames(true))
	_, err := d.ReadValue()
	if err == nil {
		end := int(d.InputOffset())
		f := fault{kind: faultTrailing, offset: len(body) - len(bytes.TrimLeft(body[end:], " \t\r\n"))}
		if bytes.TrimLeft(body, " \t\r\n")[0] != '{' {
			f.kind = faultSyntax
		}
		return f
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fault{kind: faultTruncated, offset: len(body)}
	}
	return fault{kind: faultSyntax, offset: min(int(syntactic(err).ByteOffset), len(body))}
}

// syntactic gives the position that jsontext reports.
func syntactic(err error) *jsontext.SyntacticError {
	if s, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return s
	}
	return &jsontext.SyntacticError{}
}

// refuse makes the result for a body that cannot be read. Secrets before the
// fault are found by name; from the last good token on, and in a body that
// does not begin as an object, everything is masked.
func refuse(body []byte, f fault, names *secret.Names) Result {
	text := string(body)
	s := sweep{secrets: names, deep: -1}
	good := s.run(text, 0, f.offset, false)
	if s.hidden > 0 {
		s.spans = append(s.spans, secret.Span{Offset: s.start, Length: good - s.start})
	}
	f = refine(f, text, good, s.deep)
	if !strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "{") {
		good, s.spans = 0, nil
	}
	if good < len(body) {
		s.spans = append(s.spans, secret.Span{Offset: good, Length: len(body) - good})
	}
	return Result{Err: f.err(body), Spans: s.spans}
}

// refine tells apart the faults that jsontext calls a syntax error, from the
// position of the last good token and the byte at fault. A broken word is at
// fault from its first letter on.
func refine(f fault, text string, good, deep int) fault {
	switch {
	case deep >= 0:
		return fault{kind: faultDeep, offset: deep}
	case f.kind != faultSyntax || f.offset >= len(text) || good >= f.offset:
		return f
	case isLetter(text[good]):
		f.offset = good
	case text[good] != '"':
	case text[f.offset] < ' ':
		f.kind = faultControl
	case text[f.offset] == '\\':
		f.kind = faultEscape
	case text[f.offset] >= utf8.RuneSelf:
		f.kind = faultUTF8
	}
	return f
}

// err spells a fault out. It says where, and never shows the bytes.
func (f fault) err(body []byte) *kernel.Error {
	t := faultTexts[f.kind]
	before := body[:f.offset]
	line := bytes.Count(before, []byte("\n")) + 1
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	where := "byte offset " + strconv.Itoa(f.offset) + ", line " + strconv.Itoa(line) + ", column " + strconv.Itoa(column)
	return &kernel.Error{
		Code:   kernel.Malformed,
		Detail: "the body cannot be read: " + t.what + " (" + where + ")",
		Findings: []kernel.Finding{{
			Clause: t.clause, Source: t.source,
			Received: t.what + " at " + where, Expected: t.expected, Fix: t.fix,
		}},
	}
}

// plainName gives the name that a quoted one spells.
func plainName(quoted string) string {
	if strings.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1]
	}
	b, _ := jsontext.AppendUnquote(nil, quoted) // a good token
	return string(b)
}
