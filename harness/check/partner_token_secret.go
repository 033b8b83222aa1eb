package check

import (
	"strings"

	"paysandbox/mockserver/tape"
)

// secretNames are parameters that hold a credential, in lower case and without
// dashes and underscores.
var secretNames = map[string]bool{
	"clientsecret": true, "secret": true, "accesstoken": true, "token": true, "bearer": true, "bearertoken": true, "jwt": true,
	"authorization": true, "authtoken": true, "apikey": true, "password": true,
}

// jwtForm is a token as it would stand in an address.
var jwtForm = lazy(`eyJ[A-Za-z0-9_-]{6,}(\.|%2[eE])[A-Za-z0-9_-]{4,}(\.|%2[eE])[A-Za-z0-9_-]{4,}`)

// outOfURLs looks at the addresses of all calls.
func outOfURLs(t *Tape) []Verdict {
	var y tally
	var bad offences
	for e := range t.of(tape.KindExchange) {
		if what := exposed(e.Exchange); what != "" {
			bad.add(what, e.Seq)
		} else {
			y.ok(e.Seq)
		}
	}
	bad.fail(&y, "tokens in the header Authorization, and credentials in the body of the token call", "addresses are written to logs everywhere: move it, and take a new secret into use")
	y.stubs(t, tape.KindExchange)
	return y.exercised("make any call")
}

// exposed says what of an address should not be there, without repeating it.
func exposed(x *tape.Exchange) string {
	for part := range strings.SplitSeq(x.Query, "&") {
		name, value, _ := strings.Cut(part, "=")
		plain := strings.NewReplacer("-", "", "_", "", "%5F", "", "%5f", "").Replace(strings.ToLower(name))
		if value != "" && secretNames[plain] {
			return "the parameter " + show([]byte(name))
		}
	}
	if jwtForm().MatchString(x.Path) || jwtForm().MatchString(x.Query) {
		return "an access token"
	}
	return ""
}

// serverSide looks for what only browsers send with the token call.
func serverSide(t *Tape) []Verdict {
	const want = "a token call by a server"
	const hint = "call the service from your server only: whoever opens the page has the client secret; take a new one into use"
	var y tally
	for e := range t.of(tape.KindExchange) {
		x := e.Exchange
		if !tokenCall(x.Operation) || ownPage(x) { // which the documentation has to try things
			continue
		}
		origin, _ := header(x.Request.Header, "Origin")
		site, _ := header(x.Request.Header, "Sec-Fetch-Site")
		referer, _ := header(x.Request.Header, "Referer")
		switch {
		case strings.Contains(origin, "://"):
			y.fail(want, "one with Origin: "+show([]byte(origin)), hint, e.Seq)
		case site != "":
			y.fail(want, "one with Sec-Fetch-Site: "+show([]byte(site)), hint, e.Seq)
		case strings.Contains(referer, "://"):
			y.fail(want, "one with Referer: "+show([]byte(referer)), hint, e.Seq)
		default: // Sec-Fetch-Mode alone is sent by the fetch of servers too
			y.ok(e.Seq)
		}
	}
	y.stubs(t, tape.KindExchange)
	return y.exercised("fetch a token")
}
