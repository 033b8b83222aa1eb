package report_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/report"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares with a file in testdata, byte for byte.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(file, got, 0o600))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err, "make it with -update")
	require.Equal(t, string(want), string(got))
}

// written is the report in a format.
func written(t *testing.T, format string, r *report.Report) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, report.Write(format, r, &b))
	return b.Bytes()
}

// secret is a client secret that is registered, the others are known by shape.
const secret = "s3cr3t/of the+client"

var (
	zipRow   = report.ScenarioRef{File: "companies/create.feature", Line: 31, Name: "A bad zip code"}
	zipGood  = report.ScenarioRef{File: "companies/create.feature", Line: 12, Name: "A good zip code"}
	cancel   = report.ScenarioRef{File: "payments/cancel.feature", Line: 8, Name: "A paid payment stays"}
	overTime = report.ScenarioRef{File: "plans/schedule.feature", Line: 20, Name: "Months of 31 days"}
)

// exchange is what the service answered to a bad zip code.
func exchange() *tape.Exchange {
	return &tape.Exchange{
		Method: "POST", Path: "/company", Query: "dry=1",
		Request: tape.Request{
			Header: []tape.Header{{Name: "Authorization", Value: "Bearer eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl"}, {Name: "Content-Type", Value: "application/json"}},
			Body:   []byte(`{"companyReferenceId":"acme-1","zipCode":"1234","owner":{"ssn":"123456789","name":"<b>Pat</b>"}}`),
		},
		Response: tape.Response{
			Status: 200, Header: []tape.Header{{Name: "Content-Type", Value: "application/json"}},
			Body: []byte(`{"companyId":"6f1c1c1e-8f0e-4c35-9d70-0d1f2b3c4d5e","status":"Verified"}`),
		},
	}
}

// steps are a scenario's steps, of which the last ended as told.
func steps(last report.Status, err string) []report.Step {
	return []report.Step{
		{Keyword: "Given", Text: "the partner holds a token", Line: 4, Status: report.Passed, Duration: 3 * time.Millisecond},
		{Keyword: "When", Text: `the partner creates a company with zipCode "1234"`, Line: 5, Status: report.Passed, Duration: 2 * time.Millisecond},
		{Keyword: "Then", Text: "the service refuses it", Line: 6, Status: last, Duration: time.Millisecond, Error: err},
	}
}

// run is the beginning of the sample's run.
func run() report.Run {
	return report.Run{
		Tool: "paysandbox", Version: "1.2.3", Target: "https://sandbox.example/v1", Seed: 7, Planned: 4,
		Started: time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC), Notes: []string{"latitude: zip = 12345-6789"},
	}
}

// runEnd is the end of the sample's run.
func runEnd() report.RunEnd {
	return report.RunEnd{
		Duration: 4321 * time.Millisecond, Verdict: verdict.Fail, ExitCode: 1, Reason: "1 MUST clause failed.",
		Kill: &report.Kill{Must: report.Share{Killed: 20, Of: 20}, All: report.Share{Killed: 27, Of: 30}},
	}
}

// scenarioRun is a scenario with its end.
type scenarioRun struct {
	start report.ScenarioStart
	steps []report.Step
	end   report.ScenarioEnd
}

// scenarioRuns are the sample's scenarios.
func scenarioRuns() []scenarioRun {
	return []scenarioRun{
		{
			report.ScenarioStart{ScenarioRef: cancel, Feature: "A payment is cancelled", Tags: []string{"@area:payments", "@clause:payment.cancel.final-status"}},
			steps(report.Passed, ""),
			report.ScenarioEnd{Status: report.Passed, Duration: 6 * time.Millisecond},
		},
		{
			report.ScenarioStart{ScenarioRef: zipRow, Feature: "A partner creates a company", Tags: []string{"@area:companies", "@clause:company.create.zip"}},
			steps(report.Failed, "expected status 400, received 200"),
			report.ScenarioEnd{Status: report.Failed, Duration: 1234567 * time.Millisecond, Error: "expected status 400, received 200\nwith secret " + secret},
		},
		{
			report.ScenarioStart{ScenarioRef: zipGood, Feature: "A partner creates a company", Tags: []string{"@area:companies", "@clause:company.create.zip"}},
			steps(report.Passed, ""),
			report.ScenarioEnd{Status: report.Passed, Duration: 6 * time.Millisecond},
		},
		{
			report.ScenarioStart{ScenarioRef: overTime, Feature: "A plan has a schedule", Tags: []string{"@needs:control"}},
			nil,
			report.ScenarioEnd{Status: report.Skipped, Skip: "the target has no control API"},
		},
	}
}

