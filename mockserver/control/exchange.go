package control

import (
	"bytes"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"paysandbox/mockserver/door"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/wire"
	"paysandbox/mockserver/world"
)

// exchange is one call on its way through the control API.
type exchange struct {
	door.Exchange
	control *Control
	// route is what is called; at are the routes of its path, whatever their methods.
	route *route
	at    []*route
	query url.Values
	value any
	// memo is what prepare leaves for act.
	memo any
	// looks is true for a caller with the read-only token: it is shown no secrets.
	looks bool
	// refusal is what reading the request came to.
	refusal error
	// allow lists the methods of a path that was called with another one.
	allow []string
	// taped is the answer without its secrets; nil when there are none.
	taped []byte
	// streamed is true when the endpoint has written the answer itself.
	streamed bool
}

// Identify finds the integration that is meant; a call that is played again is
// played where the replay is.
func (x *exchange) Identify() {
	e := &x.Call.Exchange
	if x.refusal == nil {
		e.Path = strings.TrimSuffix(e.Path, "/")
	}
	if x.route == nil {
		x.nowhere()
		return
	}
	e.Operation = x.route.ID
	x.query, x.refusal = readQuery(x.Req)
	switch id := x.Param("i"); {
	case x.Again != nil:
		x.On = x.Again.Integration
	case id != "":
		if x.On = x.control.opts.Registry.Find(id); x.On == nil {
			x.refusal = &kernel.Error{Code: kernel.NotFound, Detail: "no integration " + door.Clip(id) + "; GET " + Prefix + "/integrations lists them"}
		}
	}
	if x.On != nil {
		x.Call.Base = wire.PageBase(x.Req, x.Param("i"))
	}
	if id := x.Param("id"); id != "" {
		x.Call.Entities = []string{id}
	}
}

// nowhere refuses a call that no route takes, unless it is refused already.
func (x *exchange) nowhere() {
	if x.refusal != nil {
		return
	}
	x.refusal, x.allow = x.control.table.Refuse(x.Req.Method, x.Call.Exchange.Path, x.at, nil)
}

// bodies is what this API takes.
var bodies = door.Bodies{
	Limit: MaxBody, Rule: "control", Media: "application/json, in UTF-8", Source: kernel.Assumed, Smaller: "send a smaller body",
}

// Limit leaves the body of a call that is refused already.
func (x *exchange) Limit() int64 {
	if x.refusal != nil || x.route.Endpoint.newBody == nil {
		return 0
	}
	return bodies.Limit
}

// Decode reads the body. A call whose body was not taken in does not reach the
// tape.
func (x *exchange) Decode() {
	x.Untaped = x.route == nil || x.route.Endpoint.act == nil
	if x.refusal != nil || x.route.Endpoint.newBody == nil {
		return
	}
	media := x.Req.Header.Get("Content-Type")
	optional := x.omitted()
	if x.full() {
		x.Unread.Why = door.Full
	} else if x.Unread.Why == "" && x.Body.Len() > 0 && !wire.JSONRequest(media) {
		x.Unread.Why = door.WrongMedia
	}
	if e := bodies.Refuse(x.Unread, media); e != nil {
		x.refusal, x.Untaped = e, true
		return
	}
	if x.value = x.route.Endpoint.newBody(); !optional {
		x.refusal = x.decode()
	}
	if x.route.Endpoint.empty && x.refusal == nil {
		x.Call.Exchange.Request.Body, x.Call.Whole = nil, nil // it says nothing
	}
	if prepare := x.route.Endpoint.prepare; x.refusal == nil && prepare != nil {
		x.refusal = prepare(x, x.value)
	}
}

// full says whether the call would make another one of something where nothing more can be kept.
func (x *exchange) full() bool {
	return x.Unread.Why == "" && x.Again == nil && x.route.Endpoint.another && x.control.opts.Registry.Budget().Spent()
}

// omitted says whether nothing is sent where nothing has to be: null is how clients write it.
func (x *exchange) omitted() bool {
	e := &x.route.Endpoint
	return e.bodyOptional && (x.Body.Len() == 0 || e.empty && bytes.Equal(x.Body.Bytes(), []byte("null")))
}

