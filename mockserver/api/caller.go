package api

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"paysandbox/mockserver/door"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/wire"
	"paysandbox/mockserver/world"
)

// identify tells who is calling. A request that is played again has been judged
// before. A caller may name the integration that it means to speak to in the
// header Sandbox-Integration: a token of another one is then foreign, and a
// request without a token goes on the tape of the one named.
func (x *exchange) identify() integration.Caller {
	if x.Again != nil {
		return x.Again.Caller()
	}
	reg := x.api.opts.Registry
	c := reg.Authenticate(wire.Sent(x.Req, "Authorization"))
	named := wire.Sent(x.Req, "Sandbox-Integration")
	if named == "" {
		return c
	}
	meant := reg.Get(named)
	if meant == nil || meant == c.Integration {
		return c
	}
	if c.Verdict == tape.AuthValid {
		c.Verdict = tape.AuthForeign
	}
	c.Integration = meant
	return c
}

// capturedHeaders are the request headers that go on the tape, in this order.
var capturedHeaders = []string{
	"Content-Type", "Accept", "User-Agent", "Idempotency-Key", "Origin", "Referer", "Sec-Fetch-Site", "Sec-Fetch-Mode", "Sandbox-World",
	"Sandbox-Fault", "Sandbox-Integration",
	"Traceparent", "Sandbox-Label", "X-Request-Id", "X-Forwarded-Proto", "X-Forwarded-Host",
}

// admission is how a route tells who calls.
type admission interface {
	// reads says whether the body is worth reading, as far as the headers tell.
	reads(x *exchange) bool
	// bodies is what is taken of a body.
	bodies() *door.Bodies
	// address finds whose call it is after all, by a body that was taken in.
	address(x *exchange)
	// makes says whether a call with the method would make something that is kept.
	makes(method string) bool
	// strike makes a control token in a body unreadable, before the body is decoded.
	strike(x *exchange, body []byte)
	// judge looks at the body once it has been decoded, before its secrets are masked.
	judge(x *exchange)
	// verdict is the last word on the caller, under the lock.
	verdict(x *exchange, w *world.World) string
	// stranger says whether it is known before the lock that nobody knows who calls.
	stranger(x *exchange) bool
}

// byToken tells the caller by the access token in the header, as nearly all routes
// do. Whether it has expired or been revoked is known under the lock only.
type byToken struct{}

// A large body is not read for a token that is not good any more.
func (byToken) reads(x *exchange) bool {
	switch x.caller.Verdict {
	case tape.AuthValid:
		n := x.Req.ContentLength
		small := 0 <= n && n <= smallBody
		return x.route != nil && (small || x.Again != nil || x.caller.Present() == tape.AuthValid)
	case tape.AuthExpired, tape.AuthRevoked:
		return x.route != nil
	default:
		return false
	}
}

// smallBody is what is read without a look at whether the token is still good, in
// bytes.
const smallBody = 64 << 10

func (byToken) bodies() *door.Bodies { return &bodies }

func (byToken) address(*exchange) {}

func (byToken) makes(method string) bool { return method != http.MethodGet }

func (byToken) strike(x *exchange, body []byte) {
	if tokens := x.api.opts.Tokens; tokens != nil {
		copy(body, tokens.Body(body)) // as long as it was
	}
}

func (byToken) judge(*exchange) {}

func (byToken) verdict(x *exchange, w *world.World) string { return x.caller.Standing(w) }

func (byToken) stranger(x *exchange) bool { return x.caller.Verdict != tape.AuthValid }

// query reads the query string; what cannot be read is left out.
func query(r *http.Request) url.Values {
	if r.URL.RawQuery == "" {
		return nil
	}
	v, _ := url.ParseQuery(r.URL.RawQuery)
	return v
}

// foldedArg finds a query parameter whatever its letter case; of several
// spellings the first in byte order counts.
func foldedArg(q url.Values, name string) string {
	for _, known := range slices.Sorted(maps.Keys(q)) {
		if strings.EqualFold(known, name) {
			return q[known][0]
		}
	}
	return ""
}
