package format

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"paysandbox/harness/report"
	"paysandbox/harness/report/readiness"
	"paysandbox/harness/report/words"
	"paysandbox/harness/verdict"
)

// ctrfVersion is the version of the Common Test Report Format that is written.
const ctrfVersion = "0.1.0"

// The objects of a CTRF document, as far as they are written.
type (
	ctrfDocument struct {
		ReportFormat string      `json:"reportFormat"`
		SpecVersion  string      `json:"specVersion"`
		GeneratedBy  string      `json:"generatedBy"`
		Results      ctrfResults `json:"results"`
	}
	ctrfResults struct {
		Tool    ctrfTool    `json:"tool"`
		Summary ctrfSummary `json:"summary"`
		Tests   []ctrfTest  `json:"tests"`
		Extra   ctrfExtra   `json:"extra"`
	}
	ctrfTool struct {
		Name    string `json:"name"`
		Version string `json:"version,omitempty"`
	}
	ctrfSummary struct {
		Tests    int   `json:"tests"`
		Passed   int   `json:"passed"`
		Failed   int   `json:"failed"`
		Pending  int   `json:"pending"`
		Skipped  int   `json:"skipped"`
		Other    int   `json:"other"`
		Suites   int   `json:"suites"`
		Start    int64 `json:"start"`
		Stop     int64 `json:"stop"`
		Duration int64 `json:"duration"`
	}
	ctrfTest struct {
		Name      string     `json:"name"`
		Status    string     `json:"status"`
		Duration  int64      `json:"duration"`
		Suite     []string   `json:"suite"`
		Message   string     `json:"message,omitempty"`
		Trace     string     `json:"trace,omitempty"`
		RawStatus string     `json:"rawStatus"`
		Type      string     `json:"type"`
		Tags      []string   `json:"tags,omitempty"`
		FilePath  string     `json:"filePath,omitempty"`
		Line      int        `json:"line,omitempty"`
		Steps     []ctrfStep `json:"steps,omitempty"`
	}
	ctrfStep struct {
		Name   string `json:"name"`
		Status string `json:"status"`
	}
	ctrfExtra struct {
		Report    string            `json:"report"`
		Target    string            `json:"target"`
		Seed      uint64            `json:"seed"`
		Verdict   verdict.Word      `json:"verdict"`
		ExitCode  int               `json:"exitCode"`
		Headline  string            `json:"headline"`
		Reason    string            `json:"reason,omitempty"`
		Rerun     string            `json:"rerun"`
		Kill      *report.Kill      `json:"kill,omitempty"`
		Readiness *report.Readiness `json:"readiness,omitempty"`
	}
)

// writeCTRF writes the scenarios and then the clauses as tests.
func writeCTRF(r readiness.View, w io.Writer) error {
	tests := []ctrfTest{}
	for _, x := range r.Scenarios {
		tests = append(tests, ctrfScenario(x))
	}
	for _, c := range r.Clauses {
		tests = append(tests, ctrfClause(r, c))
	}
	start := r.Started.UnixMilli()
	summary := ctrfSummary{
		Tests: len(tests), Suites: len(features(r.Scenarios)) + len(r.Areas()),
		Start: start, Stop: start + r.Duration.Milliseconds(), Duration: r.Duration.Milliseconds(),
	}
	for _, t := range tests {
		summary.count(t.Status)
	}
	return words.WriteJSON(ctrfDocument{
		ReportFormat: "CTRF", SpecVersion: ctrfVersion, GeneratedBy: strings.TrimSpace(r.Tool + " " + r.Version),
		Results: ctrfResults{
			Tool:    ctrfTool{cmp.Or(r.Tool, "paysandbox"), r.Version},
			Summary: summary, Tests: tests,
			Extra: ctrfExtra{
				Report: r.Title(), Target: r.Target, Seed: r.Seed, Verdict: r.Verdict, ExitCode: r.ExitCode,
				Headline: r.Headline(), Reason: r.Reason, Rerun: r.Rerun(""), Kill: r.Kill, Readiness: r.Readiness,
			},
		},
	}, w)
}

// count counts a test into the summary.
func (s *ctrfSummary) count(status string) {
	switch status {
	case "passed":
		s.Passed++
	case "failed":
		s.Failed++
	case "pending":
		s.Pending++
	case "skipped":
		s.Skipped++
	default:
		s.Other++
	}
}

// ctrfScenario is a scenario as a test.
func ctrfScenario(x report.ScenarioResult) ctrfTest {
	t := ctrfTest{
		Name: cmp.Or(x.Name, fmt.Sprintf("line %d", x.Line)), Status: ctrfStatus(x.Status), RawStatus: string(x.Status),
		Duration: x.Duration.Milliseconds(), Suite: []string{cmp.Or(x.Feature, x.File)}, Type: "scenario",
		Message: words.FirstLine(cmp.Or(x.Error, x.Skip)), Trace: x.Error, Tags: x.Tags, FilePath: x.File, Line: x.Line,
	}
	for _, s := range x.Steps {
		t.Steps = append(t.Steps, ctrfStep{s.Keyword + " " + s.Text, ctrfStatus(s.Status)})
	}
	return t
}

// ctrfStatus is a status in CTRF's words.
func ctrfStatus(s report.Status) string {
	if s == report.Undefined {
		return "failed"
	}
	return string(s)
}

// ctrfClause is a clause as a test.
func ctrfClause(r readiness.View, c report.ClauseResult) ctrfTest {
	t := ctrfTest{
		Name: c.ID, Suite: []string{"clauses", c.Area}, Type: "clause", RawStatus: string(c.Verdict),
		Message: c.Title, Tags: []string{c.Level}, Status: "skipped", Duration: c.Spanned.Milliseconds(),
	}
	switch {
	case r.Excused(c):
		t.Message = r.Accepted() + ": " + c.Deviation.Reason
	case c.Verdict == verdict.Fail, c.Verdict == verdict.HarnessError, r.Blocks(c.ID):
		t.Status, t.Message, t.Trace = "failed", clauseMessage(c), evidenceText(c)
	case c.Verdict == verdict.Pass, c.Verdict == verdict.Warning:
		t.Status = "passed"
	case c.Verdict == verdict.Review, c.Verdict == verdict.Inconclusive:
		t.Status, t.Message, t.Trace = "other", clauseMessage(c), evidenceText(c)
	case r.Readiness != nil:
		t.Message = c.Title + ": " + r.Unjudged(c)
	default:
		t.Message = c.Title + words.After(": ", c.Reason)
	}
	return t
}
