package control

import (
	"net/http"
	"slices"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/openapi"
	"paysandbox/mockserver/world"
)

// route is one row of the table.
type route struct {
	openapi.Operation
	endpoint
	// bodyOptional takes a request without a body as one with an empty object.
	bodyOptional bool
	// judged leaves the findings of reading the body to the world, which adds
	// its own before it refuses.
	judged bool
	// keep says what stays readable of masked members that are numbers and
	// choose an outcome.
	keep keep

	segments []segment
}

// endpoint is what a route does. newBody makes the type that the body is read
// into (nil when there is none). Exactly one of free, read and act is set: free
// needs no integration, read looks at one, act changes its world.
type endpoint struct {
	newBody func() any
	free    func(x *exchange, body any) (any, error)
	read    func(x *exchange, i *integration.Integration, body any) (any, error)
	act     func(w *world.World, x *exchange, body any) (any, error)
	// prepare runs before act, outside the lock: what the outside says.
	prepare func(x *exchange, body any) error
}

// free makes an endpoint that needs no integration.
func free[R any](run func(x *exchange) (R, error)) endpoint {
	return endpoint{free: func(x *exchange, _ any) (any, error) { return run(x) }}
}

// freeWith is free with a body.
func freeWith[T, R any](run func(x *exchange, req *T) (R, error)) endpoint {
	return endpoint{newBody: fresh[T], free: func(x *exchange, body any) (any, error) { return run(x, as[T](body)) }}
}

// reads makes an endpoint that looks at an integration.
func reads[R any](run func(x *exchange, i *integration.Integration) (R, error)) endpoint {
	return endpoint{read: func(x *exchange, i *integration.Integration, _ any) (any, error) { return run(x, i) }}
}

// readsWith is reads with a body.
func readsWith[T, R any](run func(x *exchange, i *integration.Integration, req *T) (R, error)) endpoint {
	return endpoint{newBody: fresh[T], read: func(x *exchange, i *integration.Integration, body any) (any, error) {
		return run(x, i, as[T](body))
	}}
}

// acts makes an endpoint that changes a world, as an input on its tape.
func acts[R any](run func(w *world.World, x *exchange) (R, error)) endpoint {
	return endpoint{act: func(w *world.World, x *exchange, _ any) (any, error) { return run(w, x) }}
}

// actsWith is acts with a body.
func actsWith[T, R any](run func(w *world.World, x *exchange, req *T) (R, error)) endpoint {
	return endpoint{newBody: fresh[T], act: func(w *world.World, x *exchange, body any) (any, error) {
		return run(w, x, as[T](body))
	}}
}

// after runs before the world is asked, outside the lock.
func (e endpoint) after(prepare func(x *exchange, body any) error) endpoint {
	e.prepare = prepare
	return e
}

func fresh[T any]() any { return new(T) }

// as gives the body that newBody has made.
func as[T any](body any) *T {
	req, _ := body.(*T)
	return req
}

// empty is the answer without a body.
type empty struct{}

// done makes an endpoint's error-only result an empty answer.
func done(err error) (empty, error) { return empty{}, err }

// row starts a route with what most routes share.
func row(id, method, path string, e endpoint, sample, answer any) *route {
	op := openapi.Operation{
		ID: id, Method: method, Path: path, Request: sample, Response: answer,
		Errors: []int{http.StatusUnauthorized}, Params: pathParams(path),
	}
	if _, none := answer.(empty); none {
		op.Response = nil
	}
	r := &route{Operation: op, endpoint: e}
	if len(op.Params) > 0 {
		r.fails(http.StatusNotFound)
	}
	if e.newBody != nil {
		r.fails(http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
	}
	return r
}

// about says what a call is for.
func (r *route) about(tag, summary string) *route {
	r.Tag, r.Summary = tag, summary
	return r
}

// says adds a longer description.
func (r *route) says(description string) *route {
	r.Description = description
	return r
}

// with adds query parameters, a bad one of which is a 400.
func (r *route) with(params ...openapi.Param) *route {
	r.Params = append(r.Params, params...)
	return r.fails(http.StatusBadRequest)
}

// fails adds statuses that the call can answer.
func (r *route) fails(statuses ...int) *route {
	r.Errors = append(r.Errors, statuses...)
	slices.Sort(r.Errors)
	r.Errors = slices.Compact(r.Errors)
	return r
}

// moves says that the call is a step of a state machine.
func (r *route) moves() *route { return r.fails(http.StatusBadRequest, http.StatusConflict) }

// optional takes a request without a body.
func (r *route) optional() *route {
	r.bodyOptional = true
	return r
}

// methods are those that a route answers: HEAD wherever GET is.
func methods(m string) []string {
	if m == http.MethodGet {
		return []string{http.MethodGet, http.MethodHead}
	}
	return []string{m}
}
