package control

import (
	"net/http"
	"strings"

	"paysandbox/mockserver/door"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/openapi"
	"paysandbox/mockserver/world"
)

// route is one row of the table.
type route = door.Row[endpoint]

// endpoint is what a route does. newBody makes the type that the body is read
// into (nil when there is none). Exactly one of look and act is set: act changes
// a world, look leaves no trace.
type endpoint struct {
	newBody func() any
	look    func(x *exchange, i *integration.Integration, body any) (any, error)
	act     func(w *world.World, x *exchange, body any) (any, error)
	// prepare runs before act, outside the lock: what the outside says.
	prepare func(x *exchange, body any) error
	// bodyOptional takes a request without a body as one with an empty object.
	bodyOptional bool
	// empty is a body without members; raw is one that the endpoint reads itself.
	empty, raw bool
	// another says that each request makes another one of something.
	another bool
	// judged leaves the findings of reading the body to prepare or to the world,
	// which add their own before they refuse.
	judged bool
	// tells says that the body moves nothing: what the names of its members tell to be secret
	// nobody needs.
	tells bool
	// keep says what stays readable of masked members that are numbers and
	// choose an outcome.
	keep keep
}

// reads makes an endpoint that looks at an integration, or at none: then there is
// nil in its place.
func reads[R any](run func(x *exchange, i *integration.Integration) (R, error)) endpoint {
	return endpoint{look: func(x *exchange, i *integration.Integration, _ any) (any, error) { return run(x, i) }}
}

// readsWith is reads with a body.
func readsWith[T, R any](run func(x *exchange, i *integration.Integration, req *T) (R, error)) endpoint {
	return endpoint{newBody: door.Fresh[T], look: func(x *exchange, i *integration.Integration, body any) (any, error) {
		return run(x, i, door.As[T](body))
	}}
}

// acts makes an endpoint that changes a world, as an input on its tape.
func acts[R any](run func(w *world.World, x *exchange) (R, error)) endpoint {
	return endpoint{act: func(w *world.World, x *exchange, _ any) (any, error) { return run(w, x) }}
}

// actsWith is acts with a body.
func actsWith[T, R any](run func(w *world.World, x *exchange, req *T) (R, error)) endpoint {
	return endpoint{newBody: door.Fresh[T], act: func(w *world.World, x *exchange, body any) (any, error) {
		return run(w, x, door.As[T](body))
	}}
}

// after runs before the world is asked, outside the lock.
func (e endpoint) after(prepare func(x *exchange, body any) error) endpoint {
	e.prepare = prepare
	return e
}

// optional takes a request without a body.
func (e endpoint) optional() endpoint {
	e.bodyOptional = true
	return e
}

// itself leaves the body to the endpoint.
func (e endpoint) itself() endpoint {
	e.raw = true
	return e
}

// judging leaves the findings of reading the body to the endpoint.
func (e endpoint) judging() endpoint {
	e.judged = true
	return e
}

// telling says that the body moves nothing.
func (e endpoint) telling() endpoint {
	e.tells = true
	return e
}

// keeping says what stays readable of a number.
func (e endpoint) keeping(k keep) endpoint {
	e.keep = k
	return e
}

// steps are the statuses of a call that is a step of a state machine.
var steps = []int{http.StatusBadRequest, http.StatusConflict}

// row starts a route with what most routes share.
func row(id, method, path string, e endpoint, sample, answer any) *route {
	if method == http.MethodPost && e.newBody == nil && !e.raw {
		e.newBody, e.bodyOptional, e.empty = door.Fresh[door.Empty], true, true
	}
	return door.NewRow(id, method, path, e, sample, answer).With(pathParams(path)...)
}

// paramTexts say what the path parameters are.
var paramTexts = map[string]openapi.Param{
	"i":      {Example: "default", Description: "The integration's id, or default."},
	"id":     {Example: "3f0c4a53-9d3e-4f1f-8e9d-8c117b0c5b0e", Description: "The id of the entity that is meant."},
	"s":      {Example: "before-refunds", Description: "The name of a snapshot."},
	"event":  {Example: "approve", Description: "An event of the entity's state machine."},
	"seq":    {Example: "470", Description: "The number of an entry on the tape."},
	"entity": {Example: "3f0c4a53-9d3e-4f1f-8e9d-8c117b0c5b0e", Description: "The id of the entity, or a company's reference."},
}

// pathParams lists the parameters of a path, in order.
func pathParams(path string) []openapi.Param {
	var list []openapi.Param
	for word := range strings.SplitSeq(path, "/") {
		if name := strings.Trim(word, "{}"); name != word {
			p := paramTexts[name]
			p.Name, p.In, p.Required = name, "path", true
			if name == "event" {
				events := eventsOf(path)
				p.Description, p.Enum, p.Example = "An event of the machine: "+joined(events)+". What the state does not admit is answered with 409, which names what it does.", events, events[0]
			}
			list = append(list, p)
		}
	}
	return list
}

// queryParam describes a parameter of the query.
func queryParam(name, example, what string) openapi.Param {
	return openapi.Param{Name: name, In: "query", Example: example, Description: what}
}
