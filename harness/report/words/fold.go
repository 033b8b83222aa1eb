package words

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// LineWidth is how wide a line may be that people read anywhere.
const LineWidth = 80

// Fold writes a text behind some words and breaks its lines before they are too wide;
// those that follow begin with the indent. What stands between backquotes is a command
// that is copied whole, and no line ends in it.
func Fold(b *strings.Builder, width int, begin, indent, text string) {
	fill(b, width, begin, indent, unbroken(OneLine(text)))
}

// FoldLines breaks the lines of a text that are too wide, and keeps the spaces between
// words; what follows a line begins with that line's own indent and the hang.
func FoldLines(text string, width int, hang string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		bare := strings.TrimSuffix(line, "\n")
		if seen(bare) <= width {
			b.WriteString(line)
			continue
		}
		words := strings.TrimLeft(bare, " ")
		lead := bare[:len(bare)-len(words)]
		fill(&b, width, lead, lead+hang, unbroken(words))
	}
	return b.String()
}

// fill writes words, each with the spaces in front of it, as Fold does.
func fill(b *strings.Builder, width int, begin, indent string, words []string) {
	line := begin
	empty := strings.TrimSpace(begin) == "" // a word stands on a line even when it is too long
	for _, word := range words {
		if !empty && seen(line)+seen(word) > width {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
			line, word = indent, strings.TrimLeft(word, " ")
		}
		line += word
		empty = false
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n")
}

// unbroken are the words of a line, each with the spaces in front of it; a command is
// one.
func unbroken(line string) []string {
	var list []string
	open := false
	for _, word := range spaced().FindAllString(line, -1) {
		if open {
			list[len(list)-1] += word
		} else {
			list = append(list, word)
		}
		open = open != (strings.Count(word, "`")%2 == 1)
	}
	return list
}

var spaced = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\s*\S+`) })

// escapes are the colours and links of a terminal, which take no room.
var escapes = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\x1b\[[0-9;]*m|\x1b\]8;;[^\x1b]*\x1b\\`) })

// seen is how many letters of a text are seen.
func seen(s string) int {
	if strings.Contains(s, "\x1b") {
		s = escapes().ReplaceAllString(s, "")
	}
	return utf8.RuneCountInString(s)
}
