package format_test

import (
	"fmt"
	"io"
	"testing"

	"paysandbox/harness/clause"
	"paysandbox/harness/report"
	"paysandbox/harness/report/format"
	"paysandbox/harness/report/redact"
	"paysandbox/harness/report/sample"
	"paysandbox/harness/verdict"
)

// BenchmarkRedact strikes secrets out of an exchange.
func BenchmarkRedact(b *testing.B) {
	r := redact.New(sample.Secret)
	request, response := report.Excerpt(sample.Exchange())
	b.SetBytes(int64(len(request) + len(response)))
	b.ReportAllocs()
	for b.Loop() {
		r.Text(request)
		r.Text(response)
	}
}

// BenchmarkSuite collects and writes a run of 400 scenarios and 200 clauses.
func BenchmarkSuite(b *testing.B) {
	request, response := report.Excerpt(sample.Exchange())
	for _, name := range format.Names() {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c := report.NewCollector(redact.New(sample.Secret))
				c.RunStarted(sample.Run())
				for i := range 400 {
					at := report.ScenarioRef{File: fmt.Sprint(i % 20), Line: i}
					sample.PlayOne(c, sample.Scenario{Start: report.ScenarioStart{ScenarioRef: at}, Steps: sample.Steps(report.Passed, ""), End: report.ScenarioEnd{Status: report.Passed}})
					c.ClauseJudged(report.ClauseResult{
						ID: fmt.Sprint("clause.", i%200), Area: fmt.Sprint(i % 20), Level: "MUST", Verdict: verdict.Pass, Scenarios: []report.ScenarioRef{at},
						Evidence: []report.Evidence{{Entries: []uint64{1}, Expected: "x", Received: "x", Request: request, Response: response}},
					})
				}
				c.RunFinished(sample.RunEnd())
				_ = format.Write(name, c.Report(), io.Discard)
			}
		})
	}
}

// BenchmarkReadiness collects and writes what is judged over a tape: all clauses
// that all failed, with one piece of evidence each (the baseline) or one for each
// of 50,000 entries. The report is bounded: the second takes more to collect, and
// no more than eight times as much to write.
func BenchmarkReadiness(b *testing.B) {
	for _, entries := range []int{len(clause.Integration()), 50_000} {
		judged := observedOver(entries)
		b.Run(fmt.Sprintf("collect/entries=%d", entries), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				collected(judged)
			}
		})
		r := collected(judged)
		for _, name := range format.Names() {
			b.Run(fmt.Sprintf("%s/entries=%d", name, entries), func(b *testing.B) {
				b.ReportAllocs()
				var n counter
				for b.Loop() {
					n = 0
					_ = format.Write(name, r, &n)
				}
				b.ReportMetric(float64(n), "report-bytes")
			})
		}
	}
}

// counter counts what is written.
type counter int

func (n *counter) Write(p []byte) (int, error) {
	*n += counter(len(p))
	return len(p), nil
}

// observedOver is all clauses broken with a piece of evidence for each entry of a
// tape, and one that names them all.
func observedOver(entries int) []report.ClauseResult {
	request, response := report.Excerpt(sample.Exchange())
	list := sample.Silent().Clauses
	all := make([]uint64, entries)
	for i := range all {
		all[i] = uint64(i) + 1
		c := &list[i%len(list)]
		c.Verdict = verdict.Fail
		c.Evidence = append(c.Evidence, report.Evidence{
			Entries: all[i : i+1], Expected: "a second between two reads of a state", Received: fmt.Sprintf("5 reads of payment %d within less", i),
			Hint: "wait for the webhook", Request: request, Response: response,
		})
	}
	list[0].Evidence[0].Entries = all
	return list
}

// collected is the report of these judgements.
func collected(judged []report.ClauseResult) *report.Report {
	c := report.NewCollector(redact.New(sample.Secret))
	c.RunStarted(sample.Run())
	end := sample.RunEnd()
	end.Readiness = sample.Readiness()
	for _, j := range judged {
		c.ClauseJudged(j)
		end.Readiness.Blocking = append(end.Readiness.Blocking, j.ID)
	}
	c.RunFinished(end)
	return c.Report()
}
