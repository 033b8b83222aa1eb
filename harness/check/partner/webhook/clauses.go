// Package webhook judges how an integration takes in deliveries: that it refuses what
// is not genuine, takes what is, and does the right thing once, in any order.
package webhook

import (
	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
)

// Clauses are the functions that judge the clauses of this family, by their ids.
func Clauses() map[string]func(*trail.Trail) []verdict.Judgement {
	list := map[string]func(*trail.Trail) []verdict.Judgement{
		"partner.webhook.altered":            forgedRefused("altered-byte", "altered-signature"),
		"partner.webhook.unsigned":           forgedRefused("missing-signature"),
		"partner.webhook.wrong-secret":       forgedRefused("wrong-secret", "empty-secret"),
		"partner.webhook.stale-signature":    forgedRefused("stale-signature"),
		"partner.webhook.no-follow-up":       nothingFollows,
		"partner.webhook.raw-bytes":          unusualAccepted("odd-json", "compute the HMAC over the bytes of the body as they came, before it is parsed"),
		"partner.webhook.unknown-event":      unusualAccepted("unknown-event", "answer 200 to an event whose name is not known, and do nothing"),
		"partner.webhook.unknown-member":     unusualAccepted("extra-member", "read the members that are needed and pass over the others"),
		"partner.webhook.duplicate":          effectOnce("duplicate", true),
		"partner.webhook.parallel-duplicate": effectOnce("parallel-duplicate", false),
		"partner.webhook.order":              anyOrder,
		"partner.webhook.before-response":    beforeResponse,
		"partner.webhook.quick":              quickAnswers,
		"partner.webhook.rotation":           secretRotation,
	}
	for id, run := range list {
		list[id] = unlessUnwelcome(run)
	}
	return list
}
