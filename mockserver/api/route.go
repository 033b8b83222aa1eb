package api

import (
	"net/url"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/openapi"
	"paysandbox/mockserver/world"
)

// route is one row of the table.
type route struct {
	openapi.Operation
	endpoint
	// unless names the choice of the ledger under which the route does not exist.
	unless latitude.Choice
	// strictBody refuses unknown members on the specification's word.
	strictBody string
	// idempotent honours the Idempotency-Key header.
	idempotent bool
	// masks hides the answer's body on the tape.
	masks bool

	segments []segment
	before   []*route
}

// hidden says whether the ledger's choices take the route away.
func (r *route) hidden(s latitude.Settings) bool { return r.unless != 0 && s.Is(r.unless) }

// honoursKeys says whether the Idempotency-Key means something to the route.
func (r *route) honoursKeys(s latitude.Settings) bool {
	switch {
	case s.Is(latitude.IdempotencyIgnored):
		return false
	case s.Is(latitude.IdempotencyCreateOnly):
		return r.ID == "createPayment"
	default:
		return r.idempotent
	}
}

// input is a request as an endpoint sees it, beside its body.
type input struct {
	vars  []pathVar
	query url.Values
	call  *exchange
}

// endpoint is what a route does: newBody makes the type that the body is read
// into (nil when there is none), run acts on the world.
type endpoint struct {
	newBody func(latitude.Settings) any
	run     func(w *world.World, in *input, body any) (any, error)
}

// takes makes an endpoint with a body.
func takes[T, R any](run func(w *world.World, in *input, req *T) (R, error)) endpoint {
	return endpoint{
		newBody: func(latitude.Settings) any { return new(T) },
		run: func(w *world.World, in *input, body any) (any, error) {
			req, _ := body.(*T)
			return run(w, in, req)
		},
	}
}

// gives makes an endpoint without a body.
func gives[R any](run func(w *world.World, in *input) (R, error)) endpoint {
	return endpoint{run: func(w *world.World, in *input, _ any) (any, error) { return run(w, in) }}
}

// empty is the answer without a body.
type empty struct{}

// done makes an endpoint's error-only result an empty answer.
func done(err error) (empty, error) { return empty{}, err }

// noted is what reading the body has shown.
func (in *input) noted() []kernel.Finding { return in.call.call.Findings }

// param gives a path parameter.
func (in *input) param(name string) string {
	for _, v := range in.vars {
		if v.name == name {
			return v.value
		}
	}
	return ""
}

// arg gives a query parameter, whatever the case of its name.
func (in *input) arg(name string) string {
	if v, ok := in.query[name]; ok {
		return v[0]
	}
	return foldedArg(in.query, name)
}
