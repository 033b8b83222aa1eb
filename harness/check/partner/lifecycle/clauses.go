// Package lifecycle judges when an integration does what: which state of a company, a
// payer or a payment it waits for, and what it does when that state changes.
package lifecycle

import (
	"paysandbox/harness/clause"
	"paysandbox/harness/trail"
)

// Clauses are the functions that judge the clauses of this family, by their ids.
func Clauses() map[clause.ID]trail.Judge {
	return map[clause.ID]trail.Judge{
		"partner.company.verified-first":  verifiedFirst,
		"partner.company.rejected":        rejectedCompany,
		"partner.payer.registered-first":  registeredFirst,
		"partner.payment.redirect":        redirectNoProof,
		"partner.payment.paid-first":      paidFirst,
		"partner.payment.late-return":     lateReturn,
		"partner.payment.over-limit":      overLimit,
		"partner.payment.cancel-conflict": cancelConflict,
		"partner.paging.complete":         pagesComplete,
	}
}
