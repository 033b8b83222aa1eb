package openapi

import (
	_ "embed"
	"net/http"
	"slices"
	"strconv"

	"paysandbox/mockserver/latitude"
)

// The media types of JSON bodies.
const (
	mediaJSON     = "application/json"
	mediaTextJSON = "text/json"
	mediaAnyJSON  = "application/*+json"
	mediaPlain    = "text/plain"
)

//go:embed partner.md
var partnerText string

//go:embed descriptions.yaml
var partnerDescriptions []byte

// partnerInfo describes the partner API in the release that the sandbox follows, under
// these choices of the ledger, but for its events. version is the sandbox's own.
func partnerInfo(version string, choices latitude.Settings) Info {
	return Info{
		Version: version, Choices: choices, Release: choices.Get(latitude.Release).Name(), Title: "Payment collection service (paysandbox)",
		Description: partnerText, Descriptions: partnerDescriptions,
		Tags: []Tag{
			{"Authentication", "Access tokens: every other call needs one."},
			{"Companies", "Businesses that collect payments: their verification (KYB), locations and bank link."},
			{"Payers", "People who pay: hosted registration, identity check (KYC) and debit authorisation."},
			{"Payments", "Payment requests, cards, refunds, and card payments made on an external terminal."},
			{"Transactions", "The history of payments, one by one and as a report."},
			{"Account linking", "Linking a payer's bank account without the hosted registration."},
			{"Recurring plans", "Plans that collect an amount again and again from payers who have consented."},
			{"Consents", "What payers have said to a plan."},
		},
		Token: "An access token of POST /Authentication/Token, sent as Authorization: Bearer <token>. " +
			"It is good for " + strconv.Itoa(choices.Number(latitude.TokenLifetime)) + " seconds of virtual time.",
		TokenFormat:   "JWT",
		RequestMedia:  []string{mediaJSON, mediaTextJSON, mediaAnyJSON},
		ResponseMedia: []string{mediaJSON, mediaTextJSON, mediaPlain},
		Headers:       partnerHeaders(choices), Closed: []string{"chargeSavedCard", "registerCardPayment"},
	}
}

// idempotencyHeader is the parameter that makes a repeated request safe.
const idempotencyHeader = "Idempotency-Key"

// partnerHeaders are the sandbox's own headers under these choices.
func partnerHeaders(s latitude.Settings) []Header {
	list := []Header{
		{
			Name: "Sandbox-Exchange", Integer: true, Example: 42, Required: true,
			Description: "The number of this exchange on the integration's tape.",
			On:          func(_ *Operation, status int) bool { return status < http.StatusBadRequest },
		},
		{
			Name: "Sandbox-Exchange", Integer: true, Example: 42,
			Description: "The number of this exchange on the tape that Sandbox-Integration names. Absent when the tape had no room for it: there is only so much for calls of callers that nobody knows, and they are at GET /_sandbox/strangers then. A server that others than its owner can call tells unknown callers no number at all.",
			On:          func(_ *Operation, status int) bool { return status >= http.StatusBadRequest },
		},
		{
			Name: "Sandbox-Integration", Example: "default",
			Description: "On whose tape the exchange stands, when nobody knows whose call it is.",
			On:          func(_ *Operation, status int) bool { return status >= http.StatusBadRequest },
		},
		{
			Name: "Sandbox-Time", Format: "date-time", Example: "2026-01-02T15:04:05Z", Required: true,
			Description: "The virtual time at which the request was answered.",
		},
		{
			Name: "Sandbox-Surface", Enum: []string{string(Docs), string(Provisional)}, Example: string(Docs),
			Description: "Present when the operation does not stand in the specification: docs when it was published elsewhere, provisional when its path is the sandbox's own.",
			On:          func(op *Operation, _ int) bool { return op == nil || op.Surface != Spec },
		},
		{
			Name: "Sandbox-Warning", Example: "payment.create.fee-payer /feePayer",
			Description: "Rules that the request breaks but the specification does not have, each as a clause and a JSON pointer, separated by commas. With --strict such a request is refused.",
			On:          func(op *Operation, _ int) bool { return op == nil || op.Request != nil || len(op.Params) > 0 },
		},
		{
			Name: "Sandbox-Fault", Example: "f-1",
			Description: "Present when an armed fault had a hand in the answer; it names the fault.",
		},
	}
	if s.Is(latitude.IdempotencyIgnored) {
		return list
	}
	return append(list, Header{
		Name: "Idempotent-Replayed", Enum: []string{"true"}, Example: "true",
		Description: "Present when the answer is the remembered one of an earlier request with the same Idempotency-Key.",
		On:          func(op *Operation, _ int) bool { return op != nil && honoured(op, s) },
	})
}

// honoured says whether an operation honours the key under these choices.
func honoured(op *Operation, s latitude.Settings) bool {
	return idempotent(op) && (s.Is(latitude.IdempotencyHonoured) || s.Is(latitude.IdempotencyCreateOnly) && op.ID == "createPayment")
}

func idempotent(op *Operation) bool {
	return slices.ContainsFunc(op.Params, func(p Param) bool { return http.CanonicalHeaderKey(p.Name) == idempotencyHeader })
}
