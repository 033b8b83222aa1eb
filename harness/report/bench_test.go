package report_test

import (
	"fmt"
	"io"
	"testing"

	"paysandbox/harness/report"
)

// BenchmarkRedact strikes secrets out of an exchange.
func BenchmarkRedact(b *testing.B) {
	r := report.NewRedactor(secret)
	request, response := report.Excerpt(exchange())
	b.SetBytes(int64(len(request) + len(response)))
	b.ReportAllocs()
	for b.Loop() {
		r.Text(request)
		r.Text(response)
	}
}

// BenchmarkSuite collects and writes a run of 400 scenarios and 200 clauses.
func BenchmarkSuite(b *testing.B) {
	request, response := report.Excerpt(exchange())
	for _, format := range report.Formats() {
		b.Run(format, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c := report.NewCollector(report.NewRedactor(secret))
				c.RunStarted(run())
				for i := range 400 {
					at := report.ScenarioRef{File: fmt.Sprint(i % 20), Line: i}
					playOne(c, scenarioRun{report.ScenarioStart{ScenarioRef: at}, steps(report.Passed, ""), report.ScenarioEnd{Status: report.Passed}})
					c.ClauseJudged(report.ClauseResult{
						ID: fmt.Sprint("clause.", i%200), Area: fmt.Sprint(i % 20), Level: "MUST", Verdict: report.Pass, Scenarios: []report.ScenarioRef{at},
						Evidence: []report.Evidence{{Entries: []uint64{1}, Expected: "x", Received: "x", Request: request, Response: response}},
					})
				}
				c.RunFinished(runEnd())
				_ = report.Write(format, c.Report(), io.Discard)
			}
		})
	}
}
