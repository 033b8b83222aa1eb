package secret

import (
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Span is a stretch of a body: Length bytes from byte Offset on.
type Span struct {
	Offset, Length int
}

// Mask overwrites the stretches of a body of JSON that are secret, in place and
// without changing any length: digits become 1, letters become x (or a letter of
// the same width), all else stays. Reading the masked body shows the same
// mistakes in the same places as the unmasked one. Masking twice changes nothing
// more.
func Mask(body []byte, spans []Span) {
	for _, s := range spans {
		MaskText(body[s.Offset : s.Offset+s.Length])
	}
}

// MaskText masks JSON text, which may be cut off at its end or broken from
// some point on. What decides whether and where it is broken stays as it is:
// quotes, escapes, a number's leading zero and exponent sign, literals.
func MaskText(b []byte) {
	for i := 0; i < len(b); {
		switch c := b[i]; {
		case c == '"':
			i = maskString(b, i+1)
		case isDigit(c):
			i = maskNumber(b, i)
		case isLetter(c):
			i = maskWord(b, i)
		default:
			i += maskRune(b[i:])
		}
	}
}

// maskWord masks a word outside of strings, unless it is a literal or, at the
// end of the text, the beginning of one.
func maskWord(b []byte, i int) int {
	end := i
	for end < len(b) && isAlnum(b[end]) {
		end++
	}
	for _, literal := range [...]string{"true", "false", "null"} {
		word := string(b[i:end])
		if word == literal || (end == len(b) && strings.HasPrefix(literal, word)) {
			return end
		}
	}
	for i < end {
		i += maskRune(b[i:])
	}
	return end
}

// maskNumber masks the digits of a number.
func maskNumber(b []byte, i int) int {
	if b[i] == '0' {
		i++
	} else {
		i = maskDigits(b, i)
	}
	if i < len(b) && b[i] == '.' {
		i = maskDigits(b, i+1)
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		if i++; i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		i = maskDigits(b, i)
	}
	return i
}

func maskDigits(b []byte, i int) int {
	for ; i < len(b) && isDigit(b[i]); i++ {
		b[i] = '1'
	}
	return i
}

// maskString masks the inside of a string and gives the position after its
// closing quote.
func maskString(b []byte, i int) int {
	for i < len(b) {
		switch b[i] {
		case '"':
			return i + 1
		case '\\':
			i = maskEscape(b, i)
		default:
			i += maskRune(b[i:])
		}
	}
	return i
}

// maskRune masks the rune that b begins with and gives its size.
func maskRune(b []byte) int {
	if c := b[0]; c < utf8.RuneSelf {
		switch {
		case isDigit(c):
			b[0] = '1'
		case isLetter(c):
			b[0] = 'x'
		}
		return 1
	}
	r, size := utf8.DecodeRune(b)
	if size > 1 {
		utf8.EncodeRune(b, standIn(r))
	}
	return size
}

// standIn gives a rune of the same sort and the same width in UTF-8.
func standIn(r rune) rune {
	sort := -1
	switch {
	case unicode.IsLetter(r):
		sort = 0
	case unicode.IsDigit(r):
		sort = 1
	default:
		return r
	}
	return [...][2]rune{1: {'x', '1'}, 2: {'ø', '١'}, 3: {'字', '１'}, 4: {'𠀀', '𝟏'}}[utf8.RuneLen(r)][sort]
}

// maskEscape masks the escape at i and gives the position after it. Escapes
// stay valid, or invalid, or cut off, as they were.
func maskEscape(b []byte, i int) int {
	if i+1 == len(b) {
		return i + 1
	}
	if b[i+1] != 'u' {
		if strings.IndexByte(`"\/bfnrt`, b[i+1]) < 0 {
			return i + 1 + maskRune(b[i+1:])
		}
		return i + 2
	}
	r, end := hexEscape(b, i)
	if r < 0 {
		return maskBrokenHex(b, i+2, end, false)
	}
	if !utf16.IsSurrogate(r) {
		putHex(b[i+2:end], standIn(r))
		return end
	}
	return maskSurrogates(b, r, i, end)
}

// maskSurrogates masks the surrogate r between i and end, and what it pairs
// with or was meant to.
func maskSurrogates(b []byte, r rune, i, end int) int {
	second, after := hexEscape(b, end)
	if pair := utf16.DecodeRune(r, second); pair != utf8.RuneError {
		high, low := utf16.EncodeRune(standIn(pair))
		putHex(b[i+2:end], high)
		putHex(b[end+2:after], low)
		return after
	}
	if r < 0xdc00 {
		putHex(b[i+2:end], 0xd800)
	} else {
		putHex(b[i+2:end], 0xdc00)
	}
	if second < 0 && after > end {
		return maskBrokenHex(b, end+2, after, true)
	}
	return end
}

// hexEscape reads the escape \uXXXX at i. A negative rune says that it is
// none; end is then after its hexadecimal beginning, or i.
func hexEscape(b []byte, i int) (r rune, end int) {
	if i+2 > len(b) || b[i] != '\\' || b[i+1] != 'u' {
		return -1, i
	}
	for end = i + 2; end < i+6; end++ {
		if end == len(b) || !isAlnum(b[end]) {
			return -1, end
		}
		digit := strings.IndexByte("0123456789abcdef", lower(b[end]))
		if digit < 0 {
			return -1, end
		}
		r = r<<4 | rune(digit) //nolint:gosec // 0 to 15
	}
	return r, end
}

func lower(c byte) byte {
	if isLetter(c) {
		return c | 0x20
	}
	return c
}

// maskBrokenHex masks the hexadecimal digits between i and end of an escape
// that has too few. Cut off after a surrogate, they stay what can become the
// second half of a pair, or cannot.
func maskBrokenHex(b []byte, i, end int, second bool) int {
	with := "0000"
	if second && end > i && lower(b[i]) == 'd' && (end < i+2 || lower(b[i+1]) >= 'c') {
		with = "dc00"
	}
	copy(b[i:end], with)
	return end
}

// putHex writes r as four hexadecimal digits.
func putHex(b []byte, r rune) {
	for i := range b {
		b[i] = "0123456789abcdef"[r>>(12-4*i)&15]
	}
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isAlnum(c byte) bool { return isDigit(c) || isLetter(c) }
