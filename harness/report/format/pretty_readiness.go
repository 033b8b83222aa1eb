package format

import (
	"fmt"
	"strings"

	"paysandbox/harness/report"
	"paysandbox/harness/report/readiness"
	"paysandbox/harness/report/words"
)

// prettyReadiness is what blocks production access, what is missing, and what the
// verdict rests on.
func prettyReadiness(b *strings.Builder, r readiness.View) {
	if r.Readiness == nil {
		return
	}
	if blocking, _ := r.Blocking(); len(blocking) > 0 {
		b.WriteString("blocks production access:\n")
		for _, c := range blocking {
			fmt.Fprintf(b, "  %s%s\n", c.ID, words.After("  ", words.FirstLine(c.Title)))
		}
		b.WriteByte('\n')
	}
	if _, others := r.Blocking(); len(others) > 0 {
		b.WriteString("needs attention, and blocks nothing:\n")
		for _, c := range others {
			fmt.Fprintf(b, "  %s  %s%s\n", c.ID, c.Verdict.Label(), words.After(": ", words.FirstLine(c.Title)))
		}
		b.WriteByte('\n')
	}
	if list := r.NotShown(); len(list) > 0 {
		b.WriteString("not shown by calls and answers alone, and needed:\n")
		for _, c := range list {
			fmt.Fprintf(b, "  %s%s\n", c.ID, words.After("  ", words.FirstLine(c.Title)))
		}
		fmt.Fprintf(b, "  %s\n\n", readiness.ToShow)
	}
	must, rest := r.Needed()
	prettyMissing(b, r, "no evidence yet, and needed:", must)
	prettyMissing(b, r, "no evidence yet, which the verdict does not wait for:", rest)
	for _, means := range r.Means() {
		fmt.Fprintf(b, "how: %s\n", means)
	}
	prettyPartly(b, r.Partly())
	for _, c := range r.Attested() {
		fmt.Fprintf(b, "%s: %s\n", c.ID, words.OneLine(readiness.Word(c.Attested)))
	}
	prettyWarnings(b, r.Readiness)
	armed, met := r.Tries()
	if armed+met > 0 {
		fmt.Fprintf(b, "attempts so far: tried %s, met by traffic %s\n", words.Times(armed), words.Times(met))
	}
	for _, d := range r.Readiness.Digests {
		fmt.Fprintf(b, "%s: sha256 %s\n", d.Name, d.SHA256)
	}
}

// prettyWarnings lists what the service has warned of, and what nobody could see.
func prettyWarnings(b *strings.Builder, r *report.Readiness) {
	if len(r.Warnings) > 0 {
		b.WriteString("warnings that your calls received:\n")
		for _, w := range r.Warnings {
			fmt.Fprintf(b, "  %s  %s%s\n", words.Times(w.Count), words.FirstLine(readiness.WarningTitle(w)), words.After("; tape ", readiness.WarningEntries(w)))
			b.WriteString(words.Indent(words.OneLine(words.Shortened(words.After("expected ", w.Expected)+words.After("; ", w.Fix), readiness.MaxAdvice)), "      "))
		}
		b.WriteByte('\n')
	}
	if len(r.Invisible) > 0 {
		b.WriteString("not visible from outside, and not judged:\n")
		for _, x := range r.Invisible {
			fmt.Fprintf(b, "  %s%s\n", words.FirstLine(x.Title), words.After(": ", words.FirstLine(x.Instead)))
		}
		b.WriteByte('\n')
	}
}

// prettyPartly lists clauses that hold, and what of their matter was not seen.
func prettyPartly(b *strings.Builder, list []report.ClauseResult) {
	if len(list) == 0 {
		return
	}
	b.WriteString("seen to hold in part:\n")
	for _, c := range list {
		fmt.Fprintf(b, "  %s%s\n", c.ID, words.After("  ", words.FirstLine(c.Title)))
		b.WriteString(words.Indent(words.OneLine(words.Shortened(c.Reason, readiness.MaxAdvice)), "      "))
	}
	b.WriteByte('\n')
}

// prettyMissing lists clauses without evidence, what they ask for, which the advice
// may refer to, and how to bring it about.
func prettyMissing(b *strings.Builder, r readiness.View, title string, list []report.Missing) {
	if len(list) == 0 {
		return
	}
	b.WriteString(title + "\n")
	for _, m := range list {
		fmt.Fprintf(b, "  %s%s\n", m.Clause, words.After("  ", words.FirstLine(r.Clause(m.Clause).Title)))
		b.WriteString(words.Indent(words.OneLine(words.Shortened(readiness.Advice(m), readiness.MaxAdvice))+words.After("; ", r.SoFar(m)), "      "))
	}
	b.WriteByte('\n')
}
