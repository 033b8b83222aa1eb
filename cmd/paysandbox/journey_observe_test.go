package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/clause"
	"paysandbox/harness/journey"
	"paysandbox/harness/report"
	"paysandbox/harness/sampling"
	"paysandbox/harness/verdict"
	"paysandbox/scenarios"
)

// unseen are the clauses that a story names and that need not be seen when an
// application lives it by the wall clock, with the reason that is told.
func unseen() map[string]string {
	return map[string]string{
		"partner.token.refresh":     "a token has expired in a time that the application could not see",
		"partner.retry.bounded":     "calls were served after they had failed a few times",
		"partner.webhook.duplicate": "an event that says only Processing came twice",
	}
}

// TestObserveTheJourneys lets the reference application live each journey by the
// wall clock, without any trouble but the story's own: it comes to its end, and
// every clause that it names is seen to hold.
func TestObserveTheJourneys(t *testing.T) {
	t.Parallel()
	list, err := journey.List(scenarios.FS())
	require.NoError(t, err)
	free := make(chan struct{}, atOnce)
	for _, j := range sampling.Every(t, 9, list) {
		t.Run(j.Name, func(t *testing.T) {
			t.Parallel()
			free <- struct{}{}
			defer func() { <-free }()
			code, r, said := observed(t, j.Name, "--no-faults", "--patience", "1m", "--", "paysandbox", "app", "--follow", "--quiet")
			require.Contains(t, []int{verdict.CodeMet, verdict.CodeLittle}, code, said)
			require.Empty(t, failures(r), said)
			require.Contains(t, said, "journey "+j.Name+" has come to its end")
			require.Empty(t, notHeld(&j, r), said)
		})
	}
}

// notHeld are the clauses of the integration that a journey names and that were
// not seen to hold, without the reason that there may be. What a choice of the ledger
// takes away cannot be seen.
func notHeld(j *journey.Journey, r *report.Report) []string {
	var list []string
	for _, c := range r.Clauses {
		reason, may := unseen()[c.ID]
		chosen := c.Verdict == verdict.NotApplicable && strings.HasPrefix(c.Reason, "the choice ")
		held := c.Verdict == verdict.Pass || chosen || may && strings.Contains(c.Reason, reason)
		if !held && strings.HasPrefix(c.ID, clause.IntegrationPrefix) && slices.Contains(j.Clauses, c.ID) {
			list = append(list, c.ID+": "+string(c.Verdict)+": "+c.Reason)
		}
	}
	return list
}
