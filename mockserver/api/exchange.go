package api

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	"paysandbox/mockserver/fault"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/latitude"
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
	shape wire.Shape

	// refusal is what reading the request came to before the world was asked.
	refusal *world.Error
	status  int
	media   string
	header  []tape.Header
	out     []byte
	sum     [sha256.Size]byte
	// credentials is true when a token call's client id and secret are right.
	credentials bool
	// retryAfter is how long a refused caller is to wait, in seconds.
	retryAfter string
	// replayed is true when the answer is one that was remembered.
	replayed bool
	// trouble is what faults do to the call.
	trouble trouble
}

var exchanges = sync.Pool{New: func() any { return &exchange{} }}

// handler answers the requests of one route.
type handler struct {
	api   *API
	route *route
}

// ServeHTTP answers one request of the route.
func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.api.serve(w, r, h.route, nil) }

// serve takes a request through the house. route is nil when no operation has
// the path and method; refusal then says why.
func (a *API) serve(w http.ResponseWriter, r *http.Request, route *route, refusal *world.Error) {
	start := a.opts.Wall()
	x, _ := exchanges.Get().(*exchange)
	x.begin(a, r, route, refusal)
	if route != nil {
		x.in = input{vars: vars(r), query: query(r), call: x}
	}
	x.read(w)
	batch := x.caller.Integration.Do(&x.call, x.act)
	abort := x.leave(w, !batch.Empty())
	x.caller.Integration.Send(batch)
	if a.opts.Observe != nil {
		a.opts.Observe(x.call.Exchange.Operation, x.seen(), a.opts.Wall().Sub(start))
	}
	x.release()
	if abort {
		panic(http.ErrAbortHandler)
	}
}

// begin fills in what the request line and headers tell.
func (x *exchange) begin(a *API, r *http.Request, route *route, refusal *world.Error) {
	x.api, x.req, x.route, x.refusal = a, r, route, refusal
	x.again = integration.AgainFrom(r.Context())
	x.caller = x.identify()
	x.shape = shapeOf(x.settings(), x.caller.Integration.Seed())
	x.call = integration.Call{Kind: tape.KindExchange, Base: base(r, x.caller.Integration.ID)}
	x.call.Exchange = tape.Exchange{Method: r.Method, Path: writtenPath(r), Query: r.URL.RawQuery, Token: x.caller.Token}
	x.trouble.asked = asked(r.Header)
	x.call.Exchange.Request.Header = captured(r, x.call.Exchange.Request.Header)
	if route != nil {
		x.call.Exchange.Operation = route.ID
	}
	if x.again != nil {
		x.call.At = x.again.At
	}
}

// settings are the ledger's choices of the integration that is called.
func (x *exchange) settings() latitude.Settings { return x.caller.Integration.Settings() }

// read takes in the body and decodes it, before the lock.
func (x *exchange) read(w http.ResponseWriter) {
	if x.refusal != nil || x.absent() || x.route.newBody == nil || x.known() {
		return
	}
	if x.refusal = x.readBody(w); x.refusal != nil {
		return
	}
	if x.body.Len() > 0 && !wire.JSONRequest(x.req.Header.Get("Content-Type")) {
		x.refusal = unsupported(x.req.Header.Get("Content-Type"))
		return
	}
	x.value = x.route.newBody(x.settings())
	res := wire.Decode(x.body.Bytes(), x.value, x.options())
	x.refusal, x.call.Findings = res.Err, res.Findings
	x.call.Exchange.Request.Body = x.body.Bytes()
	if x.route.idempotent {
		x.digest()
	}
	x.judgeCredentials()
	wire.Mask(x.body.Bytes(), res.Spans)
}

// absent says, and notes, that the ledger's choices leave out this route or
// this spelling of its path.
func (x *exchange) absent() bool {
	s := x.settings()
	hidden := x.route.unless != 0 && s.Is(x.route.unless)
	if hidden || s.Is(latitude.PathsReferenceOnly) && x.call.Exchange.Path != x.req.URL.EscapedPath() {
		x.refusal = x.api.unknownPath(x.req)
		x.route = nil
		x.call.Exchange.Operation = ""
		return true
	}
	return false
}

// known says whether the token alone already refuses the caller; the body of
// such a request is not read. Whether a token has expired or been revoked is
// known under the lock only.
func (x *exchange) known() bool {
	switch x.caller.Verdict {
	case tape.AuthValid, tape.AuthExpired, tape.AuthRevoked:
		return false
	default:
		return !x.route.Open
	}
}

// readBody reads at most MaxBody bytes.
func (x *exchange) readBody(w http.ResponseWriter) *world.Error {
	x.body.Reset()
	_, err := x.body.ReadFrom(http.MaxBytesReader(w, x.req.Body, MaxBody))
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		return tooLarge(x.req.ContentLength)
	case err != nil && !errors.Is(err, io.EOF):
		return incomplete(x.body.Len())
	}
	return nil
}

// act runs under the lock: the last word on the caller, the endpoint, and the
// answer's bytes.
func (x *exchange) act(w *world.World, _ *integration.Call) {
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
	if !x.route.idempotent {
		return x.route.run(w, &x.in, x.value)
	}
	return x.once(w)
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
		tape.Header{Name: "Sandbox-Time", Value: x.call.Time.Format(time.RFC3339)},
		tape.Header{Name: "X-Request-Id", Value: x.requestID()})
	if x.route != nil && x.route.Surface != "spec" {
		h = append(h, tape.Header{Name: "Sandbox-Surface", Value: string(x.route.Surface)})
	}
	if x.trouble.label != "" {
		h = append(h, tape.Header{Name: fault.Header, Value: x.trouble.label})
	}
	return h
}

// digest is remembered with an idempotency key to tell a repeated request from
// another one.
func (x *exchange) digest() { x.sum = sha256.Sum256(x.body.Bytes()) }
