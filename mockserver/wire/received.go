package wire

import (
	"unicode/utf8"

	"paysandbox/mockserver/secret"
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
