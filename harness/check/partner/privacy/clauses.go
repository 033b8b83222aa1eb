// Package privacy judges where personal data stands. It owns what counts as personal
// data, and never repeats any in a judgement.
package privacy

import (
	"paysandbox/harness/clause"
	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
)

// Clauses are the functions that judge the clauses of this family, by their ids.
func Clauses() map[clause.ID]func(*trail.Trail) []verdict.Judgement {
	return map[clause.ID]func(*trail.Trail) []verdict.Judgement{
		"partner.privacy.urls":       personalDataIn(addresses, false),
		"partner.privacy.references": personalDataIn(references, false),
		"partner.privacy.free-text":  personalDataIn(freeTexts, true),
		"partner.privacy.output":     secretsPrinted,
	}
}
