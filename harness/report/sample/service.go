package sample

import (
	"time"

	"paysandbox/harness/report"
	"paysandbox/harness/report/redact"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// Secret is a client secret that is registered, the others are known by shape.
const Secret = "s3cr3t/of the+client"

// The scenarios that the sample tells of.
var (
	ZipRow   = report.ScenarioRef{File: "companies/create.feature", Line: 31, Name: "A bad zip code"}
	ZipGood  = report.ScenarioRef{File: "companies/create.feature", Line: 12, Name: "A good zip code"}
	Cancel   = report.ScenarioRef{File: "payments/cancel.feature", Line: 8, Name: "A paid payment stays"}
	OverTime = report.ScenarioRef{File: "plans/schedule.feature", Line: 20, Name: "Months of 31 days"}
)

// Exchange is what the service answered to a bad zip code.
func Exchange() *tape.Exchange {
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

// Steps are a scenario's steps, of which the last ended as told.
func Steps(last report.Status, err string) []report.Step {
	return []report.Step{
		{Keyword: "Given", Text: "the partner holds a token", Line: 4, Status: report.Passed, Duration: 3 * time.Millisecond},
		{Keyword: "When", Text: `the partner creates a company with zipCode "1234"`, Line: 5, Status: report.Passed, Duration: 2 * time.Millisecond},
		{Keyword: "Then", Text: "the service refuses it", Line: 6, Status: last, Duration: time.Millisecond, Error: err},
	}
}

// Run is the beginning of the sample's run.
func Run() report.Run {
	return report.Run{
		Tool: "paysandbox", Version: "1.2.3", Target: "https://sandbox.example/v1", Seed: 7, Planned: 4,
		Started: time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC), Notes: []string{"latitude: zip = 12345-6789"},
	}
}

// RunEnd is the end of the sample's run.
func RunEnd() report.RunEnd {
	return report.RunEnd{
		Duration: 4321 * time.Millisecond, Verdict: verdict.Fail, ExitCode: 1, Reason: "1 MUST clause failed.",
		Kill: &report.Kill{Must: report.Share{Killed: 20, Of: 20}, All: report.Share{Killed: 27, Of: 30}},
	}
}

// Scenario is a scenario with its end.
type Scenario struct {
	Start report.ScenarioStart
	Steps []report.Step
	End   report.ScenarioEnd
}

// Scenarios are the sample's scenarios.
func Scenarios() []Scenario {
	return []Scenario{
		{
			report.ScenarioStart{ScenarioRef: Cancel, Feature: "A payment is cancelled", Tags: []string{"@area:payments", "@clause:payment.cancel.final-status"}},
			Steps(report.Passed, ""),
			report.ScenarioEnd{Status: report.Passed, Duration: 6 * time.Millisecond},
		},
		{
			report.ScenarioStart{ScenarioRef: ZipRow, Feature: "A partner creates a company", Tags: []string{"@area:companies", "@clause:company.create.zip"}},
			Steps(report.Failed, "expected status 400, received 200"),
			report.ScenarioEnd{Status: report.Failed, Duration: 1234567 * time.Millisecond, Error: "expected status 400, received 200\nwith secret " + Secret},
		},
		{
			report.ScenarioStart{ScenarioRef: ZipGood, Feature: "A partner creates a company", Tags: []string{"@area:companies", "@clause:company.create.zip"}},
			Steps(report.Passed, ""),
			report.ScenarioEnd{Status: report.Passed, Duration: 6 * time.Millisecond},
		},
		{
			report.ScenarioStart{ScenarioRef: OverTime, Feature: "A plan has a schedule", Tags: []string{"@needs:control"}},
			nil,
			report.ScenarioEnd{Status: report.Skipped, Skip: "the target has no control API"},
		},
	}
}

// Judgements are the sample's, one of a clause that was judged twice.
func Judgements() []report.ClauseResult {
	request, response := report.Excerpt(Exchange())
	zip := report.ClauseResult{ID: "company.create.zip", Title: "A zip code has five digits", Level: "MUST", Area: "companies", Source: "spec: Companies, zipCode"}
	zipFailed, zipPassed := zip, zip
	zipFailed.Verdict, zipFailed.Scenarios = verdict.Fail, []report.ScenarioRef{ZipRow}
	zipFailed.Evidence = []report.Evidence{{
		Entries: []uint64{12, 13}, Expected: "status 400\nwith a finding on /zipCode", Received: "status 200",
		Hint: "Refuse a zip code that is not five digits.", Request: request, Response: response,
		Cited: []report.Cited{{Seq: 12, Says: "#12 2026-01-02T15:04:05Z exchange ▸ POST /Company/Create 200"}},
	}}
	zipPassed.Verdict, zipPassed.Scenarios = verdict.Pass, []report.ScenarioRef{ZipGood}
	zipPassed.Evidence = []report.Evidence{{Entries: []uint64{4}, Expected: "status 200", Received: "status 200"}}
	return []report.ClauseResult{
		{ID: "plan.schedule.month-end", Title: "A month without the day uses its last", Level: "SHOULD", Area: "plans", Source: "docs: plans", Verdict: verdict.NotReached, Reason: "the target has no control API", Scenarios: []report.ScenarioRef{OverTime}},
		zipPassed, zipFailed,
		{ID: "payment.cancel.final-status", Title: "A payment that is paid cannot be cancelled", Level: "MUST", Area: "payments", Source: "spec: Payments, cancel", Verdict: verdict.Pass, Scenarios: []report.ScenarioRef{Cancel}},
		{ID: "payment.list.order", Title: "Payments come in the order of their creation", Level: "MAY", Area: "payments", Source: "assumed: list-order", Verdict: verdict.Warning, Evidence: []report.Evidence{{Received: "reversed", Hint: "Do not depend on the order."}}},
		{
			ID: "payment.refund.limit", Title: "No more is refunded than was collected", Level: "MUST", Area: "payments", Source: "spec: Refunds", Verdict: verdict.Fail,
			Deviation: &report.Deviation{Owner: "pat@example.com", Reason: "fixed in the next release", Expires: "2026-06-30", Occurs: true},
			Evidence:  []report.Evidence{{Expected: "refunded ≤ 5000", Received: "refunded 5001, card 4111 1111 1111 1111"}},
		},
		{ID: "wire.names", Title: "Names are in camelCase", Level: "MUST", Area: "wire", Source: "spec: Wire", Verdict: verdict.HarnessError, Reason: "the OpenAPI description could not be read"},
	}
}

// Play gives a run's events to a sink, one scenario after the other.
func Play(s report.Sink, runs []Scenario, judged []report.ClauseResult) {
	s.RunStarted(Run())
	for _, r := range runs {
		PlayOne(s, r)
	}
	for _, j := range judged {
		s.ClauseJudged(j)
	}
	s.RunFinished(RunEnd())
}

// PlayOne gives a scenario's events to a sink.
func PlayOne(s report.Sink, r Scenario) {
	s.ScenarioStarted(r.Start)
	for _, step := range r.Steps {
		s.StepFinished(r.Start.ScenarioRef, step)
	}
	s.ScenarioFinished(r.Start.ScenarioRef, r.End)
}

// Service is the sample's report.
func Service() *report.Report {
	c := report.NewCollector(redact.New(Secret))
	Play(c, Scenarios(), Judgements())
	return c.Report()
}

// HostileService is a report whose texts try to be something else.
func HostileService() *report.Report {
	r := Service()
	const nasty = "</script></details><script>document.title='taken'</script>\n```\n| a | b |\x00\x1b[31m ]]> {{.}} \xff \u2028"
	r.Target, r.Reason, r.Notes = nasty, nasty, []string{nasty}
	for i := range r.Clauses {
		c := &r.Clauses[i]
		c.Title, c.Reason, c.Source = nasty, nasty, nasty
		c.Evidence = []report.Evidence{{Entries: []uint64{7}, Expected: nasty, Received: nasty, Hint: nasty, Request: nasty, Response: nasty, Cited: []report.Cited{{Seq: 7, Says: nasty, Text: nasty}}}}
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
