package format

import (
	"cmp"
	"fmt"
	"strings"

	"paysandbox/harness/report"
	"paysandbox/harness/report/readiness"
	"paysandbox/harness/report/words"
)

// markdownReadiness writes what blocks production access, and what is missing.
func markdownReadiness(b *strings.Builder, r readiness.View) {
	if r.Readiness == nil {
		return
	}
	blocking, _ := r.Blocking()
	markdownTroubles(b, r, "What blocks production access", blocking)
	if list := r.NotShown(); len(list) > 0 {
		markdownTroubles(b, r, "What calls and answers alone do not show", list)
		fmt.Fprintf(b, "\n%s\n", words.Prose(readiness.ToShow))
	}
	must, rest := r.Needed()
	if len(must) > 0 {
		fmt.Fprintf(b, "\n### What is missing, and how to exercise it\n\n%s", markdownMissing(r, must))
	}
	if len(rest) > 0 {
		fmt.Fprintf(b, "\n<details><summary>%s without evidence, which the verdict does not wait for</summary>\n\n%s\n</details>\n",
			words.Plural(len(rest), "more clause", "more clauses"), markdownMissing(r, rest))
	}
	if list := r.Partly(); len(list) > 0 {
		fmt.Fprintf(b, "\n<details><summary>%s seen to hold in part</summary>\n\n", words.Plural(len(list), "clause", "clauses"))
		for _, c := range list[:min(len(list), maxWarnings)] {
			fmt.Fprintf(b, "- `%s`: %s\n", c.ID, words.Prose(words.FirstLine(words.Shortened(c.Reason, readiness.MaxAdvice))))
		}
		b.WriteString("\n</details>\n")
	}
	if means := r.Means(); len(means) > 0 {
		b.WriteString("\n<details><summary>How to follow this advice</summary>\n\n")
		for _, m := range means {
			fmt.Fprintf(b, "- %s\n", words.Prose(m))
		}
		b.WriteString("\n</details>\n")
	}
}

// markdownWarnings writes what the service has warned of, and what nobody could see.
func markdownWarnings(b *strings.Builder, r readiness.View) {
	if r.Readiness == nil {
		return
	}
	if b.Len() > fullAt {
		b.WriteString("\nWarnings, and what is not visible from outside, stand in the full report.\n")
		return
	}
	if list := r.Attested(); len(list) > 0 {
		b.WriteString("\n### Attested\n\n")
		for _, c := range list[:min(len(list), maxWarnings)] {
			fmt.Fprintf(b, "- %s: %s\n", words.Prose(words.FirstLine(cmp.Or(c.Title, c.ID))), words.Prose(words.FirstLine(readiness.Word(c.Attested))))
		}
	}
	if list := r.Readiness.Warnings; len(list) > 0 {
		b.WriteString("\n### Warnings that your calls received\n\n| Warning | Calls | Expected | Tape |\n| --- | ---: | --- | --- |\n")
		for i, w := range list {
			if i == maxWarnings {
				fmt.Fprintf(b, "\nAnd %s more.\n", words.Plural(len(list)-i, "kind", "kinds"))
				break
			}
			fmt.Fprintf(b, "| %s | %d | %s | %s |\n", words.Prose(words.FirstLine(readiness.WarningTitle(w))), w.Count,
				words.Prose(cmp.Or(words.FirstLine(w.Expected), "–")), words.Prose(readiness.WarningEntries(w)))
		}
	}
	if list := r.Readiness.Invisible; len(list) > 0 {
		b.WriteString("\n<details><summary>Not visible from outside, and not judged</summary>\n\n")
		for _, x := range list[:min(len(list), maxWarnings)] {
			fmt.Fprintf(b, "- %s%s\n", words.Prose(words.FirstLine(x.Title)), words.After(": ", words.Prose(words.FirstLine(x.Instead))))
		}
		b.WriteString("\n</details>\n")
	}
}

// markdownAttempts writes how often there was an opportunity.
func markdownAttempts(b *strings.Builder, r readiness.View) {
	if r.Readiness == nil {
		return
	}
	if armed, met := r.Tries(); armed+met > 0 {
		fmt.Fprintf(b, "\nAttempts so far: tried %s, met by traffic %s.\n", words.Times(armed), words.Times(met))
	}
}

// markdownBlock writes a clause that somebody has to act on: what was seen, what was
// expected, how to mend it, and the exchange in a fold.
func markdownBlock(b *strings.Builder, r readiness.View, c report.ClauseResult) {
	e := report.Evidence{}
	if len(c.Evidence) > 0 {
		e = c.Evidence[0]
	}
	fmt.Fprintf(b, "\n#### %s %s\n\n%s, %s, %s", mark(c.Verdict), words.Prose(words.FirstLine(cmp.Or(c.Title, c.ID))), words.Prose(words.FirstLine(c.ID)),
		words.Prose(words.FirstLine(cmp.Or(c.Level, "unknown"))), cmp.Or(c.Verdict.Label(), "not judged"))
	fmt.Fprintf(b, "%s%s\n\n", words.After(", ", words.Prose(words.FirstLine(c.Source))), words.After(", tape ", words.Prose(e.Numbers())))
	markdownReason(b, r, c)
	for _, part := range [][2]string{{"Seen", e.Received}, {"Expected", e.Expected}, {"To mend it", e.Hint}} {
		if part[1] != "" {
			fmt.Fprintf(b, "- **%s:** %s\n", part[0], words.Prose(words.Shortened(part[1], maxBlock)))
		}
	}
	if more := len(c.Evidence) - 1 + c.MoreEvidence; more > 0 {
		fmt.Fprintf(b, "- And %s of the kind.\n", words.Plural(more, "more", "more"))
	}
	if e.Request+e.Response == "" {
		return
	}
	b.WriteString("\n<details><summary>What was sent and answered</summary>\n\n")
	markdownParts(b, [][2]string{{"Request", e.Request}, {"Response", e.Response}})
	b.WriteString("</details>\n")
}

// markdownMissing is a table of clauses without evidence.
func markdownMissing(r readiness.View, list []report.Missing) string {
	var b strings.Builder
	b.WriteString("| Clause | How to exercise it | So far |\n| --- | --- | --- |\n")
	for i, m := range list {
		if i == maxLines {
			fmt.Fprintf(&b, "\nAnd %s more.\n", words.Plural(len(list)-i, "clause", "clauses"))
			break
		}
		title := words.After("<br>", words.Prose(words.FirstLine(r.Clause(m.Clause).Title)))
		fmt.Fprintf(&b, "| %s%s | %s | %s |\n", words.Prose(words.FirstLine(m.Clause)), title, words.Prose(cmp.Or(words.Sentence(words.OneLine(words.Shortened(readiness.Advice(m), readiness.MaxAdvice))), "–")), words.Prose(cmp.Or(r.SoFar(m), "nothing yet")))
	}
	return b.String()
}

// markdownDigests writes what the verdict rests on.
func markdownDigests(b *strings.Builder, r readiness.View) {
	if r.Readiness == nil || len(r.Readiness.Digests) == 0 {
		return
	}
	b.WriteString("\n\n<details><summary>What this verdict rests on</summary>\n\n| | SHA-256 |\n| --- | --- |\n")
	digests := r.Readiness.Digests
	for _, d := range digests[:min(len(digests), maxLines)] {
		fmt.Fprintf(b, "| %s | %s |\n", words.Prose(words.FirstLine(d.Name)), words.Prose(words.FirstLine(d.SHA256)))
	}
	b.WriteString("\n</details>\n")
}
