package api

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"net/http"
	"strconv"
	"sync"
	"time"

	"paysandbox/mockserver/fault"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/secret"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/wire"
	"paysandbox/mockserver/world"
)

// exchange is one request on its way through the house.
type exchange struct {
	api    *API
	route  *route
	caller integration.Caller
	again  *integration.Again
	req    *http.Request

	call  integration.Call
	in    input
	body  bytes.Buffer
	value any
	// decoded is what reading the body into value has shown.
	decoded wire.Result
	shape   wire.Shape

	// refusal is what reading the request came to before the world was asked.
	refusal *kernel.Error
	status  int
	media   string
	header  []tape.Header
	out     []byte
	// sum tells a repeated request from another one with the same idempotency key.
	sum [sha256.Size]byte
	// credentials is true when a token call's client id and secret are right.
	credentials bool
	// allow lists the methods of a path that was called with another one.
	allow string
	// retryAfter is how long a refused caller is to wait, in seconds.
	retryAfter string
	// replayed is true when the answer is one that was remembered.
	replayed bool
	// overtaken is true when another call with the same key was still at work.
	overtaken bool
	// trouble is what faults do to the call.
	trouble trouble
	// began is when the request came in, by the wall clock; gone is true once the
	// caller has hung up.
	began time.Time
	gone  bool
}

var exchanges = sync.Pool{New: func() any { return &exchange{} }}

// handler answers the requests of one route.
type handler struct {
	api   *API
	route *route
}

// ServeHTTP answers one request of the route.
func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.api.serve(w, r, h.route) }

// serve takes a request through the house. route is nil when no operation has
// the path and method.
func (a *API) serve(w http.ResponseWriter, r *http.Request, route *route) {
	x, _ := exchanges.Get().(*exchange)
	x.began = a.opts.Wall()
	x.begin(a, r, route)
	if route != nil {
		x.in = input{vars: route.pathVars(r), query: query(r), call: x}
		x.call.Entities = x.named()
	}
	defer x.claim()()
	x.read(w)
	x.meetClaim()
	i := x.caller.Integration
	batch := i.Do(&x.call, x.act)
	if !batch.Empty() {
		batch = i.SendAhead(batch)
		defer i.Send(batch) // even when the answer cannot be written
	}
	abort := x.leave(w, !batch.Empty())
	if a.opts.Observe != nil {
		a.opts.Observe(x.call.Exchange.Operation, x.seen(), a.opts.Wall().Sub(x.began))
	}
	x.release()
	if abort {
		panic(http.ErrAbortHandler)
	}
}

// begin fills in what the request line and headers tell.
func (x *exchange) begin(a *API, r *http.Request, route *route) {
	x.api, x.req, x.route = a, r, route
	x.again = integration.AgainFrom(r.Context())
	x.call = integration.Call{Kind: tape.KindExchange}
	x.belongTo(x.identify())
	x.call.Exchange = tape.Exchange{Method: r.Method, Path: r.URL.EscapedPath(), Query: secret.Query(r.URL.RawQuery), Token: x.caller.Token}
	x.trouble.asked = asked(r.Header)
	x.call.Exchange.Request.Header = captured(r, x.call.Exchange.Request.Header)
	if route != nil {
		x.call.Exchange.Operation = route.ID
	} else {
		x.refusal = x.noOperation()
	}
	if x.again != nil {
		x.call.At = x.again.At
	}
}

// belongTo notes whose call it is, and what follows from that.
func (x *exchange) belongTo(c integration.Caller) {
	x.caller = c
	x.shape = shapeOf(x.settings(), c.Integration.Seed())
	x.call.Base = x.api.base(x.req, c.Integration.ID)
}

// named are the ids in the path, under which the call is filed on the tape.
func (x *exchange) named() []string {
	if len(x.in.vars) == 0 {
		return nil
	}
	var ids []string
	for _, v := range x.in.vars {
		ids = append(ids, v.value)
	}
	return ids
}

// settings are the ledger's choices of the integration that is called.
func (x *exchange) settings() latitude.Settings { return x.caller.Integration.Settings() }

// act runs under the lock: the last word on the caller, the endpoint, and the
// answer's bytes.
func (x *exchange) act(w *world.World, _ *integration.Call) {
	if _, sent := x.req.Header[keyHeader]; sent && !x.keyed() {
		w.IgnoredKey(x.req.Header.Get(keyHeader))
	}
	answer, err := x.answer(w)
	x.header = x.always()
	switch {
	case errors.Is(err, errTroubled):
		x.faultAnswer()
	case err != nil:
		x.fail(err)
	case x.replayed:
		x.header = append(x.header, tape.Header{Name: "Idempotent-Replayed", Value: "true"})
		x.contentType()
	case answer != nil:
		x.succeed(answer)
	}
	x.warn(w)
	e := &x.call.Exchange
	e.Response = tape.Response{Status: x.status, Header: x.header, Body: x.out}
	if x.route != nil && x.route.masks && err == nil {
		e.Response.Body = maskAnswer(x.out)
	}
	x.breakOff(&e.Response)
}

// answer runs the endpoint. Both results are nil when the answer is one that
// was remembered for an idempotency key.
func (x *exchange) answer(w *world.World) (any, error) {
	x.call.Exchange.Auth = x.verdict(w)
	if err := x.meetFaults(); err != nil {
		return nil, err
	}
	if wait, ok := x.caller.Integration.Allow(w.Now()); !ok {
		return nil, x.tooMany(wait)
	}
	if x.refusal != nil {
		if x.route != nil && !x.admitted() {
			return nil, unauthorised()
		}
		return nil, x.refusal
	}
	if !x.admitted() {
		return nil, unauthorised()
	}
	if x.keyed() {
		return x.once(w)
	}
	return x.route.run(w, &x.in, x.value)
}

// verdict is the last word on the caller.
func (x *exchange) verdict(w *world.World) string {
	switch {
	case x.again != nil:
		return x.again.Auth
	case x.route != nil && x.route.Open:
		return x.credentialsVerdict()
	default:
		return x.caller.Standing(w)
	}
}

// admitted says whether the caller may go on.
func (x *exchange) admitted() bool {
	return x.route == nil || x.route.Open || x.call.Exchange.Auth == tape.AuthValid
}

// always are the headers of every answer.
func (x *exchange) always() []tape.Header {
	h := append(x.header[:0],
		tape.Header{Name: "Sandbox-Exchange", Value: strconv.FormatUint(x.call.Seq, 10)},
		tape.Header{Name: "Sandbox-Time", Value: x.api.times.at(x.call.Time).iso})
	if id := x.requestID(); id != "" {
		h = append(h, tape.Header{Name: "X-Request-Id", Value: id})
	}
	if x.route != nil && x.route.Surface != "spec" {
		h = append(h, tape.Header{Name: "Sandbox-Surface", Value: string(x.route.Surface)})
	}
	if x.trouble.label != "" {
		h = append(h, tape.Header{Name: fault.Header, Value: x.trouble.label})
	}
	return h
}
