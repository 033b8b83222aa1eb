// Package privacy judges where personal data stands. It owns what counts as personal
// data, and never repeats any in a judgement.
package privacy

import (
	"paysandbox/harness/clause"
	"paysandbox/harness/trail"
)

// Clauses are the functions that judge the clauses of this family, by their ids.
func Clauses() map[clause.ID]trail.Judge {
	return map[clause.ID]trail.Judge{
		"partner.privacy.urls":       personalDataIn(addresses, false),
		"partner.privacy.references": personalDataIn(references, false),
		"partner.privacy.free-text":  personalDataIn(freeTexts, true),
		"partner.privacy.output":     secretsPrinted,
	}
}
