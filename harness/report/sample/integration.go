package sample

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/clause"
	"paysandbox/harness/report"
	"paysandbox/harness/report/redact"
	"paysandbox/harness/verdict"
)

// Readiness is what the sample's integration came to.
func Readiness() *report.Readiness {
	return &report.Readiness{
		Sentence: "Not ready for production: 2 requirements are broken, and 1 has not been seen.",
		Blocking: []string{"partner.token.reuse", "partner.webhook.signature"},
		Missing: []report.Missing{
			{Clause: "partner.return.late", Level: "MUST", Exercise: "let a payment fail after it was paid", Why: "it was paid, and stayed so; " + Secret},
			{Clause: "partner.paging.end", Level: "SHOULD", Exercise: "list more than 100 companies, with " + Secret},
		},
		Warnings: []report.Warning{
			{
				Clause: "payment.create.due-date", Title: "A due date lies in the future", Pointer: "/dueDate", Expected: "today or later",
				Fix: "send the day on which it is due", Count: 23, Entries: []uint64{4, 9, 31},
			},
			{Clause: "company.create.unknown-member", Pointer: "/locations/*/colour", Count: 1, Entries: []uint64{2}},
		},
		Invisible: []report.Invisible{{Title: "Signatures are compared in constant time", Instead: "look at the code that verifies a delivery"}},
		Attempts: []report.Attempt{
			{Clause: "partner.webhook.signature", Armed: 3, Met: 2},
			{Clause: "partner.return.late", Armed: 1},
		},
		Cited: []report.Cited{
			{Seq: 4, Says: "#4 2026-01-02T15:04:05Z exchange ▸ POST /Authentication/Token 200", Text: "Request\n  POST /Authentication/Token\nAnswer\n  200\n"},
			{Seq: 9, Says: "#9 2026-01-02T15:04:06Z exchange ▸ POST /Authentication/Token 200"},
		},
		Digests: []report.Digest{
			{Name: "tape", SHA256: strings.Repeat("ab", 32)},
			{Name: "integration clauses", SHA256: strings.Repeat("4111", 16)},
		},
	}
}

// Observed are the judgements of an integration, one of each kind.
func Observed() []report.ClauseResult {
	request, response := report.Excerpt(Exchange())
	is := func(id, title, level, area string, v verdict.Word) report.ClauseResult {
		return report.ClauseResult{ID: id, Title: title, Level: level, Area: area, Source: "spec: " + area, Verdict: v}
	}
	reuse := is("partner.token.reuse", "An access token is kept and used again", "MUST", "tokens", verdict.Fail)
	reuse.Evidence = []report.Evidence{{
		Entries: []uint64{4, 9}, Expected: "1 token for an hour", Received: "12 tokens in 3 minutes\nfor 12 calls",
		Hint: "Keep the token until shortly before it expires.", Request: request, Response: response,
	}}
	reuse.Spanned = 3*time.Minute + 250*time.Millisecond
	late := is("partner.return.late", "A late return is reversed", "MUST", "payments", verdict.NotExercised)
	late.Reason = "no payment was returned: let a payment fail after it was paid"
	key := is("partner.idempotency.key", "Every call that moves money carries an idempotency key", "SHOULD", "requests", verdict.Fail)
	key.Deviation = &report.Deviation{Owner: "pat@example.com", Reason: "in the next release", Expires: "2026-06-30", Occurs: true}
	return []report.ClauseResult{
		reuse, late, key,
		is("partner.webhook.signature", "An altered delivery is refused", "MUST", "webhooks", verdict.Fail),
		is("partner.paging.end", "Lists are read to their end", "SHOULD", "requests", verdict.NotExercised),
		is("partner.polling.hot", "Nothing is polled without a pause", "SHOULD", "requests", verdict.Warning),
		is("partner.amount.cents", "Amounts are integers in cents", "MUST", "payments", verdict.Pass),
		is("partner.privacy.urls", "No personal data in addresses", "MUST", "privacy", verdict.NotReached),
		is("partner.agent", "Calls name their product", "SHOULD", "requests", verdict.NotApplicable),
	}
}

// Integration is the report about an integration.
func Integration() *report.Report {
	c := report.NewCollector(redact.New(Secret))
	c.RunStarted(report.Run{
		Tool: "paysandbox", Version: "1.2.3", Target: "http://127.0.0.1:8484", Seed: 7, Command: "paysandbox observe --seed 7 -- npm test",
		Started: time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC), Notes: []string{"the command ended with exit code 0"},
	})
	for _, j := range Observed() {
		c.ClauseJudged(j)
	}
	c.RunFinished(report.RunEnd{Duration: 95 * time.Second, Verdict: verdict.Fail, ExitCode: 1, Readiness: Readiness()})
	return c.Report()
}

// HostileIntegration is the same with texts that try to be something else.
func HostileIntegration() *report.Report {
	nasty := HostileService().Reason
	r := Integration()
	r.Readiness.Sentence = nasty
	for i := range r.Readiness.Missing {
		r.Readiness.Missing[i].Exercise, r.Readiness.Missing[i].Why = nasty, nasty
	}
	r.Readiness.Digests[0].Name = nasty
	r.Readiness.Invisible[0] = report.Invisible{Title: nasty, Instead: nasty}
	w := &r.Readiness.Warnings[0]
	w.Clause, w.Title, w.Pointer, w.Expected, w.Fix = nasty, nasty, nasty, nasty, nasty
	r.Readiness.Blocking = append(r.Readiness.Blocking, nasty)
	r.Readiness.Attempts = append(r.Readiness.Attempts, report.Attempt{Clause: nasty, Armed: 1})
	return r
}

// Silent is the report about an application that never called.
func Silent() *report.Report {
	r := &report.Report{
		Tool: "paysandbox", Version: "1.2.3", Target: "http://127.0.0.1:8484", Verdict: verdict.NotExercised, ExitCode: 3,
		Reason: "The application made no call.", Readiness: &report.Readiness{},
	}
	for _, c := range clause.Integration() {
		r.Clauses = append(r.Clauses, report.ClauseResult{ID: string(c.ID), Title: c.Title, Level: string(c.Level), Area: c.Area, Source: string(c.Source.Kind), Verdict: verdict.NotExercised})
	}
	for _, level := range []clause.Level{clause.Must, clause.Should, clause.May} {
		for _, c := range clause.Integration() {
			if c.Level == level {
				r.Readiness.Missing = append(r.Readiness.Missing, report.Missing{Clause: string(c.ID), Level: string(c.Level), Exercise: c.Exercise})
			}
		}
	}
	return r
}

// Ready is the report about an integration that is ready.
func Ready(t *testing.T) *report.Report {
	t.Helper()
	r := Silent()
	r.Verdict, r.ExitCode, r.Reason, r.Readiness = verdict.Pass, 0, "", &report.Readiness{Ready: true, Digests: Readiness().Digests}
	for i := range r.Clauses {
		r.Clauses[i].Verdict = verdict.Pass
	}
	require.NotEmpty(t, r.Clauses)
	return r
}
