package format

import (
	"fmt"
	"io"
	"strings"

	"paysandbox/harness/report"
	"paysandbox/harness/report/readiness"
	"paysandbox/harness/report/words"
)

// Paint colours a part of a text: "pass", "fail" or "title". It gives the text back
// as it is to be written.
type Paint func(part, text string) string

// The most that a brief tells of each kind; all of it is a screen long.
const (
	briefBlocking = 5
	briefOthers   = 4
	briefMissing  = 5
	briefNotes    = 3
)

// Brief writes what an observation came to on one screen: what to do first, and the
// verdict last, where a terminal stands. Lines are broken at the width, where there is one;
// more says where the rest is.
func Brief(told *report.Report, w io.Writer, width int, paint Paint, more string) error {
	r := readiness.View{Report: told}
	part := "fail"
	if told.ExitCode == 0 {
		part = "pass"
	}
	verdict := paint(part, words.Harmless(told.Headline()))
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s", words.Indent(words.Harmless(r.Covers()), ""), words.Indent(r.NotJudged(), ""))
	list := func(title string, most, all int, line func(n int) string) {
		if all == 0 {
			return
		}
		fmt.Fprintf(&b, "\n%s\n", paint("title", title))
		for n := range min(most, all) {
			b.WriteString(words.Harmless(line(n)))
		}
		if all > most {
			fmt.Fprintf(&b, "  and %d more\n", all-most)
		}
	}
	blocking, others := r.Blocking()
	list("Broken, and blocks production access", briefBlocking, len(blocking), func(n int) string { return briefClause(blocking[n]) })
	list("Needs attention", briefOthers, len(others), func(n int) string {
		return fmt.Sprintf("  %s  %s%s\n", others[n].ID, others[n].Verdict.Label(), words.After(": ", words.FirstLine(others[n].Title)))
	})
	shown := r.NotShown()
	list("Needed, and not shown by calls and answers alone", briefMissing, len(shown), func(n int) string {
		return fmt.Sprintf("  %s%s\n", shown[n].ID, words.After("  ", words.FirstLine(shown[n].Title)))
	})
	needed, _ := r.Needed()
	list("Needed, and not seen yet", briefMissing, len(needed), func(n int) string {
		return fmt.Sprintf("  %s  %s\n", needed[n].Clause, words.OneLine(words.Shortened(needed[n].Exercise, readiness.MaxAdvice)))
	})
	if q := told.Readiness; q != nil {
		list("Warnings that your calls received", briefNotes, len(q.Warnings), func(n int) string {
			return fmt.Sprintf("  %s  %s\n", words.Times(q.Warnings[n].Count), words.FirstLine(readiness.WarningTitle(q.Warnings[n])))
		})
	}
	notes := r.Remarks()
	list("Notes", briefNotes, len(notes), func(n int) string { return "  " + words.OneLine(words.Shortened(notes[n], 160)) + "\n" })
	fmt.Fprintf(&b, "\n%s; %s\n\n%s (exit code %d)\n", countWords(told.Counts()), more, verdict, told.ExitCode)
	b.WriteString(words.Indent(r.Because(), ""))
	text := b.String()
	if width > 0 {
		text = words.FoldLines(text, width, "  ")
	}
	_, err := io.WriteString(w, text)
	return err
}

// briefClause is a broken clause, and the first thing that was seen of it.
func briefClause(c report.ClauseResult) string {
	text := fmt.Sprintf("  %s%s\n", c.ID, words.After("  ", words.FirstLine(c.Title)))
	switch {
	case c.Attested != nil: // which says more than the traffic, that does not show it
		text += words.Indent(words.OneLine(readiness.Word(c.Attested)), "      ")
	case len(c.Evidence) > 0:
		text += words.Indent(words.OneLine(words.Shortened(words.After("received ", c.Evidence[0].Received), 115)), "      ")
	}
	return text
}
