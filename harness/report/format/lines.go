package format

import (
	"cmp"
	"fmt"
	"strings"

	"paysandbox/harness/report"
	"paysandbox/harness/report/words"
)

// feature is a file with its scenarios.
type feature struct {
	file, name string
	scenarios  []report.ScenarioResult
}

// features groups scenarios, which are ordered by file.
func features(scenarios []report.ScenarioResult) []feature {
	var list []feature
	for _, s := range scenarios {
		if len(list) == 0 || list[len(list)-1].file != s.File {
			list = append(list, feature{file: s.File, name: cmp.Or(s.Feature, s.File)})
		}
		last := &list[len(list)-1]
		last.scenarios = append(last.scenarios, s)
	}
	return list
}

// stepLines are the steps with how they ended, one a line.
func stepLines(steps []report.Step) string {
	var b strings.Builder
	for _, s := range steps {
		fmt.Fprintf(&b, "%-9s %s %s\n", s.Status, s.Keyword, s.Text)
	}
	return b.String()
}

// evidenceText is the evidence of a clause as plain lines. Only the first piece has
// the exchange: those after it mostly repeat it, and are named by their entries.
func evidenceText(c report.ClauseResult) string {
	var b strings.Builder
	for i, e := range c.Evidence {
		fmt.Fprintf(&b, "evidence %d%s\n", i+1, words.After(", tape ", e.Numbers()))
		for k, part := range [][2]string{
			{"expected", e.Expected}, {"received", e.Received}, {"hint", e.Hint}, {"request", e.Request}, {"response", e.Response},
		} {
			if part[1] != "" && (i == 0 || k < 2) {
				fmt.Fprintf(&b, "  %s: %s\n", part[0], strings.ReplaceAll(part[1], "\n", "\n    "))
			}
		}
	}
	if c.MoreEvidence > 0 {
		fmt.Fprintf(&b, "and %s more\n", words.Plural(c.MoreEvidence, "piece", "pieces"))
	}
	return b.String()
}

// clauseMessage is a clause's trouble in one line.
func clauseMessage(c report.ClauseResult) string {
	if len(c.Evidence) > 0 && c.Evidence[0].Expected != "" {
		e := c.Evidence[0]
		return words.FirstLine(c.Title + ": expected " + words.FirstLine(e.Expected) + ", received " + words.FirstLine(cmp.Or(e.Received, "nothing")))
	}
	return words.FirstLine(c.Title + words.After(": ", c.Reason))
}

// countWords is the counts as a list.
func countWords(counts []report.Count) string {
	var parts []string
	for _, c := range counts {
		parts = append(parts, fmt.Sprintf("%d %s", c.N, c.Verdict.Label()))
	}
	return strings.Join(parts, ", ")
}
