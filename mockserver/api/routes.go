package api

import (
	"net/http"
	"slices"

	"paysandbox/mockserver/latitude"
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
		Name: "Idempotency-Key", In: "header", Example: "7d9f2c1e-4b0a-4f7e-9a53-0c6d1b8e2f45",
		Description: "A key of 1 to 255 visible characters: the same key with the same body answers the first answer again for 24 hours.",
	}
)

func uuidParam(name, what string) openapi.Param {
	return openapi.Param{Name: name, In: "path", Required: true, Format: "uuid", Example: "3f0c4a53-9d3e-4f1f-8e9d-8c117b0c5b0e", Description: what}
}

func queryParam(name, format, what string) openapi.Param {
	return openapi.Param{Name: name, In: "query", Format: format, Description: what}
}

// row starts a route with what most routes share.
func row(id, method, path string, e endpoint, sample, answer any) *route {
	op := openapi.Operation{
		ID: id, Method: method, Path: path, Surface: openapi.Spec,
		Request: sample, Response: answer, Errors: []int{http.StatusUnauthorized},
	}
	if _, none := answer.(empty); none {
		op.Response = nil
	}
	if e.newBody != nil {
		op.Errors = []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType}
	}
	return &route{Operation: op, endpoint: e}
}

// about says what an operation is for and where it is told.
func (r *route) about(tag, summary, clause string) *route {
	r.Tag, r.Summary, r.Clause = tag, summary, clause
	return r
}

// with adds parameters; a path parameter makes 404 possible.
func (r *route) with(params ...openapi.Param) *route {
	r.Params = append(r.Params, params...)
	for _, p := range params {
		if p.In == "path" {
			r.fails(http.StatusNotFound)
		}
	}
	return r
}

// fails adds statuses that the operation can answer.
func (r *route) fails(statuses ...int) *route {
	r.Errors = append(r.Errors, statuses...)
	slices.Sort(r.Errors)
	r.Errors = slices.Compact(r.Errors)
	return r
}

// on sets the surface.
func (r *route) on(s openapi.Surface) *route {
	r.Surface = s
	return r
}

// once honours an idempotency key.
func (r *route) once() *route {
	r.idempotent = true
	r.Params = append(r.Params, idempotencyKey)
	return r.fails(http.StatusConflict, http.StatusUnprocessableEntity)
}

// also gives a second spelling of a route, which a choice of the ledger can
// take away.
func (r *route) also(id, method, path string, unless latitude.Choice) *route {
	other := *r
	other.ID, other.Method, other.Path, other.AliasOf, other.unless = id, method, path, r.ID, unless
	return &other
}

// table is every operation of the partner API. A path with a literal comes
// before one that has a parameter in its place.
func table() []*route {
	return slices.Concat(tokenRoutes(), companyRoutes(), payerRoutes(), paymentRoutes(), transactionRoutes(), accountRoutes(), planRoutes())
}
