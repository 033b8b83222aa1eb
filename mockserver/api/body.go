package api

import (
	"crypto/sha256"
	"strconv"
	"strings"

	"paysandbox/mockserver/door"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/wire"
)

// bodies is what this API takes.
var bodies = door.Bodies{
	Limit: MaxBody, Rule: "request", Media: "application/json, text/json or application/*+json, in UTF-8", Source: kernel.Spec,
	Smaller: "send a smaller attachment, or its address instead",
}

// Limit leaves the body of a call that nobody will act upon.
func (x *exchange) Limit() int64 {
	x.reading = x.row != nil && x.row.Endpoint.newBody != nil && x.row.Endpoint.caller.reads(x)
	if !x.reading {
		return 0
	}
	return x.row.Endpoint.caller.bodies().Limit
}

// Decode takes in the body, unless it was left.
func (x *exchange) Decode() {
	if x.reading {
		x.take()
	}
	x.meetClaim()
	anew := x.Again == nil || x.Again.Judged != nil
	x.Call.Stranger = anew && x.admission().stranger(x)
	if x.Call.Judged = x.caller.Judged(); x.credentials {
		x.Call.Judged.Auth = tape.AuthCredentialsOK
	}
}

// admission is how the operation tells who calls, by token where there is none.
func (x *exchange) admission() admission {
	if x.row == nil {
		return byToken{}
	}
	return x.row.Endpoint.caller
}

// take reads the body into what the operation wants.
func (x *exchange) take() {
	media := wire.Sent(x.Req, "Content-Type")
	switch {
	case x.Again != nil:
		x.Unread = x.unreadBefore()
	case x.Unread.Why == "" && x.row.Endpoint.caller.makes(x.row.Method) && x.api.opts.Registry.Budget().Spent():
		x.Unread = door.Unread{Why: door.Full}
	case x.Unread.Why == "" && x.Body.Len() > 0 && !wire.JSONRequest(media):
		x.Unread = door.Unread{Why: door.WrongMedia}
	}
	if x.Unread.Why == "" || x.Unread.Why == door.WrongMedia {
		x.row.Endpoint.caller.address(x)
	}
	if x.refusal != nil {
		return
	}
	if x.refusal = x.row.Endpoint.caller.bodies().Refuse(x.Unread, media); x.refusal != nil {
		x.noteUnread()
		return
	}
	x.decode()
}

// decode reads the body, and masks its secrets.
func (x *exchange) decode() {
	body, e := x.Body.Bytes(), &x.route.Endpoint
	e.caller.strike(x, body)
	if x.value == nil {
		x.value = e.newBody(x.settings())
		x.decoded = wire.Decode(body, x.value, x.options())
	}
	x.refusal, x.Call.Findings = x.decoded.Err, x.decoded.Findings
	x.Call.Exchange.Request.Body = body
	e.caller.judge(x)
	x.decoded.Mask(body)
	var told []kernel.Finding
	x.Call.Passing, told = wire.Addresses(body)
	x.Call.Advice = append(x.Call.Advice, told...)
	if e.idempotent { // of the masked body: the tape has no other, and a replay must come to the same
		x.sum = sha256.Sum256(body)
	}
}

// unreadHeader tells on the tape why the body was not read, and how many bytes
// tell it. That comes from outside, so a replay takes it from there.
const unreadHeader = "Sandbox-Unread"

func (x *exchange) noteUnread() {
	h := &x.Call.Exchange.Request.Header
	*h = append(*h, tape.Header{Name: unreadHeader, Value: string(x.Unread.Why) + " " + strconv.FormatInt(x.Unread.Bytes, 10)})
}

func (x *exchange) unreadBefore() door.Unread {
	why, count, _ := strings.Cut(wire.Sent(x.Req, unreadHeader), " ")
	n, _ := strconv.ParseInt(count, 10, 64)
	return door.Unread{Why: door.Why(why), Bytes: n}
}

// options turns the ledger's choices into the way in which a body is read.
func (x *exchange) options() wire.Options {
	s := x.settings()
	o := wire.Options{
		CamelOnly:     s.Is(latitude.RequestNamesCamelOnly),
		NumberStrings: s.Is(latitude.NumberStringsAccepted),
		RefuseUnknown: s.Is(latitude.UnknownBodyFieldsRefused),
	}
	if x.row.Endpoint.strictBody != "" {
		o.RefuseUnknown, o.UnknownClause, o.UnknownSource = true, x.row.Endpoint.strictBody, kernel.Spec
	}
	return o
}
