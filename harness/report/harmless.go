package report

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// harmless is a text without what a terminal, or a page, would take for commands:
// a control character is shown as its picture (␛ for escape), and what would turn
// the order of the letters after it around, so that a line reads as another one, is
// replaced like bytes that are no text.
func harmless(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r < ' ':
			return r + 0x2400 // the block of control pictures has the order of ASCII
		case r == 0x7f:
			return 0x2421
		case unicode.IsControl(r), r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
			return utf8.RuneError
		default:
			return r
		}
	}, s)
}
