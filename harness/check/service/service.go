// Package service judges what the service has promised, whatever a scenario has
// asserted: wire shapes, callers, state machines, events, deliveries, money, and the
// tape as a whole. It owns the tables of those promises (state machines, the retry
// schedule, shapes) as plain data, and judges no integration.
package service

import (
	"slices"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
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

// Rule is a promise, the clauses of the service catalogue that it stands for, and the
// function that judges it.
type Rule struct {
	ID, Title string
	Clauses   []string
	Run       func(t *trail.Trail) []verdict.Judgement
}

// Rules lists the rules, always in the same order.
func Rules(o Options) []Rule {
	return slices.Concat(wireRules(o), changeRules(o), moneyRules(), tapeRules(o))
}

func wireRules(o Options) []Rule {
	return []Rule{
		{
			ID: "wire.conform", Title: "Every answer is one that the OpenAPI description declares",
			Clauses: conformClauses(), Run: o.conformance,
		},
		{
			ID: "wire.refusal", Title: "Every refusal is problem details whose findings name known clauses",
			Clauses: []string{"error.body", "error.findings"}, Run: refusals,
		},
		{
			ID: "wire.method", Title: "A wrong method is told the right ones in Allow",
			Clauses: []string{"error.method"}, Run: wrongMethods,
		},
		{
			ID: "wire.challenge", Title: "A caller without a good token is challenged in WWW-Authenticate",
			Clauses: []string{"auth.unauthorised"}, Run: challenges,
		},
		{
			ID: "auth.admitted", Title: "Only a caller with a good token is served",
			Clauses: []string{"auth.bearer", "auth.bearer.broken", "auth.token.lifetime", "auth.token.refused"}, Run: admittedCallers,
		},
		{
			ID: "auth.lifetime", Title: "A token is good only from its grant until it expires or is revoked",
			Clauses: []string{"auth.token.lifetime", "auth.bearer.broken"}, Run: tokenLifetimes,
		},
		{
			ID: "idempotency", Title: "The same call with the same key is answered alike and acts once",
			Clauses: []string{"payment.idempotency", "payment.idempotency.reuse"}, Run: o.idempotency,
		},
	}
}

func changeRules(o Options) []Rule {
	return []Rule{
		{
			ID: "machine.moves", Title: "Every change of state is a documented move",
			Clauses: machineClauses(), Run: documentedMoves,
		},
		{
			ID: "machine.chain", Title: "Every change of state begins where the one before it has ended",
			Clauses: machineClauses(), Run: chainedMoves,
		},
		{
			ID: "event.each", Title: "Every change that has an event emits exactly one, and no event comes without a change",
			Clauses: []string{"event.company", "event.company.sandbox", "event.payment", "event.payment.pending", "event.payment.plan", "event.payment.saved-card"},
			Run:     eachEvent,
		},
		{
			ID: "event.content", Title: "An event tells the status, the time and the resource of its change",
			Clauses: []string{"event.company", "event.company.timestamp", "event.company.live", "event.payment", "event.payment.saved-card"},
			Run:     eventContents,
		},
		{ID: "delivery.signed", Title: "Every delivery is signed over its exact bytes", Clauses: []string{"event.signature"}, Run: o.deliverySignatures},
		{ID: "delivery.bytes", Title: "Every delivery sends the bytes of its event", Clauses: []string{"event.signature"}, Run: deliveryBytes},
		{
			ID: "delivery.retry", Title: "Failed deliveries are tried again by the schedule, and the others are not",
			Clauses: []string{"event.delivery.retry", "event.delivery.gone"}, Run: deliveryRetries,
		},
		{
			ID: "delivery.order", Title: "The events about one resource arrive in the order in which they happened",
			Clauses: []string{"event.delivery.order"}, Run: deliveryOrder,
		},
	}
}

func moneyRules() []Rule {
	return []Rule{
		{
			ID: "money.refund", Title: "No more is refunded than was collected",
			Clauses: []string{"payment.refund.amount-left", "payment.refund.after-paid"}, Run: refundsLeft,
		},
		{
			ID: "money.final", Title: "Nothing is collected after a cancellation or a denial, and nothing twice",
			Clauses: []string{"payment.status.canceled-stays", "payment.deny", "payment.status.machine"}, Run: finalStates,
		},
		{
			ID: "money.charge", Title: "A saved card is charged what was asked, or nothing",
			Clauses: []string{"payment.saved-card", "payment.saved-card.refused"}, Run: savedCardCharges,
		},
		{
			ID: "money.event", Title: "The amount in an event is the amount that was asked for",
			Clauses: []string{"event.payment.shape"}, Run: eventAmounts,
		},
		{
			ID: "money.plan", Title: "A plan collects on its due dates, once from each payer who has accepted",
			Clauses: []string{"plan.occurrence", "plan.occurrence.month-end", "plan.occurrence.completed"}, Run: planCollections,
		},
	}
}

func tapeRules(o Options) []Rule {
	return []Rule{
		{ID: "tape.sequence", Title: "The tape is numbered without gaps, and answers name their numbers", Run: numbering},
		{ID: "tape.time", Title: "Time never goes back, and causes come before what they cause", Run: timing},
		{ID: "tape.ids", Title: "No id is given twice, and every id is a uuid", Clauses: []string{
			"company.create", "location.add", "user.register", "payment.create", "payment.card-auth", "payment.saved-card", "plan.create", "plan.recurring",
		}, Run: freshIDs},
		{ID: "tape.secrets", Title: "No secret and no social security number leaves the service", Clauses: []string{"error.secrets", "auth.token.secret-hidden"}, Run: o.hiddenSecrets},
	}
}

// machineClauses are the clauses about the moves of machines.
func machineClauses() []string {
	return []string{
		"payment.status.machine", "payment.card-auth.machine", "payment.refund.machine", "card-payment.machine",
		"user.debit-auth.machine", "plan.status.machine", "consent.machine", "company.kyb.final",
	}
}
