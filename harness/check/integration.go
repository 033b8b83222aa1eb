package check

import (
	"slices"

	"paysandbox/harness/verdict"
)

// Integration lists the checks of what a partner's integration owes the service,
// one for each clause of that catalogue, in its order. The id of a check is the
// id of its clause.
//
// A check whose matter does not come up on the tape is NotExercised, never Pass.
// Calls that a note announces as wrong on purpose are left out, see [NoteDeliberate].
func Integration() []Check {
	list := slices.Concat(tokenClauses(), requestClauses(), resilienceClauses(), webhookClauses(), lifecycleClauses(), privacyClauses())
	for i := range list {
		run := list[i].Run
		list[i].Run = func(t *Tape) []verdict.Judgement { return run(t.own()) }
	}
	return list
}

// JudgeIntegration holds a tape to every check of [Integration], in their order.
func JudgeIntegration(t *Tape) []Result {
	checks := Integration()
	results := make([]Result, len(checks))
	for i := range checks {
		results[i] = checks[i].Judge(t)
	}
	return results
}
