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
		"partner.privacy.urls":       private(addresses, "send personal data in bodies only; name people in addresses by ids"),
		"partner.privacy.references": private(references, "make references and keys of your own numbers, or at random"),
		"partner.privacy.free-text":  private(freeTexts, "say in descriptions what is paid for, and put ids into metadata, not people"),
		"partner.privacy.output":     printed,
	}
}
