package api

import (
	"net/http"
	"slices"

	"paysandbox/mockserver/door"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/openapi"
	"paysandbox/mockserver/world"
)

// route is one row of the table.
type route = door.Row[endpoint]

// endpoint is what a route does: newBody makes the type that the body is read
// into (nil when there is none), run acts on the world.
type endpoint struct {
	newBody func(latitude.Settings) any
	run     func(w *world.World, x *exchange, body any) (any, error)
	// caller is how the route tells who calls.
	caller admission
	// unless names the choice of the ledger under which the route does not exist.
	unless latitude.Choice
	// strictBody refuses unknown members on the specification's word.
	strictBody string
	// idempotent honours the Idempotency-Key header.
	idempotent bool
	// fails are the statuses that it answers under a choice of the ledger alone.
	fails []failure
	// wraps writes the answer as the endpoint reference does, where the ledger says so.
	wraps bool
	// masks hides the answer's body on the tape.
	masks bool
}

// failure is a status that a choice of the ledger makes possible.
type failure struct {
	when   latitude.Choice
	status int
}

// hidden says whether the ledger's choices take a route away.
func hidden(s latitude.Settings) func(*route) bool {
	return func(r *route) bool { return r.Endpoint.unless != 0 && s.Is(r.Endpoint.unless) }
}

// takes makes an endpoint with a body.
func takes[T, R any](run func(w *world.World, x *exchange, req *T) (R, error)) endpoint {
	return endpoint{
		newBody: func(latitude.Settings) any { return new(T) },
		run: func(w *world.World, x *exchange, body any) (any, error) {
			return run(w, x, door.As[T](body))
		},
	}
}

// gives makes an endpoint without a body.
func gives[R any](run func(w *world.World, x *exchange) (R, error)) endpoint {
	return endpoint{run: func(w *world.World, x *exchange, _ any) (any, error) { return run(w, x) }}
}

// does makes an endpoint of a use case that takes the body alone, with what
// reading it has shown.
func does[T, R any](run func(w *world.World, req *T, noted ...kernel.Finding) (R, error)) endpoint {
	return takes(func(w *world.World, x *exchange, req *T) (R, error) { return run(w, req, x.Call.Findings...) })
}

// doesFor is does for what a parameter of the path names.
func doesFor[T, R any](param string, run func(w *world.World, id string, req *T, noted ...kernel.Finding) (R, error)) endpoint {
	return takes(func(w *world.World, x *exchange, req *T) (R, error) {
		return run(w, x.Param(param), req, x.Call.Findings...)
	})
}

// reads makes an endpoint that shows what a parameter of the path names.
func reads[R any](param string, run func(w *world.World, id string) (R, error)) endpoint {
	return gives(func(w *world.World, x *exchange) (R, error) { return run(w, x.Param(param)) })
}

// wrapped is an answer that has two published forms.
type wrapped interface{ Wrapped() any }

// wrapping writes the answer as the endpoint reference does, where the ledger says so.
func (e endpoint) wrapping() endpoint {
	run := e.run
	e.wraps = true
	e.run = func(w *world.World, x *exchange, body any) (any, error) {
		v, err := run(w, x, body)
		if flat, ok := v.(wrapped); ok && err == nil && world.Wraps(x.settings()) {
			return flat.Wrapped(), nil
		}
		return v, err
	}
	return e
}

// moves makes an endpoint that takes a step of what a parameter of the path names.
func moves(param string, run func(w *world.World, id string) error) endpoint {
	return gives(func(w *world.World, x *exchange) (door.Empty, error) { return door.Done(run(w, x.Param(param))) })
}

// strict refuses unknown members of the body on the word of a clause.
func (e endpoint) strict(clause string) endpoint {
	e.strictBody = clause
	return e
}

// row starts a route with what most routes share.
func row(id, method, path string, e endpoint, sample, answer any) *route {
	if e.caller == nil {
		e.caller = byToken{}
	}
	return door.NewRow(id, method, path, e, sample, answer).On(openapi.Spec)
}

// once honours an idempotency key.
func once(r *route) *route {
	r.Endpoint.idempotent = true
	r.With(idempotencyKey)
	for _, status := range []int{http.StatusConflict, http.StatusUnprocessableEntity} {
		when(r, latitude.IdempotencyHonoured, status)
		if r.ID == "createPayment" {
			when(r, latitude.IdempotencyCreateOnly, status)
		}
	}
	return r
}

// when adds a status that the operation answers under a choice of the ledger.
func when(r *route, choice latitude.Choice, status int) *route {
	r.Endpoint.fails = append(r.Endpoint.fails, failure{choice, status})
	return r
}

// also gives a second spelling of a route, which a choice of the ledger can
// take away.
func also(r *route, id, method, path string, unless latitude.Choice) *route {
	other := *r
	other.ID, other.Method, other.Path, other.AliasOf, other.Endpoint.unless = id, method, path, r.ID, unless
	other.Params, other.Errors = slices.Clone(r.Params), slices.Clone(r.Errors)
	return &other
}
