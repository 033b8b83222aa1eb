package format

import (
	"fmt"
	"html"
	"io"
	"strings"
	"time"

	"paysandbox/harness/report"
	"paysandbox/harness/report/readiness"
	"paysandbox/harness/report/words"
	"paysandbox/harness/verdict"
)

// A job summary holds a megabyte, 1 MiB, and is not shown at all when it is longer:
// so many troubles are shown, with so much of each text, none that begins after
// fullAt bytes, and of everything else so many lines.
const (
	maxTroubles = 40
	maxBlock    = 1500
	maxLines    = 60
	fullAt      = 300 << 10
	maxWarnings = 15
	maxCovers   = 300
)

// writeMarkdown writes the verdict first, then the numbers, each clause that somebody
// has to act on, and the areas.
func writeMarkdown(r readiness.View, w io.Writer) error {
	var b strings.Builder
	markdownVerdict(&b, r)
	markdownNumbers(&b, r)
	markdownReadiness(&b, r)
	_, others := r.Blocking()
	markdownTroubles(&b, r, r.Attention(), others)
	markdownWarnings(&b, r)
	markdownAttempts(&b, r)
	markdownCoverage(&b, r)
	markdownDigests(&b, r)
	fmt.Fprintf(&b, "\n### Run it again\n\n%s", fenced("sh", r.Rerun("")))
	_, err := io.WriteString(w, words.Harmless(b.String()))
	return err
}

// markdownVerdict writes the verdict, why, and what it is about.
func markdownVerdict(b *strings.Builder, r readiness.View) {
	title, detail := words.Shortened(r.Headline(), maxBlock), ""
	if r.Readiness != nil {
		title, detail = verdictAndDetail(title)
	}
	fmt.Fprintf(b, "## %s %s\n\n", mark(r.Look()), words.Prose(title))
	if detail != "" {
		fmt.Fprintf(b, "%s.\n\n", words.Prose(detail))
	}
	if unjudged := r.NotJudged(); unjudged != "" {
		fmt.Fprintf(b, "%s.\n\n", unjudged)
	}
	if because := r.Because(); because != "" {
		fmt.Fprintf(b, "%s\n\n", words.Prose(words.Ended(words.Sentence(words.Shortened(because, maxBlock)))))
	}
	if covers := r.Covers(); covers != "" {
		fmt.Fprintf(b, "%s.\n\n", words.Prose(words.Shortened(covers, maxCovers)))
	}
	fmt.Fprintf(b, "%s: %s, in %s, seed %d.\n\n", r.Title(), words.Prose(words.Shortened(r.By(), maxBlock)), r.Duration.Round(time.Millisecond), r.Seed)
}

// markdownNumbers writes how many clauses have each verdict, and what else was
// counted.
func markdownNumbers(b *strings.Builder, r readiness.View) {
	b.WriteString("| Clauses | |\n| --- | ---: |\n")
	for _, c := range r.Counts() {
		fmt.Fprintf(b, "| %s %s | %d |\n", mark(c.Verdict), c.Verdict.Label(), c.N)
	}
	if r.Readiness == nil || len(r.Scenarios) > 0 {
		fmt.Fprintf(b, "\n%s: %d passed, %d failed, %d skipped.\n", words.Plural(len(r.Scenarios), "scenario", "scenarios"),
			r.ScenarioCount(report.Passed), r.ScenarioCount(report.Failed), r.ScenarioCount(report.Skipped))
	}
	if r.Kill != nil {
		fmt.Fprintf(b, "\nMutants killed: MUST %s, all %s.\n", r.Kill.Must, r.Kill.All)
	}
}

// markdownCoverage writes how the areas stand, and the notes.
func markdownCoverage(b *strings.Builder, r readiness.View) {
	b.WriteString("\n### Coverage by area\n\n| Area | Judged | Clauses | |\n| --- | ---: | ---: | --- |\n")
	areas, notes := r.Areas(), r.Remarks()
	for _, a := range areas[:min(len(areas), maxLines)] {
		fmt.Fprintf(b, "| %s | %d | %d | %s |\n", words.Prose(words.FirstLine(a.Name)), a.Judged, a.Total, countWords(a.Counts))
	}
	for _, n := range notes[:min(len(notes), maxLines)] {
		fmt.Fprintf(b, "\n- %s", words.Prose(words.FirstLine(n)))
	}
}

// markdownTroubles writes what somebody has to act on: about the service each in a
// fold, about an integration what was seen and how to mend it without a click.
func markdownTroubles(b *strings.Builder, r readiness.View, title string, troubles []report.ClauseResult) {
	if len(troubles) == 0 {
		return
	}
	fmt.Fprintf(b, "\n### %s\n", title)
	for i, c := range troubles {
		if i == maxTroubles || b.Len() > fullAt {
			fmt.Fprintf(b, "\nAnd %s more.\n", words.Plural(len(troubles)-i, "clause", "clauses"))
			return
		}
		if r.Readiness != nil {
			markdownBlock(b, r, c)
			continue
		}
		fmt.Fprintf(b, "\n<details><summary>%s <code>%s</code> %s (%s, %s)</summary>\n\n",
			mark(c.Verdict), inline(c.ID), inline(words.FirstLine(c.Title)), inline(c.Level), c.Verdict.Label())
		fmt.Fprintf(b, "Source: %s\n\n", words.Prose(words.FirstLine(c.Source)))
		markdownReason(b, r, c)
		if len(c.Evidence) > 0 {
			e := c.Evidence[0]
			markdownParts(b, [][2]string{{"Expected", e.Expected}, {"Received", e.Received}, {"Request", e.Request}, {"Response", e.Response}})
			if e.Hint != "" {
				fmt.Fprintf(b, "Hint: %s\n\n", words.Prose(words.Shortened(e.Hint, maxBlock)))
			}
		}
		fmt.Fprintf(b, "%s\n</details>\n", fenced("sh", r.Rerun(c.ID)))
	}
}

// markdownReason writes why a clause was not judged, and why its failure is let be.
func markdownReason(b *strings.Builder, r readiness.View, c report.ClauseResult) {
	if c.Reason != "" {
		fmt.Fprintf(b, "%s\n\n", words.Prose(words.Shortened(c.Reason, maxBlock)))
	}
	if d := c.Deviation; d != nil {
		fmt.Fprintf(b, "%s: %s (%s, until %s)\n\n", words.Sentence(r.Accepted()), words.Prose(words.Shortened(d.Reason, maxBlock)), words.Prose(words.FirstLine(d.Owner)), words.Prose(words.FirstLine(d.Expires)))
	}
}

// markdownParts writes texts as blocks of code under their names.
func markdownParts(b *strings.Builder, parts [][2]string) {
	for _, part := range parts {
		if part[1] != "" {
			fmt.Fprintf(b, "%s:\n\n%s\n", part[0], fenced("", part[1]))
		}
	}
}

// mark is a verdict's sign; the word stands beside it.
func mark(v verdict.Word) string {
	if v == verdict.HarnessError {
		return "💥"
	}
	return [...]string{"➖", "✅", "❌", "⚠️"}[v.Tone()]
}

// inline is a text in one line inside an HTML element.
func inline(s string) string { return html.EscapeString(words.OneLine(s)) }

// fenced is a text as a block of code, whatever backticks are in it.
func fenced(language, s string) string {
	if len(s) > maxBlock {
		s = strings.ToValidUTF8(s[:maxBlock], "") + "\n…"
	}
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	return fence + language + "\n" + strings.TrimRight(s, "\n") + "\n" + fence + "\n"
}
