package main

import (
	"strings"
	"unicode/utf8"
)

// lineWidth is how wide text on a terminal may be.
const lineWidth = 80

// folded writes a text behind some words and breaks its lines before they are too
// long; those that follow begin with the indent.
func folded(b *strings.Builder, begin, indent, text string) {
	line := begin
	empty := begin == indent // a word stands on a line even when it is too long
	for i, word := range strings.Fields(text) {
		if i > 0 && line != indent && line != begin {
			word = " " + word
		}
		if !empty && utf8.RuneCountInString(line)+utf8.RuneCountInString(word) > lineWidth {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
			line, word = indent, strings.TrimPrefix(word, " ")
		}
		line += word
		empty = false
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n")
}

// breakable is a text in which a word that fills a line may be broken behind a comma.
func breakable(text string) string {
	words := strings.Fields(text)
	for i, word := range words {
		if utf8.RuneCountInString(word) > lineWidth-10 {
			words[i] = strings.ReplaceAll(word, ",", ", ")
		}
	}
	return strings.Join(words, " ")
}

// refolded breaks the lines of paragraphs anew; lines that are indented stay.
func refolded(text string) string {
	var paragraphs []string
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		if strings.HasPrefix(paragraph, " ") || strings.Contains(paragraph, "\n ") {
			paragraphs = append(paragraphs, paragraph)
			continue
		}
		var b strings.Builder
		folded(&b, "", "", paragraph)
		paragraphs = append(paragraphs, strings.TrimSuffix(b.String(), "\n"))
	}
	return strings.Join(paragraphs, "\n\n")
}
