package api

import (
	"crypto/sha256"
	"errors"
	"net/http"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/secret"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/wire"
)

// read takes in the body and decodes it, before the lock.
func (x *exchange) read(w http.ResponseWriter) {
	if x.refusal != nil {
		return
	}
	if x.route.Open {
		x.refusal = x.readBody(w)
		x.address()
	}
	if x.absent() || x.refusal != nil || x.route.newBody == nil || x.known() {
		return
	}
	if !x.route.Open {
		x.refusal = x.readBody(w)
	}
	if x.refusal != nil {
		return
	}
	if x.refusal = x.mediaRefusal(); x.refusal != nil {
		return
	}
	if x.value == nil {
		x.value = x.route.newBody(x.settings())
		x.decoded = wire.Decode(x.body.Bytes(), x.value, x.options())
	}
	res := &x.decoded
	x.refusal, x.call.Findings = res.Err, res.Findings
	x.call.Exchange.Request.Body = x.body.Bytes()
	x.judgeCredentials()
	secret.Mask(x.body.Bytes(), res.Spans)
	if x.route.idempotent { // of the masked body: the tape has no other, and a replay must come to the same
		x.sum = sha256.Sum256(x.body.Bytes())
	}
}

// absent says, and notes, that the ledger's choices leave out this route or
// this spelling of its path.
func (x *exchange) absent() bool {
	s := x.settings()
	if !x.route.hidden(s) && (!s.Is(latitude.PathsReferenceOnly) || x.route.exactly(segmented(x.req))) {
		return false
	}
	x.route, x.call.Exchange.Operation = nil, ""
	x.refusal = x.noOperation()
	return true
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
func (x *exchange) readBody(w http.ResponseWriter) *kernel.Error {
	x.body.Reset()
	var err error
	why, n := x.unreadBefore()
	if why == "" {
		n, err = x.body.ReadFrom(http.MaxBytesReader(w, x.req.Body, MaxBody))
	}
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		why, n = unreadTooLarge, x.req.ContentLength
	case err != nil:
		why = unreadBroken
	}
	switch why {
	case unreadTooLarge:
		x.unread(why, n)
		return tooLarge(n)
	case unreadBroken:
		x.unread(why, n)
		return incomplete(n)
	}
	return nil
}

// mediaRefusal refuses a body that does not say it is JSON.
func (x *exchange) mediaRefusal() *kernel.Error {
	why, _ := x.unreadBefore()
	media := x.req.Header.Get("Content-Type")
	if why != unreadMedia && (x.body.Len() == 0 || wire.JSONRequest(media)) {
		return nil
	}
	x.unread(unreadMedia, 0)
	return unsupported(media)
}
