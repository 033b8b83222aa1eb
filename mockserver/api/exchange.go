package api

import (
	"crypto/sha256"
	"errors"
	"net/url"
	"slices"
	"sync"

	"paysandbox/mockserver/door"
	"paysandbox/mockserver/fault"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/wire"
	"paysandbox/mockserver/world"
)

// exchange is one request on its way through the house.
type exchange struct {
	door.Exchange
	api *API
	// row is what the path and method name, and at are the operations of the path;
	// route is row, or nil where the ledger's choices of the integration take it away.
	row, route *route
	at         []*route
	caller     integration.Caller
	query      url.Values
	// reading is true when the body is worth reading, and value what it was read into.
	reading bool
	value   any
	// decoded is what reading the body into value has shown.
	decoded wire.Result
	shape   wire.Shape

	// refusal is what reading the request came to before the world was asked.
	refusal *kernel.Error
	// sum tells a repeated request from another one with the same idempotency key.
	sum [sha256.Size]byte
	// credentials is true when a token call's client id and secret are right.
	credentials bool
	// allow lists the methods of a path that was called with another one.
	allow []string
	// retryAfter is how long a refused caller is to wait, in seconds.
	retryAfter string
	// replayed is true when the answer is one that was remembered.
	replayed bool
	// claim is the idempotency key that the call holds; overtaken is true when
	// another call with the same key was still at work.
	claim     *claimed
	overtaken bool
	// trouble is what faults do to the call; gone is true once the caller has hung up.
	trouble trouble
	gone    bool
}

var exchanges = sync.Pool{New: func() any { return &exchange{} }}

// free lets go of what the exchange holds, and gives it back to the pool.
func (x *exchange) free() {
	x.giveUpKey()
	if x.Reset() {
		*x = exchange{Exchange: x.Exchange}
		exchanges.Put(x)
	}
}

// Identify finds the operation and the caller.
func (x *exchange) Identify() {
	x.row, x.at = x.api.table.Find(x.Req, &x.Vars)
	x.query = query(x.Req)
	x.belongTo(x.identify())
	if x.row != nil {
		x.Call.Entities = slices.Clone(x.Vars.Values()) // under these ids the call is filed on the tape
		x.claimKey()
	}
}

// belongTo notes whose call it is, and what follows from that: the ledger's
// choices can leave out an operation, or spellings of its path.
func (x *exchange) belongTo(c integration.Caller) {
	x.caller, x.On = c, c.Integration
	s := x.settings()
	x.shape = shapeOf(s, x.On.Seed())
	x.Call.Base = wire.PageBase(x.Req, x.On.ID)
	x.Call.Exchange.Token, x.Call.Exchange.Operation = c.Token, ""
	x.route, x.refusal, x.allow = nil, nil, nil
	if x.row == nil || hidden(s)(x.row) || s.Is(latitude.PathsReferenceOnly) && !x.row.Written(x.Req) {
		x.nowhere(s)
		return
	}
	x.route, x.Call.Exchange.Operation = x.row, x.row.ID
}

// nowhere refuses a request that no operation takes.
func (x *exchange) nowhere(s latitude.Settings) {
	table, at := x.api.table, x.at
	written := func(r *route) bool { return r.Written(x.Req) }
	if s.Is(latitude.PathsReferenceOnly) && !slices.ContainsFunc(table.Rows(), written) {
		at = nil
	}
	x.refusal, x.allow = table.Refuse(x.Req.Method, x.Call.Exchange.Path, at, hidden(s))
}

// settings are the ledger's choices of the integration that is called.
func (x *exchange) settings() latitude.Settings { return x.On.Settings() }

// arg gives a query parameter, whatever the case of its name.
func (x *exchange) arg(name string) string {
	if v, ok := x.query[name]; ok {
		return v[0]
	}
	return foldedArg(x.query, name)
}

// Act runs under the lock: the last word on the caller, the endpoint, and the
// answer's bytes.
func (x *exchange) Act(w *world.World, _ *integration.Call) {
	if _, sent := x.Req.Header[keyHeader]; sent && !x.keyed() && x.Call.Seq > 0 {
		w.IgnoredKey(wire.Sent(x.Req, keyHeader))
	}
	answer, err := x.answer(w)
	x.strayQuery(w)
	x.begin()
	switch {
	case errors.Is(err, errTroubled):
		x.faultAnswer()
	case err != nil:
		x.fail(err)
		x.keepFindings(w, err)
	case x.replayed:
		x.Put("Idempotent-Replayed", "true")
		if len(x.Out) > 0 {
			x.Put("Content-Type", wire.Negotiate(wire.Sent(x.Req, "Accept")))
		}
	case answer != nil:
		x.succeed(answer)
	}
	x.Warn(w.Advisories())
	e := &x.Call.Exchange
	e.Response = tape.Response{Status: x.Status, Header: x.Header, Body: x.Out}
	if x.route != nil && x.route.Endpoint.masks && err == nil {
		e.Response.Body = maskAnswer(x.Out)
	}
	x.breakOff(&e.Response)
}

// answer runs the endpoint. Both results are nil when the answer is one that
// was remembered for an idempotency key.
func (x *exchange) answer(w *world.World) (any, error) {
	e := &x.Call.Exchange
	switch {
	case x.Again != nil && x.Again.Judged == nil:
		e.Auth = x.Again.Auth
	case x.route != nil:
		e.Auth = x.route.Endpoint.caller.verdict(x, w)
	default:
		e.Auth = x.caller.Standing(w)
	}
	if err := x.meetFaults(); err != nil {
		return nil, err
	}
	if wait, ok := x.On.Allow(w.Now()); !ok {
		return nil, x.tooMany(wait)
	}
	switch {
	case x.route != nil && e.Auth != tape.AuthValid && !byCredential(e.Auth):
		return nil, unauthorised(e.Auth)
	case x.refusal != nil:
		return nil, x.refusal
	case x.keyed():
		return x.once(w)
	}
	return x.route.Endpoint.run(w, x, x.value)
}

// begin writes the headers of every answer.
func (x *exchange) begin() {
	x.Number()
	if id := x.requestID(); id != "" {
		x.Put("X-Request-Id", id)
	}
	if x.route != nil && x.route.Surface != "spec" {
		x.Put("Sandbox-Surface", string(x.route.Surface))
	}
	if x.trouble.label != "" {
		x.Put(fault.Header, string(x.trouble.label))
	}
}

// requestID is the caller's own id of the request, given back when it is fit to
// be shown. Sandbox-Exchange numbers every request anyhow.
func (x *exchange) requestID() string {
	sent := wire.Sent(x.Req, "X-Request-Id")
	if len(sent) > 128 || door.Printable(sent) != sent {
		return ""
	}
	return sent
}
