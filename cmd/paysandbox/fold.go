package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"

	"paysandbox/harness/report/words"
)

// lineWidth is how wide text on a terminal may be.
const lineWidth = words.LineWidth

// folded writes a text behind some words and breaks its lines before they are too
// long; those that follow begin with the indent.
func folded(b *strings.Builder, begin, indent, text string) {
	words.Fold(b, lineWidth, begin, indent, text)
}

// columns is how wide the terminal is that is written to; 0 is no terminal, and lines
// stay as they are.
func columns(w any) int {
	if s, ok := w.(*shared); ok {
		w = s.w
	}
	if !terminal(w) {
		return 0
	}
	width, _, err := term.GetSize(int(w.(*os.File).Fd())) //nolint:forcetypeassert // a terminal is a file
	if err != nil || width < 20 {
		return lineWidth
	}
	return width
}

// tellLines writes a line for people, broken where the terminal would break words.
func tellLines(w io.Writer, indent, line string) {
	if width := columns(w); width > 0 {
		line = strings.TrimSuffix(words.FoldLines(line+"\n", width, indent), "\n")
	}
	_, _ = fmt.Fprintln(w, line)
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
