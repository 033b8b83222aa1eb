package secret

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// spelt is a text in which each digit, space and hyphen is the plain one, whatever it was
// written as: an escape of JSON, a wide digit, a no-break space, an en dash, a point
// between the groups of a number.
type spelt struct {
	text []byte
	// at is where each byte begins in the text as it was written, and where that ends.
	at []int
}

// respelt is the text spelt plainly; false when it is so already. To find that out is
// cheap.
func respelt(text string) (s spelt, changed bool) {
	if !oddly(text) {
		return s, false
	}
	s = spelt{make([]byte, 0, len(text)), make([]int, 0, len(text)+1)}
	for i := 0; i < len(text); {
		c, size := unit(text[i:])
		s.text, s.at = append(s.text, c), append(s.at, i)
		i += size
	}
	s.at = append(s.at, len(text))
	s.joinDotted()
	return s, true
}

// written is where a stretch of the plain text stands in the text as it was written.
func (s *spelt) written(p Span) Span {
	from := s.at[p.Offset]
	return Span{from, s.at[p.Offset+p.Length] - from}
}

// oddly says whether digits of a text may be written, or be kept apart, otherwise than
// plainly.
func oddly(text string) bool {
	for _, lead := range [...]byte{0xC2, 0xE2, 0xE3, 0xEF} { // of what plainly knows
		if strings.IndexByte(text, lead) >= 0 {
			return true
		}
	}
	if strings.Contains(text, `\u`) {
		return true
	}
	for i := 0; ; i++ {
		point := strings.IndexByte(text[i:], '.')
		if point < 0 {
			return false
		}
		if i += point; i > 0 && isDigit(text[i-1]) && i+1 < len(text) && isDigit(text[i+1]) {
			return true
		}
	}
}

// unit is the character that a text begins with, spelt plainly, and how many bytes it
// takes. Of a digit the last byte alone says which one it is.
func unit(text string) (c byte, size int) {
	switch {
	case text[0] == '\\' && len(text) > 1 && text[1] == '\\':
		return '\\', 2
	case text[0] == '\\' && len(text) > 5 && text[1] == 'u':
		r, err := strconv.ParseUint(text[2:6], 16, 16)
		if c := plainly(rune(r)); err == nil && c != 0 {
			return c, 6
		}
	case text[0] >= utf8.RuneSelf:
		r, size := utf8.DecodeRuneInString(text)
		if c := plainly(r); c != 0 {
			return c, size
		}
	}
	return text[0], 1
}

// plainly is the plain digit, space, hyphen, or other character of ASCII, that a character
// stands for; 0 for another one.
func plainly(r rune) byte {
	switch {
	case r < utf8.RuneSelf:
		return byte(r) //nolint:gosec // G115: of ASCII
	case r >= '０' && r <= '９':
		return byte('0' + r - '０')
	case r == 0x00A0, r >= 0x2000 && r <= 0x200A, r == 0x202F, r == 0x205F, r == 0x3000:
		return ' '
	case r >= 0x2010 && r <= 0x2015, r == 0x2212, r == 0xFE63, r == 0xFF0D:
		return '-'
	default:
		return 0
	}
}

// dotted are the groups of numbers that people write with points: cards, and social
// security numbers. Any other number with points is a version, an amount or an address.
var dotted = map[string]bool{"4444": true, "465": true, "44443": true, "324": true}

// joinDotted makes hyphens of the points in such numbers.
func (s *spelt) joinDotted() {
	for i := 0; i < len(s.text); i++ {
		if !isDigit(s.text[i]) {
			continue
		}
		start, from, groups := i, i, ""
		for ; i < len(s.text) && (isDigit(s.text[i]) || s.text[i] == '.' && i+1 < len(s.text) && isDigit(s.text[i+1])); i++ {
			if s.text[i] == '.' && len(groups) < maxGroups {
				groups, from = groups+strconv.Itoa(i-from), i+1
			}
		}
		if groups != "" && len(groups) < maxGroups && dotted[groups+strconv.Itoa(i-from)] {
			for j := start; j < i; j++ {
				if s.text[j] == '.' {
					s.text[j] = '-'
				}
			}
		}
	}
}
