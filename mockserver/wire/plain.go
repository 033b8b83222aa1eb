package wire

import (
	"math/bits"
	"strings"

	"paysandbox/mockserver/secret"
)

// plainly says whether a body is certainly JSON, as programs write most of it: printable
// ASCII, in which nothing is escaped. Of any other body it says no, be it JSON or not, and
// jsontext has to judge, which takes four times as long.
func plainly(text string) bool {
	if !printable(text) || strings.IndexByte(text, '\\') >= 0 {
		return false
	}
	end := plainValue(text, spaces(text, 0), 0)
	return end >= 0 && spaces(text, end) == len(text)
}

const (
	each  = 0x0101010101010101 // a byte in each of eight
	highs = each * 0x80
)

// printable says whether all bytes are of printable ASCII. It looks at eight at a time.
func printable(text string) bool {
	for ; len(text) >= 8; text = text[8:] {
		if w := secret.Eight(text); (w|(w-each*' '))&highs != 0 {
			return false
		}
	}
	for i := range len(text) {
		if c := text[i]; c < ' ' || c >= 0x80 {
			return false
		}
	}
	return true
}

// spaces gives the first position from i on that is not a space.
func spaces(text string, i int) int {
	for i < len(text) && text[i] == ' ' {
		i++
	}
	return i
}

// plainValue gives the position after the value that begins at i; -1 when none does.
func plainValue(text string, i, depth int) int {
	if i >= len(text) {
		return -1
	}
	switch text[i] {
	case '"':
		return plainString(text, i)
	case '{', '[':
		return plainContainer(text, i, depth)
	case 't', 'f', 'n':
		for _, word := range [...]string{"true", "false", "null"} {
			if strings.HasPrefix(text[i:], word) {
				return i + len(word)
			}
		}
		return -1
	default:
		return plainNumber(text, i)
	}
}

// plainContainer is plainValue for an object or an array.
func plainContainer(text string, i, depth int) int {
	object, closing := text[i] == '{', text[i]+2
	if i = spaces(text, i+1); i < len(text) && text[i] == closing {
		return i + 1
	}
	for depth < maxDepth {
		if object {
			if i = plainMember(text, i); i < 0 {
				return -1
			}
		}
		if i = plainValue(text, i, depth+1); i < 0 {
			return -1
		}
		if i = spaces(text, i); i >= len(text) || text[i] != ',' {
			break
		}
		i = spaces(text, i+1)
	}
	if i < len(text) && text[i] == closing {
		return i + 1
	}
	return -1
}

// plainMember gives the position of the value that belongs to the name at i; -1 when there is
// no name.
func plainMember(text string, i int) int {
	if i >= len(text) || text[i] != '"' {
		return -1
	}
	if i = plainString(text, i); i < 0 {
		return -1
	}
	if i = spaces(text, i); i >= len(text) || text[i] != ':' {
		return -1
	}
	return spaces(text, i+1)
}

// plainString gives the position after the string that begins at i, in which nothing is
// escaped; -1 when it does not end. Most are so short that a search does not pay.
func plainString(text string, i int) int {
	rest := text[i+1:]
	for range 4 {
		if len(rest) < 8 {
			break
		}
		w := secret.Eight(rest) ^ each*'"'
		if quotes := (w - each) &^ w & highs; quotes != 0 {
			return len(text) - len(rest) + bits.TrailingZeros64(quotes)/8 + 1
		}
		rest = rest[8:]
	}
	n := strings.IndexByte(rest, '"')
	if n < 0 {
		return -1
	}
	return len(text) - len(rest) + n + 1
}

// plainNumber gives the position after the number that begins at i; -1 when none does.
func plainNumber(text string, i int) int {
	if text[i] == '-' {
		i++
	}
	whole := digits(text, i)
	if whole == i || text[i] == '0' && whole > i+1 {
		return -1
	}
	if i = whole; i < len(text) && text[i] == '.' {
		if whole = digits(text, i+1); whole == i+1 {
			return -1
		}
		i = whole
	}
	if i < len(text) && text[i]|0x20 == 'e' {
		if i++; i < len(text) && (text[i] == '+' || text[i] == '-') {
			i++
		}
		if whole = digits(text, i); whole == i {
			return -1
		}
		i = whole
	}
	return i
}

// digits gives the position after the digits from i on.
func digits(text string, i int) int {
	for i < len(text) && isDigit(text[i]) {
		i++
	}
	return i
}
