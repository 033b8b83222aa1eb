package control

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/secret"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/wire"
	"paysandbox/mockserver/world"
)

// exchange is one call on its way through the control API.
type exchange struct {
	control *Control
	route   *route
	again   *integration.Again
	writer  http.ResponseWriter
	req     *http.Request
	vars    map[string]string
	query   url.Values

	on    *integration.Integration
	call  integration.Call
	body  []byte
	value any
	// memo is what prepare leaves for act.
	memo any
	// refusal is what reading the request came to. An unread body was not taken
	// in, so the call does not reach the tape.
	refusal error
	unread  bool

	status int
	header []tape.Header
	out    []byte
	// taped is the answer without its secrets; nil when there are none.
	taped []byte
	// streamed is true when the endpoint has written the answer itself.
	streamed bool
}

// handler answers the requests of one route.
type handler struct {
	control *Control
	route   *route
}

// ServeHTTP answers one request of the route.
func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := &exchange{control: h.control, route: h.route, writer: w, req: r, vars: vars(r)}
	x.again = integration.AgainFrom(r.Context())
	x.query, x.refusal = readQuery(r)
	if err := x.find(); err != nil {
		x.answer(nil, err)
		x.write()
		return
	}
	x.begin()
	x.read()
	switch {
	case h.route.act != nil && !x.unread:
		x.input()
	case x.refusal != nil:
		x.answer(nil, x.refusal)
		x.write()
	default:
		x.look()
	}
}

// find tells which integration is meant; a call that is played again is played
// where the replay is.
func (x *exchange) find() error {
	switch id, named := x.vars["i"]; {
	case x.again != nil:
		x.on = x.again.Integration
	case named:
		if x.on = x.control.opts.Registry.Get(id); x.on == nil {
			return &kernel.Error{Code: kernel.NotFound, Detail: "no integration " + clip(id) + "; GET " + Prefix + "/integrations lists them"}
		}
	}
	return nil
}

// begin fills in what the request line and headers tell.
func (x *exchange) begin() {
	r := x.req
	x.call = integration.Call{Kind: tape.KindControl}
	e := &x.call.Exchange
	e.Operation, e.Method, e.Path, e.Query = x.route.ID, r.Method, r.URL.EscapedPath(), secret.Query(r.URL.RawQuery)
	e.Request.Header = captured(r)
	if x.on != nil {
		x.call.Base = wire.PageBase(r, x.vars["i"])
	}
	if id := x.vars["id"]; id != "" {
		x.call.Entities = []string{id}
	}
	if x.again != nil {
		x.call.At = x.again.At
	}
}

// read takes in the body and decodes it, before any lock.
func (x *exchange) read() {
	if x.refusal != nil || x.route.newBody == nil {
		return
	}
	if x.body, x.refusal = x.readBody(); x.refusal != nil {
		x.unread = true
		return
	}
	if len(x.body) == 0 && x.route.bodyOptional {
		x.value = x.route.newBody()
		return
	}
	if media := x.req.Header.Get("Content-Type"); len(x.body) > 0 && !wire.JSONRequest(media) {
		x.refusal, x.unread = unsupported(media), true
		return
	}
	x.decode()
}

// readBody reads at most MaxBody bytes.
func (x *exchange) readBody() ([]byte, error) {
	var b bytes.Buffer
	_, err := b.ReadFrom(http.MaxBytesReader(x.writer, x.req.Body, MaxBody))
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		return nil, tooLarge(x.req.ContentLength)
	case err != nil && !errors.Is(err, io.EOF):
		return nil, incomplete(b.Len())
	}
	return b.Bytes(), nil
}

// options are the same for every body: this is the sandbox's own API, so what
// it does not know is refused.
var options = wire.Options{RefuseUnknown: true, UnknownClause: "control.unknown-member"}

// decode reads the body and masks its secrets. A number that chooses an outcome
// is taken from the masked body, so that a replay sees what was seen live.
func (x *exchange) decode() {
	x.value = x.route.newBody()
	res := wire.Decode(x.body, x.value, options)
	if x.route.keep != nil {
		maskNumbers(x.body, res.Spans, x.route.keep)
		x.value = x.route.newBody()
		res = wire.Decode(x.body, x.value, options)
	} else {
		secret.Mask(x.body, res.Spans)
	}
	x.call.Exchange.Request.Body = x.body
	switch {
	case res.Err != nil:
		x.refusal = res.Err
	case x.route.judged:
		x.call.Findings = res.Findings
	case res.Refused():
		x.refusal = badBody(res.Findings)
	}
}

// input takes the call through Do: it goes on the tape, refused or not.
func (x *exchange) input() {
	if x.refusal == nil && x.route.prepare != nil {
		x.refusal = x.route.prepare(x, x.value)
	}
	batch := x.on.Do(&x.call, x.act)
	x.write()
	if !batch.Empty() {
		_ = http.NewResponseController(x.writer).Flush()
	}
	x.on.Send(batch)
}

// act runs under the integration's lock.
func (x *exchange) act(w *world.World, _ *integration.Call) {
	if x.refusal != nil {
		x.answer(nil, x.refusal)
	} else {
		x.answer(x.route.act(w, x, x.value))
	}
	body := x.out
	if x.taped != nil {
		body = x.taped
	}
	x.call.Exchange.Response = tape.Response{Status: x.status, Header: x.header, Body: body}
}

// look runs a call that leaves no trace.
func (x *exchange) look() {
	if x.route.read != nil {
		x.answer(x.route.read(x, x.on, x.value))
	} else {
		x.answer(x.route.free(x, x.value))
	}
	if !x.streamed {
		x.write()
	}
}

// world looks at a world without leaving a trace.
func (x *exchange) world(i *integration.Integration, run func(w *world.World)) {
	c := integration.Call{Silent: true, At: x.call.At}
	batch := i.Do(&c, func(w *world.World, _ *integration.Call) { run(w) })
	i.Send(batch)
}

// param gives a path parameter.
func (x *exchange) param(name string) string { return x.vars[name] }

// about adds ids that the call has turned out to be about.
func (x *exchange) about(ids ...string) {
	for _, id := range ids {
		if id != "" && !strings.EqualFold(id, x.param("id")) {
			x.call.Entities = append(x.call.Entities, id)
		}
	}
}
