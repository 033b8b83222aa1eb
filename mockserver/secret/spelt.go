package secret

import (
	"cmp"
	"math/bits"
	"strconv"
	"strings"
	"unicode"
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
		if size := lineEnd(text[i:]); size > 0 && s.behindDigit() && startsDigit(text[i+size:]) {
			s.text, s.at = append(s.text, '\n'), append(s.at, i)
			i += size
			continue
		}
		if gap, seen := apart(text[i:]); (gap > 1 || gap == 1 && text[i] != '-') && s.behindDigit() && startsDigit(text[i+gap:]) {
			if seen {
				s.text, s.at = append(s.text, ' '), append(s.at, i)
			}
			i += gap
			continue
		}
		c, size := unit(text[i:])
		if c != '.' || !mantissa(text, i) {
			s.text, s.at = append(s.text, c), append(s.at, i)
		}
		i += size
	}
	s.at = append(s.at, len(text))
	s.joinDotted()
	return s, true
}

func (s *spelt) behindDigit() bool { return len(s.text) > 0 && isDigit(s.text[len(s.text)-1]) }

// written is where a stretch of the plain text stands in the text as it was written.
func (s *spelt) written(p Span) Span {
	from := s.at[p.Offset]
	return Span{from, s.at[p.Offset+p.Length] - from}
}

// oddly says whether digits of a text may be written, or be kept apart, otherwise than
// plainly. It looks at eight bytes at a time.
func oddly(text string) bool {
	if at := strings.IndexByte(text, '\\'); at >= 0 && strings.Contains(text[at:], `\u`) || strings.IndexByte(text, '%') >= 0 {
		return true
	}
	rest, digit := text, uint64(0) // digit says whether one comes before
	for ; len(rest) >= 8; rest = rest[8:] {
		w := Eight(rest)
		if w&highs != 0 {
			break
		}
		digits := digitsIn(w)
		behind := digits<<8 | digit
		digit = digits >> 56
		if behind == 0 {
			continue
		}
		for found := behind & signs(w); found != 0; found &= found - 1 {
			if oddlyAt(text, len(text)-len(rest)+bits.TrailingZeros64(found)/8) {
				return true
			}
		}
	}
	return oddlyInWords(text, len(text)-len(rest))
}

const (
	each  = 0x0101010101010101 // a byte in each of eight
	highs = each * 0x80
)

// Eight are the first eight bytes of a text, as one number, the first of them lowest.
func Eight(text string) uint64 {
	_ = text[7]
	return uint64(text[0]) | uint64(text[1])<<8 | uint64(text[2])<<16 | uint64(text[3])<<24 |
		uint64(text[4])<<32 | uint64(text[5])<<40 | uint64(text[6])<<48 | uint64(text[7])<<56
}

// digitsIn are the digits, by their highest bits, of eight characters of ASCII.
func digitsIn(w uint64) uint64 { return ^((w ^ each*'0') + each*(0x80-10)) & highs }

// signs are those of eight characters of ASCII, by their highest bits, that may keep digits
// apart: what comes before digits, but for quotation marks and hyphens, what follows them, and
// the last letters, small and large, with what follows those.
func signs(w uint64) uint64 {
	before := ^(w + each*(0x80-'0')) & highs
	behind := zeros(w&(each*0xF8)^each*'8') &^ digitsIn(w)
	return before&^(zeros(w^each*'"')|zeros(w^each*'-')) | behind | zeros(w&(each*0xD8)^each*'X')
}

// zeros are the bytes that are 0, by their highest bits, of eight characters of ASCII.
func zeros(w uint64) uint64 { return ^(w + each*0x7F) & highs }

// oddlyAt says whether what stands at a place, behind a digit, keeps it apart from the next.
func oddlyAt(text string, i int) bool {
	switch rest := text[i+1:]; text[i] {
	case '.', '/', '_', ',', '\n', '+', '*', '#', '|', '~', '\'':
		return rest != "" && isDigit(rest[0])
	case ':', ';', '=': // times have two digits
		return i >= 4 && allDigits(text[i-4:i]) && len(rest) >= 4 && allDigits(rest[:4])
	case '\t':
		return true
	case '\r':
		return strings.HasPrefix(rest, "\n")
	case ' ':
		return strings.HasPrefix(rest, " ") || strings.HasPrefix(rest, "-") || strings.HasPrefix(rest, `\t`)
	case '\\':
		return strings.HasPrefix(rest, "n") || strings.HasPrefix(rest, `r\n`) || strings.HasPrefix(rest, "t")
	}
	return false
}

// oddlyInWords is oddly from a place on, byte by byte, for texts of any language.
func oddlyInWords(text string, from int) bool {
	for i := from; i < len(text); i++ {
		switch c := text[i]; {
		case i > 0 && isDigit(text[i-1]) && oddlyAt(text, i),
			c >= utf8.RuneSelf && strings.IndexByte("\xC2\xCD\xD9\xDB\xE0\xE1\xE2\xE3\xEF\xF0", c) >= 0, // of nearly all that plainly knows
			c == '\\' && strings.HasPrefix(text[i+1:], "u"):
			return true
		}
	}
	return false
}

