// Package service judges what the service has promised, whatever a scenario has
// asserted: wire shapes, callers, state machines, events, deliveries, money, and the
// tape as a whole. It owns the tables of those promises (state machines, the retry
// schedule, shapes) as plain data, and judges no integration.
package service

import (
	"paysandbox/harness/clause"
	"paysandbox/harness/trail"
)

// Options are what a tape does not say. The zero value judges what can be judged
// without.
type Options struct {
	// Document is the service's OpenAPI description, read once for many tapes; without
	// it answers are not held to it.
	Document *Document
	// WebhookSecrets are the secrets of webhook endpoints by their ids, several
	// where they were changed; those under "" are tried for every endpoint. An
	// empty secret admits deliveries without a signature.
	WebhookSecrets map[string][]string
	// Secrets must stand nowhere on the tape. Shorter ones than six bytes are
	// left out: they stand everywhere.
	Secrets []string
}

// Rules are the functions that judge the rules, by their ids: see [clause.Rules].
func Rules(o Options) map[clause.ID]trail.Judge {
	return map[clause.ID]trail.Judge{
		"wire.conform":    o.conformance,
		"wire.refusal":    refusalBodies,
		"wire.method":     wrongMethods,
		"wire.challenge":  challengeHeaders,
		"auth.admitted":   admittedCallers,
		"auth.lifetime":   tokenLifetimes,
		"idempotency":     o.idempotency,
		"machine.moves":   documentedMoves,
		"machine.chain":   chainedMoves,
		"event.each":      eachEvent,
		"event.content":   eventContents,
		"delivery.signed": o.deliverySignatures,
		"delivery.bytes":  deliveryBytes,
		"delivery.retry":  deliveryRetries,
		"delivery.order":  deliveryOrder,
		"money.refund":    refundsLeft,
		"money.final":     finalStates,
		"money.charge":    savedCardCharges,
		"money.event":     eventAmounts,
		"money.plan":      planCollections,
		"tape.sequence":   numbersWithoutGaps,
		"tape.time":       timesInOrder,
		"tape.ids":        freshIDs,
		"tape.secrets":    o.hiddenSecrets,
	}
}
