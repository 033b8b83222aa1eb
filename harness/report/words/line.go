package words

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// FirstLine is a text up to its first line's end, and not endless.
func FirstLine(s string) string {
	line, _, more := strings.Cut(s, "\n")
	if runes := []rune(line); len(runes) > 200 {
		line, more = string(runes[:200]), true
	}
	if more {
		line += " …"
	}
	return line
}

// OneLine is a text without line ends, and no space twice.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Sentence is a text with a capital letter in front.
func Sentence(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if size == 0 || first == utf8.RuneError {
		return s
	}
	return string(unicode.ToUpper(first)) + s[size:]
}

// Ended is a sentence with its full stop.
func Ended(s string) string {
	if s == "" || strings.ContainsAny(s[len(s)-1:], ".!?)") {
		return s
	}
	return s + "."
}

// After is the text behind a lead, or nothing where the text is empty.
func After(lead, s string) string {
	if s == "" {
		return ""
	}
	return lead + s
}

// Shortened is a text of at most so many bytes; the cut is named.
func Shortened(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return fmt.Sprintf("%s\n(%d more bytes)", strings.ToValidUTF8(s[:most], ""), len(s)-most)
}

// Clip is a foreign text for an error: one harmless line of at most 80 letters.
func Clip(s string) string {
	runes := []rune(Harmless(FirstLine(s)))
	if len(runes) > 80 {
		runes = append(runes[:80], '…')
	}
	return string(runes)
}

// Plural is a number and its word.
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Times is a number of times in words.
func Times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	default:
		return Plural(n, "time", "times")
	}
}

// Indent puts a lead before each line of a text, and ends the last one.
func Indent(s, lead string) string {
	if s == "" {
		return ""
	}
	return lead + strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n", "\n"+lead) + "\n"
}