// joins says whether a sign stands between the groups of numbers as some write them.
func joins(c byte) bool { return strings.IndexByte("./_*#|~'", c) >= 0 || lists(c) }

// lists says whether a sign, as a comma or the end of a line, mostly stands between numbers of
// their own.
func lists(c byte) bool { return strings.IndexByte(",\n:;=", c) >= 0 }

// lineEnd gives the length of the end of a line that a text begins with, as it is or as JSON
// writes it.
func lineEnd(text string) int {
	for _, end := range [...]string{"\n", "\r\n", `\n`, `\r\n`} {
		if strings.HasPrefix(text, end) {
			return len(end)
		}
	}
	return 0
}

// startsDigit says whether a text begins with a digit.
func startsDigit(text string) bool {
	if text == "" {
		return false
	}
	c, _ := unit(text)
	return isDigit(c)
}

// maxApart is how many signs may stand between two groups of a number.
const maxApart = 4

// apart gives the length of the spaces, tabs and invisible characters that a text begins
// with, and whether any of them can be seen.
func apart(text string) (size int, seen bool) {
	for range maxApart {
		rest := text[size:]
		r, n := utf8.DecodeRuneInString(rest)
		switch {
		case rest == "":
			return size, seen
		case strings.ContainsRune(" \t+-", r), r >= utf8.RuneSelf && plainly(r) == ' ':
			seen = true
		case strings.HasPrefix(rest, `\t`):
			seen, n = true, 2
		case strings.HasPrefix(rest, "%20"):
			seen, n = true, 3
		case unseen(r):
		default:
			return size, seen
		}
		size += n
	}
	return size, seen
}

// unit is the character that a text begins with, spelt plainly, and how many bytes it
// takes. Of a digit the last byte alone says which one it is.
func unit(text string) (c byte, size int) {
	switch {
	case text[0] == '\\' && len(text) > 1 && text[1] == '\\':
		return '\\', 2
	case text[0] == '%':
		if c, size := escape(text, true); c < utf8.RuneSelf {
			return c, size
		}
	case text[0] == '\\' && len(text) > 5 && text[1] == 'u':
		if r, err := strconv.ParseUint(text[2:6], 16, 16); err == nil {
			return cmp.Or(plainly(rune(r)), '\\'), 6
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
	case unicode.IsDigit(r):
		return '0' + value(r)
	case r == 0x00A0, r >= 0x2000 && r <= 0x200A, r == 0x202F, r == 0x205F, r == 0x3000:
		return ' '
	case r == 0x00B7, r == 0x2022, r >= 0x2010 && r <= 0x2015, r == 0x2212, r == 0xFE63, r == 0xFF0D:
		return '-'
	default:
		return 0
	}
}

// value is what a digit of any script is worth. Each script's stand together, from a nought
// whose number ends with 0 or 6, but for those of mathematics.
func value(r rune) byte {
	const first, last = 0x1D7CE, 0x1D7FF
	switch low := r & 0xF; {
	case r >= first && r <= last:
		return byte((r - first) % 10)
	case unicode.IsDigit(r - low):
		return byte(low)
	default:
		return byte(low - 6) //nolint:gosec // G115: below 10
	}
}

// dotted are the groups of numbers that people write with points: cards, and social
// security numbers. Any other number with points is a version, an amount or an address.
var dotted = map[string]bool{"4444": true, "465": true, "44443": true, "324": true}

// joinDotted makes hyphens of the points, or of other signs, in such numbers.
func (s *spelt) joinDotted() {
	for i := 0; i < len(s.text); i++ {
		if !isDigit(s.text[i]) {
			continue
		}
		start, sign, groups := i, byte(0), ""
		if i, sign, groups = s.signed(i); dotted[groups] && (!lists(sign) || groups != "324" && !s.array(start, i)) {
			for j := start; j < i; j++ {
				if s.text[j] == sign {
					s.text[j] = '-'
				}
			}
		}
	}
}

// array says whether a stretch is all that stands between brackets: numbers of their own.
func (s *spelt) array(from, to int) bool {
	return from > 0 && s.text[from-1] == '[' || to < len(s.text) && s.text[to] == ']'
}

// signed reads a number whose groups one sign keeps apart: where it ends, the sign, and how
// many digits each group has.
func (s *spelt) signed(i int) (end int, sign byte, groups string) {
	from := i
	for ; i < len(s.text); i++ {
		c := s.text[i]
		if isDigit(c) {
			continue
		}
		if !joins(c) || sign != 0 && sign != c || i+1 == len(s.text) || !isDigit(s.text[i+1]) {
			break
		}
		if sign = c; len(groups) < maxGroups {
			groups, from = groups+strconv.Itoa(i-from), i+1
		}
	}
	if sign == 0 || len(groups) >= maxGroups {
		return i, sign, ""
	}
	return i, sign, groups + strconv.Itoa(i-from)
}
