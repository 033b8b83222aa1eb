package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"

	"paysandbox/harness/verdict"
)

// writePretty writes plain lines, the verdict last: that is where a terminal
// stands. Colours and moving bars are [Progress]'s.
func writePretty(r *Report, w io.Writer) error {
	var b strings.Builder
	for _, s := range r.Scenarios {
		if s.Status != Passed && s.Status != Skipped {
			fmt.Fprintf(&b, "%s  %s:%d  %s\n%s", s.Status, s.File, s.Line, s.Name, indent(stepLines(s.Steps), "    "))
			b.WriteString(indent(joined("error: ", s.Error), "    "))
		}
	}
	for _, c := range r.Troubles() {
		fmt.Fprintf(&b, "%s  %s  %s (%s; %s)\n", c.Verdict, c.ID, c.Title, c.Level, c.Source)
		b.WriteString(indent(c.Reason, "    "))
		if c.Deviation != nil {
			fmt.Fprintf(&b, "    known deviation: %s (%s, until %s)\n", c.Deviation.Reason, c.Deviation.Owner, c.Deviation.Expires)
		}
		b.WriteString(indent(evidenceText(c), "    "))
		if r.Readiness == nil {
			fmt.Fprintf(&b, "    rerun: %s\n", r.Rerun(c.ID))
		}
	}
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	b.WriteString(areaTable(r))
	for _, n := range r.notes() {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	if r.Kill != nil {
		fmt.Fprintf(&b, "mutants killed: MUST %s, all %s\n", r.Kill.Must, r.Kill.All)
	}
	prettyReadiness(&b, r)
	prettyEnd(&b, r)
	_, err := io.WriteString(w, harmless(b.String()))
	return err
}

// prettyEnd is the last lines: numbers and verdict.
func prettyEnd(b *strings.Builder, r *Report) {
	if r.Readiness == nil || len(r.Scenarios) > 0 {
		fmt.Fprintf(b, "%s: %d passed, %d failed, %d skipped\n", plural(len(r.Scenarios), "scenario", "scenarios"),
			r.scenarioCount(Passed), r.scenarioCount(Failed), r.scenarioCount(Skipped))
	}
	fmt.Fprintf(b, "%s: %s\n", plural(len(r.Clauses), "clause", "clauses"), orText(words(r.Counts()), "none judged"))
	fmt.Fprintf(b, "%s, seed %d, %s\n", r.by(), r.Seed, r.Duration.Round(time.Millisecond))
	fmt.Fprintf(b, "\n%s (exit code %d)\n", r.Headline(), r.ExitCode)
	b.WriteString(indent(r.because(), ""))
}

// areaTable is how the areas stand.
func areaTable(r *Report) string {
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

// indent puts a lead before each line of a text, and ends the last one.
func indent(s, lead string) string {
	if s == "" {
		return ""
	}
	return lead + strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n", "\n"+lead) + "\n"
}