// judgements are the sample's, one of a clause that was judged twice.
func judgements() []report.ClauseResult {
	request, response := report.Excerpt(exchange())
	zip := report.ClauseResult{ID: "company.create.zip", Title: "A zip code has five digits", Level: "MUST", Area: "companies", Source: "spec: Companies, zipCode"}
	zipFailed, zipPassed := zip, zip
	zipFailed.Verdict, zipFailed.Scenarios = verdict.Fail, []report.ScenarioRef{zipRow}
	zipFailed.Evidence = []report.Evidence{{
		Entries: []uint64{12, 13}, Expected: "status 400\nwith a finding on /zipCode", Received: "status 200",
		Hint: "Refuse a zip code that is not five digits.", Request: request, Response: response,
	}}
	zipPassed.Verdict, zipPassed.Scenarios = verdict.Pass, []report.ScenarioRef{zipGood}
	zipPassed.Evidence = []report.Evidence{{Entries: []uint64{4}, Expected: "status 200", Received: "status 200"}}
	return []report.ClauseResult{
		{ID: "plan.schedule.month-end", Title: "A month without the day uses its last", Level: "SHOULD", Area: "plans", Source: "docs: plans", Verdict: verdict.NotReached, Reason: "the target has no control API", Scenarios: []report.ScenarioRef{overTime}},
		zipPassed, zipFailed,
		{ID: "payment.cancel.final-status", Title: "A payment that is paid cannot be cancelled", Level: "MUST", Area: "payments", Source: "spec: Payments, cancel", Verdict: verdict.Pass, Scenarios: []report.ScenarioRef{cancel}},
		{ID: "payment.list.order", Title: "Payments come in the order of their creation", Level: "MAY", Area: "payments", Source: "assumed: list-order", Verdict: verdict.Warning, Evidence: []report.Evidence{{Received: "reversed", Hint: "Do not depend on the order."}}},
		{
			ID: "payment.refund.limit", Title: "No more is refunded than was collected", Level: "MUST", Area: "payments", Source: "spec: Refunds", Verdict: verdict.Fail,
			Deviation: &report.Deviation{Owner: "pat@example.com", Reason: "fixed in the next release", Expires: "2026-06-30", Occurs: true},
			Evidence:  []report.Evidence{{Expected: "refunded ≤ 5000", Received: "refunded 5001, card 4111 1111 1111 1111"}},
		},
		{ID: "wire.names", Title: "Names are in camelCase", Level: "MUST", Area: "wire", Source: "spec: Wire", Verdict: verdict.HarnessError, Reason: "the OpenAPI description could not be read"},
	}
}

// play gives a run's events to a sink, one scenario after the other.
func play(s report.Sink, runs []scenarioRun, judged []report.ClauseResult) {
	s.RunStarted(run())
	for _, r := range runs {
		playOne(s, r)
	}
	for _, j := range judged {
		s.ClauseJudged(j)
	}
	s.RunFinished(runEnd())
}

// playOne gives a scenario's events to a sink.
func playOne(s report.Sink, r scenarioRun) {
	s.ScenarioStarted(r.start)
	for _, step := range r.steps {
		s.StepFinished(r.start.ScenarioRef, step)
	}
	s.ScenarioFinished(r.start.ScenarioRef, r.end)
}

// sample is the sample's report.
func sample() *report.Report {
	c := report.NewCollector(report.NewRedactor(secret))
	play(c, scenarioRuns(), judgements())
	return c.Report()
}

// hostile is a report whose texts try to be something else.
func hostile() *report.Report {
	r := sample()
	const nasty = "</script></details><script>document.title='taken'</script>\n```\n| a | b |\x00\x1b[31m ]]> {{.}} \xff \u2028"
	r.Target, r.Reason, r.Notes = nasty, nasty, []string{nasty}
	for i := range r.Clauses {
		c := &r.Clauses[i]
		c.Title, c.Reason, c.Source = nasty, nasty, nasty
		c.Evidence = []report.Evidence{{Expected: nasty, Received: nasty, Hint: nasty, Request: nasty, Response: nasty}}
	}
	for i := range r.Scenarios {
		s := &r.Scenarios[i]
		s.Name, s.Feature, s.Error = nasty, nasty, nasty
		for j := range s.Steps {
			s.Steps[j].Text, s.Steps[j].Error = nasty, nasty
		}
	}
	return r
}
