package check

import "slices"

// Integration lists the checks of what a partner's integration owes the service,
// one for each clause of that catalogue, in its order. The id of a check is the
// id of its clause.
//
// A check whose matter does not come up on the tape is NotExercised, never Pass.
func Integration() []Check {
	return slices.Concat(tokenClauses(), requestClauses(), resilienceClauses(), webhookClauses(), lifecycleClauses(), privacyClauses())
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
