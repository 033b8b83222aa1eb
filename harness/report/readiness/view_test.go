package readiness_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/report"
	"paysandbox/harness/report/readiness"
	"paysandbox/harness/verdict"
)

// TestNobodyWaitsForWhatIsRequiredWhereMet: a page of an integration that is ready has
// nothing under what the verdict waits for.
func TestNobodyWaitsForWhatIsRequiredWhereMet(t *testing.T) {
	t.Parallel()
	missing := []report.Missing{{Clause: "partner.webhook.unsigned", Level: "MUST"}, {Clause: "partner.paging.complete", Level: "MUST"}, {Clause: "partner.client.timeout", Level: "SHOULD"}}
	r := report.Report{Readiness: &report.Readiness{Missing: missing}}
	for _, m := range missing {
		r.Clauses = append(r.Clauses, report.ClauseResult{ID: m.Clause, Level: m.Level, Verdict: verdict.NotExercised})
	}
	must, rest := readiness.View{Report: &r}.Needed()
	require.Equal(t, missing[:1], must)
	require.Equal(t, missing[1:], rest)
}
