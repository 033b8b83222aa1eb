package check

import "paysandbox/harness/verdict"

// Result is what one check says about a tape.
type Result struct {
	// Check and Title are the check's.
	Check string `json:"check"`
	Title string `json:"title"`
	// Clauses are the ids of the clauses that it judges.
	Clauses []string `json:"clauses"`
	// Status is the gravest of the verdicts.
	Word verdict.Word `json:"status"`
	// Verdicts are the judgements, in the order of the tape.
	Judgements []verdict.Judgement `json:"verdicts"`
}