// options are the same for every body: this is the sandbox's own API, so what
// it does not know is refused.
var options = wire.Options{RefuseUnknown: true, UnknownClause: "control.unknown-member"}

// decode reads the body and masks its secrets. A number that chooses an outcome
// is taken from the masked body, so that a replay sees what was seen live. What has the form
// of personal data the call does not see either, so that an Order has no need of it.
func (x *exchange) decode() error {
	body, e := x.Body.Bytes(), &x.route.Endpoint
	if e.tells { // before it is read, so that what is told of it is told again
		wire.MaskFree(body)
	}
	res := wire.Decode(body, x.value, options)
	if e.keep != nil {
		res.Strike(body)
		maskNumbers(body, res.Spans, e.keep)
		x.value = e.newBody()
		res = wire.Decode(body, x.value, options)
	} else {
		res.Strike(body)
		if x.On != nil && x.On.Ordered() {
			x.Call.Whole = bytes.Clone(body)
		}
		res.Mask(body)
	}
	x.Call.Exchange.Request.Body = body
	switch {
	case res.Err != nil:
		return res.Err
	case !e.judged && res.Refused():
		return badBody(res.Findings)
	}
	x.Call.Findings = slices.DeleteFunc(res.Findings, func(f kernel.Finding) bool {
		if f.Clause == wire.ClausePersonal {
			x.Call.Advice = append(x.Call.Advice, f)
		}
		return f.Clause == wire.ClausePersonal
	})
	return nil
}

// Act runs the endpoint: under the integration's lock where it changes a world.
func (x *exchange) Act(w *world.World, _ *integration.Call) {
	switch e := x.refusal; {
	case e != nil:
		x.answer(nil, e)
	case w != nil:
		x.answer(x.route.Endpoint.act(w, x, x.value))
	default:
		x.answer(x.route.Endpoint.look(x, x.On, x.value))
	}
	if w != nil {
		x.Warn(w.Advisories())
	}
	body := x.Out
	if x.taped != nil {
		body = x.taped
	}
	x.Call.Exchange.Response = tape.Response{Status: x.Status, Header: x.Header, Body: body}
}

// Send sends the answer.
func (x *exchange) Send(flush bool) {
	if !x.streamed {
		x.Write(x.Writer, flush)
	}
}

const jsonType = "application/json; charset=utf-8"

// hidden stands for a secret in what goes on the tape.
const hidden = "••••"

// secretive is an answer that must not go on the tape, or to those who only look, as
// it is.
type secretive interface {
	// masked gives the answer with its secrets hidden.
	masked() any
}

// answer makes the response's status, headers and bytes.
func (x *exchange) answer(v any, err error) {
	x.Number()
	if err != nil {
		x.fail(x.Refusal(err))
		return
	}
	x.Status = http.StatusOK
	if _, none := v.(door.Empty); none {
		return
	}
	if s, ok := v.(secretive); ok {
		if x.looks {
			v = s.masked()
		} else if !x.Untaped {
			x.taped = wire.Append(nil, s.masked(), wire.Shape{})
		}
	}
	x.Say(jsonType, wire.Append(nil, v, wire.Shape{}))
}

// fail answers with a refusal.
func (x *exchange) fail(e *kernel.Error) {
	status := wire.Status(e.Code)
	if status == http.StatusUnauthorized {
		x.Put("Www-Authenticate", "Bearer")
	}
	if status == http.StatusServiceUnavailable {
		x.Put("Retry-After", "1")
	}
	if x.allow != nil {
		x.Put("Allow", strings.Join(x.allow, ", "))
	}
	x.Problem(e, status)
}

// about adds ids that the call has turned out to be about.
func (x *exchange) about(ids ...string) {
	for _, id := range ids {
		if id != "" && !strings.EqualFold(id, x.Param("id")) {
			x.Call.Entities = append(x.Call.Entities, id)
		}
	}
}
