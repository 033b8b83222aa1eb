package api

import (
	"slices"

	"paysandbox/mockserver/openapi"
)

// Parameters that several operations share.
var (
	companyRef     = openapi.Param{Name: "companyReferenceId", In: "path", Required: true, Example: "loc-001", Description: "The caller's reference of the company, or the company's id."}
	registrationID = uuidParam("registrationId", "The id that the registration has answered.")
	paymentID      = uuidParam("paymentRequestId", "The id that the creation of the payment request has answered.")
	planID         = uuidParam("planId", "The id that the creation of the plan has answered.")
	consentID      = uuidParam("consentId", "The id of the payer's consent.")
	idempotencyKey = openapi.Param{
		Name: "Idempotency-Key", In: "header", // without an example: tried twice, it would be one key for two bodies
		Description: "A key of 1 to 255 visible characters. Where keys are honoured, the same key with the same body answers the first answer again for 24 hours; the operation says whether they are.",
	}
)

func uuidParam(name, what string) openapi.Param {
	return openapi.Param{Name: name, In: "path", Required: true, Format: "uuid", Example: "3f0c4a53-9d3e-4f1f-8e9d-8c117b0c5b0e", Description: what}
}

func queryParam(name, format, what string) openapi.Param {
	return openapi.Param{Name: name, In: "query", Format: format, Description: what}
}

// table is every operation of the partner API. A path with a literal comes
// before one that has a parameter in its place.
func table() []*route {
	return slices.Concat(tokenRoutes(), companyRoutes(), payerRoutes(), paymentRoutes(), cardRoutes(), refundRoutes(),
		transactionRoutes(), accountRoutes(), planRoutes(), consentRoutes())
}
