// Package request judges what an integration sends: references, idempotency keys,
// amounts, numbers, members and values of bodies, and its User-Agent. It judges each
// call by itself or beside others of its kind, not when it is made: that is the
// matter of package retry and package lifecycle.
package request

import (
	"paysandbox/harness/clause"
	"paysandbox/harness/trail"
)

// Clauses are the functions that judge the clauses of this family, by their ids.
func Clauses() map[clause.ID]trail.Judge {
	return map[clause.ID]trail.Judge{
		"partner.reference.present":     referencePresent,
		"partner.reference.unique":      referenceUnique,
		"partner.idempotency.key":       keyPresent,
		"partner.idempotency.same-key":  keyKept,
		"partner.idempotency.fresh-key": keyFresh,
		"partner.idempotency.opaque":    keyOpaque,
		"partner.amount.cents":          amountsInCents,
		"partner.intent.amount":         intendedAmount,
		"partner.intent.split":          intendedSplit,
		"partner.intent.location":       intendedLocation,
		"partner.intent.due-date":       intendedDueDate,
		"partner.phone.e164":            phonesInE164,
		"partner.body.known-members":    knownMembers,
		"partner.body.known-values":     knownValues,
		"partner.client.user-agent":     userAgent,
	}
}
