package wire

import (
	"math"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// stringEnd gives the position after the string that begins at i, and whether
// it holds escapes.
func (d *decoder) stringEnd(i int) (end int, escaped bool) {
	if d.plain {
		return plainString(d.text, i), false
	}
	rest := d.text[i+1:]
	n := strings.IndexByte(rest, '"')
	if strings.IndexByte(rest[:n], '\\') < 0 {
		return i + n + 2, false
	}
	for n = 0; rest[n] != '"'; n++ {
		if rest[n] == '\\' {
			n++
		}
	}
	return i + n + 2, true
}

// unquote gives the value of the string between i and end: a part of the
// body's copy when nothing is escaped.
func (d *decoder) unquote(i, end int, escaped bool) string {
	if !escaped {
		return d.text[i+1 : end-1]
	}
	b, _ := jsontext.AppendUnquote(nil, d.text[i:end]) // checked already
	return string(b)
}

// keep gives a string that may outlive the body's copy.
func (d *decoder) keep(s string) string {
	if len(d.text) > shareLimit && len(s) < shareLimit {
		return strings.Clone(s)
	}
	return s
}

// str reads the string at i.
func (d *decoder) str(v *value, dst reflect.Value, i int) int {
	end, escaped := d.stringEnd(i)
	d.target(v, dst).SetString(d.keep(d.unquote(i, end, escaped)))
	return end
}

// scalarEnd gives the position after the number or literal that begins at i.
func (d *decoder) scalarEnd(i int) int {
	for i < len(d.text) {
		switch c := d.text[i]; {
		case isAlnum(c), c == '.', c == '-', c == '+':
			i++
		default:
			return i
		}
	}
	return i
}

// integer reads the number, or the string, at i as an integer.
func (d *decoder) integer(v *value, dst reflect.Value, i int, at *frame) int {
	quoted := d.text[i] == '"'
	if !quoted {
		end := d.scalarEnd(i)
		d.setInteger(v, dst, i, end, d.text[i:end], at)
		return end
	}
	end, escaped := d.stringEnd(i)
	digits := d.unquote(i, end, escaped)
	if !d.opt.NumberStrings || !isNumber(digits) {
		return d.mismatch(v, i, at)
	}
	if d.setInteger(v, dst, i, end, digits, at) {
		d.numberString(i, end, at)
	}
	return end
}

// setInteger sets dst to the number spelt by digits, or reports it.
func (d *decoder) setInteger(v *value, dst reflect.Value, i, end int, digits string, at *frame) bool {
	n, plain, fits := parseInteger(digits, v.bits)
	switch {
	case !plain:
		d.notWhole(v, i, end, at)
	case !fits:
		d.outOfRange(v, i, end, at)
	default:
		d.target(v, dst).SetInt(n)
	}
	return plain && fits
}

// parseInteger reads a JSON number: plain says that it has neither fraction
// nor exponent, fits that it is within bits.
func parseInteger(s string, bits int) (n int64, plain, fits bool) {
	if strings.ContainsAny(s, ".eE") {
		return 0, false, false
	}
	digits, negative := strings.CutPrefix(s, "-")
	limit := uint64(math.MaxInt64) >> (64 - bits)
	if negative {
		limit++
	}
	var u uint64
	for i := range len(digits) {
		c := uint64(digits[i] - '0')
		if u > (limit-c)/10 {
			return 0, true, false
		}
		u = u*10 + c
	}
	if negative {
		return -int64(u), true, true // 2^63 wraps to itself
	}
	return int64(u), true, true
}

// isNumber reports whether s is a number in JSON's own spelling.
func isNumber(s string) bool {
	return s != "" && (s[0] == '-' || isDigit(s[0])) && jsontext.Value(s).IsValid() && s[len(s)-1] > ' '
}

// raw takes the text of the object at i, or reports a name that is twice in
// one of its objects.
func (d *decoder) raw(v *value, dst reflect.Value, i int, at *frame) int {
	end := d.skip(i, at.depth, false)
	if d.deep >= 0 {
		return end
	}
	text := d.text[i:end]
	if !jsontext.Value(text).IsValid() { // valid but for duplicates
		d.rawDuplicate(text, at)
		return end
	}
	d.target(v, dst).SetString(d.keep(text))
	return end
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isAlnum(c byte) bool { return isDigit(c) || isLetter(c) }
