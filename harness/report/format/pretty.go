package format

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"

	"paysandbox/harness/report"
	"paysandbox/harness/report/readiness"
	"paysandbox/harness/report/words"
	"paysandbox/harness/verdict"
)

// writePretty writes plain lines, the verdict last: that is where a terminal
// stands. Colours and moving bars are [Progress]'s.
func writePretty(r readiness.View, w io.Writer) error {
	var b strings.Builder
	if covers := r.Covers(); covers != "" {
		b.WriteString(covers + "\n\n")
	}
	about := b.Len()
	for _, s := range r.Scenarios {
		if s.Status != report.Passed && s.Status != report.Skipped {
			fmt.Fprintf(&b, "%s  %s:%d  %s\n%s", s.Status, s.File, s.Line, s.Name, words.Indent(stepLines(s.Steps), "    "))
			b.WriteString(words.Indent(words.After("error: ", s.Error), "    "))
		}
	}
	for _, c := range r.Troubles() {
		fmt.Fprintf(&b, "%s  %s  %s (%s; %s)\n", c.Verdict, c.ID, c.Title, c.Level, c.Source)
		b.WriteString(words.Indent(c.Reason, "    "))
		if c.Deviation != nil {
			fmt.Fprintf(&b, "    %s: %s (%s, until %s)\n", r.Accepted(), c.Deviation.Reason, c.Deviation.Owner, c.Deviation.Expires)
		}
		b.WriteString(words.Indent(evidenceText(c), "    "))
		if r.Readiness == nil {
			fmt.Fprintf(&b, "    rerun: %s\n", r.Rerun(c.ID))
		}
	}
	if b.Len() > about {
		b.WriteByte('\n')
	}
	b.WriteString(areaTable(r))
	for _, n := range r.Remarks() {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	if r.Kill != nil {
		fmt.Fprintf(&b, "mutants killed: MUST %s, all %s\n", r.Kill.Must, r.Kill.All)
	}
	prettyReadiness(&b, r)
	prettyEnd(&b, r)
	_, err := io.WriteString(w, words.Harmless(b.String()))
	return err
}

// prettyEnd is the last lines: numbers and verdict.
func prettyEnd(b *strings.Builder, r readiness.View) {
	if r.Readiness == nil || len(r.Scenarios) > 0 {
		fmt.Fprintf(b, "%s: %d passed, %d failed, %d skipped\n", words.Plural(len(r.Scenarios), "scenario", "scenarios"),
			r.ScenarioCount(report.Passed), r.ScenarioCount(report.Failed), r.ScenarioCount(report.Skipped))
	}
	fmt.Fprintf(b, "%s: %s\n", words.Plural(len(r.Clauses), "clause", "clauses"), cmp.Or(countWords(r.Counts()), "none judged"))
	fmt.Fprintf(b, "%s, seed %d, %s\n", r.By(), r.Seed, r.Duration.Round(time.Millisecond))
	fmt.Fprintf(b, "\n%s (exit code %d)\n", r.Headline(), r.ExitCode)
	b.WriteString(words.Indent(r.Because(), ""))
}

// areaTable is how the areas stand.
func areaTable(r readiness.View) string {
	areas := r.Areas()
	if len(areas) == 0 {
		return ""
	}
	t := table.NewWriter()
	t.AppendHeader(table.Row{"area", "clauses", "judged", "pass", "fail", "other trouble"})
	for _, a := range areas {
		pass, fail, other := 0, 0, 0
		for _, c := range a.Counts {
			switch {
			case c.Verdict == verdict.Pass:
				pass = c.N
			case c.Verdict == verdict.Fail:
				fail = c.N
			case c.Verdict.Trouble():
				other += c.N
			}
		}
		t.AppendRow(table.Row{a.Name, a.Total, a.Judged, pass, fail, other})
	}
	return t.Render() + "\n\n"
}
