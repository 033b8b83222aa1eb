package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Harmless is a text without what a terminal, or a page, would take for commands:
// a control character is shown as its picture (␛ for escape), and what would turn
// the order of the letters after it around, so that a line reads as another one, is
// replaced like bytes that are no text.
func Harmless(s string) string {
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

// Prose is a text in one line that means nothing to Markdown: neither emphasis nor
// formula, link, mention or entity.
func Prose(s string) string {
	var b strings.Builder
	for _, r := range OneLine(s) {
		if strings.ContainsRune("\\`*_[]|#~$@&", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return strings.NewReplacer("<", "&lt;", ">", "&gt;", "://", `\://`).Replace(b.String())
}
