package wire

import (
	"strings"
	"unicode/utf8"

	"paysandbox/mockserver/secret"
	"paysandbox/mockserver/spelling"
)

// received shows the value between i and end, cut and with secrets masked.
func (d *decoder) received(i, end int, mask bool) string {
	if mask {
		return hiddenValue
	}
	cut, tail := end, ""
	if end-i > maxReceivedRunes {
		if n := runes(d.text[i:end], maxReceivedRunes); i+n < end {
			cut, tail = i+runes(d.text[i:end], maxReceivedRunes-1), "…"
		}
	}
	first := len(d.spans)
	for first > 0 && d.spans[first-1].Offset >= i {
		first--
	}
	if first == len(d.spans) {
		return d.keep(d.text[i:cut]) + tail
	}
	b := []byte(d.text[i:cut])
	for _, s := range d.spans[first:] {
		if from := s.Offset - i; from < len(b) {
			secret.MaskText(b[from:min(from+s.Length, len(b))])
		}
	}
	return string(b) + tail
}

// runes gives the length in bytes of the first n runes of s.
func runes(s string, n int) int {
	i := 0
	for ; n > 0 && i < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	}
	return i
}

// span notes a secret.
func (d *decoder) span(i, end int) {
	if d.deep >= 0 {
		return
	}
	if d.spans == nil {
		d.spans = make([]secret.Span, 0, 4)
	}
	d.spans = append(d.spans, secret.Span{Offset: i, Length: end - i})
}

// MaskFree masks JSON of no known shape, in place and without changing any
// length: the values of members whose names say that they hold secrets.
func MaskFree(body []byte) {
	s := sweep{secrets: &secret.Names{}, deep: -1}
	s.run(string(body), 0, len(body), false)
	secret.Mask(body, s.spans)
}

// collectNames notes the members of a plan and of all plans below it.
func collectNames(names *secret.Names, p *plan) {
	for i := range p.fields {
		f := &p.fields[i]
		names.Add(f.name, f.mask)
		if f.sub != nil {
			collectNames(names, f.sub)
		}
	}
}

// leastPart is the length from which a name is taken for the first or last word of another.
const leastPart = 4

// nearest gives the plan's member name that a wrong one was probably meant to
// be, or "": the one that is spelt most like it, else the only one that begins or ends with it.
func (p *plan) nearest(name string) string {
	if len(name) > maxName {
		return ""
	}
	var buf [maxName]byte
	low := string(fold(buf[:0], name))
	best, at := len(low)/3+2, ""
	part, parts := "", 0
	for i := range p.fields {
		known := strings.ToLower(p.fields[i].name)
		if spelling.Within(low, known, best-1) {
			best, at = spelling.Edits(low, known), p.fields[i].name
		}
		if len(low) >= leastPart && (strings.HasPrefix(known, low) || strings.HasSuffix(known, low)) {
			part, parts = p.fields[i].name, parts+1
		}
	}
	if at == "" && parts == 1 {
		return part
	}
	return at
}
