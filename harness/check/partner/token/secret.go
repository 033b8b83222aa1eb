package token

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// secretNames are parameters that hold a credential, in lower case and without
// dashes and underscores.
var secretNames = map[string]bool{
	"clientsecret": true, "secret": true, "accesstoken": true, "token": true, "bearer": true, "bearertoken": true, "jwt": true,
	"authorization": true, "authtoken": true, "apikey": true, "password": true, "auth": true, "idtoken": true, "refreshtoken": true,
	"apitoken": true, "secretkey": true, "pwd": true, "passwd": true, "credentials": true,
}

// tokenPaths are the addresses of the token call, in lower case.
var tokenPaths = []string{"/authentication/token", "/auth/token"}

// jwtForm is a token as it would stand in an address or a header.
var jwtForm = trail.Pattern(`eyJ[A-Za-z0-9_-]{6,}(\.|%2[eE])[A-Za-z0-9_-]{4,}(\.|%2[eE])[A-Za-z0-9_-]{4,}`)

// struckSecret stands in a header on the tape where an application has sent a secret of
// the integration's own.
const struckSecret = "[secret]"

// secretsOutOfURLs looks at the addresses of all calls, and at the headers that are written to
// logs as they are.
func secretsOutOfURLs(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	var bad verdict.Offences
	for e := range t.Of(tape.KindExchange) {
		if what := exposed(e.Exchange); what != "" {
			bad.Add(what+" of "+e.Exchange.Method+" "+withoutTokens(e.Exchange.Path), e.Seq)
		} else {
			y.Holds(e.Seq)
		}
	}
	bad.Fail(&y, "tokens in the header Authorization, and credentials in the body of the token call")
	t.Omitted(&y, tape.KindExchange)
	return y.Exercised()
}

// withoutTokens is a path without a token that stands in it.
func withoutTokens(path string) string {
	return trail.Show([]byte(jwtForm().ReplaceAllString(path, "•••")))
}

// exposed says what should not stand in the address of a call, in the one that it
// comes from or in a header, and where, without repeating it; empty for nothing.
func exposed(x *tape.Exchange) string {
	referer, _ := trail.Header(x.Request.Header, "Referer")
	_, query, _ := strings.Cut(referer, "?")
	if what := credentialIn(query); what != "" || jwtForm().MatchString(referer) {
		return cmp.Or(what, "an access token") + " in the Referer"
	}
	if what := credentialIn(x.Query); what != "" {
		return what + " in the address"
	}
	if jwtForm().MatchString(x.Path) || jwtForm().MatchString(x.Query) {
		return "an access token in the address"
	}
	for _, h := range x.Request.Header {
		switch {
		case strings.Contains(h.Value, struckSecret):
			return "a secret of the integration in the header " + h.Name
		case strings.Contains(h.Value, "eyJ") && jwtForm().MatchString(h.Value):
			return "an access token in the header " + h.Name
		}
	}
	return ""
}

// bare takes a name's dashes away, written in whatever way.
var bare = strings.NewReplacer("-", "", "_", "", "%5F", "", "%5f", "")

// credentialIn names a parameter of a query that holds a credential, "" for none.
func credentialIn(query string) string {
	for part := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(part, "=")
		plain := bare.Replace(strings.ToLower(name))
		if value != "" && secretNames[plain] {
			return "the parameter " + trail.Show([]byte(name))
		}
	}
	return ""
}

// telephones are what the clients of telephones send, in lower case. A server may be
// tried out on a machine that has them too.
var telephones = []string{"cfnetwork/", "dalvik/", "(iphone", "(ipad", "android"}

// serverSideTokens looks for what only browsers send with the token call, or before it: a
// page asks first whether it may, and is told that it may not.
func serverSideTokens(t *trail.Trail) []verdict.Judgement {
	const want = "a token call by a server"
	var y verdict.Tally
	for e := range t.Of(tape.KindExchange) {
		x := e.Exchange
		origin, _ := trail.Header(x.Request.Header, "Origin")
		asks := x.Method == http.MethodOptions && origin != "" && slices.Contains(tokenPaths, strings.ToLower(x.Path))
		if !trail.OperationOf(x).Token && !asks || trail.OwnPage(x) { // which the documentation has to try things
			continue
		}
		site, _ := trail.Header(x.Request.Header, "Sec-Fetch-Site")
		referer, _ := trail.Header(x.Request.Header, "Referer")
		agent, _ := trail.Header(x.Request.Header, "User-Agent")
		agent = strings.ToLower(agent)
		switch {
		case asks:
			y.Fail(want, "a page of "+trail.Show([]byte(origin))+" that asks whether it may make one", e.Seq)
		case strings.Contains(origin, "://"):
			y.Fail(want, "one with Origin: "+trail.Show([]byte(origin)), e.Seq)
		case site != "":
			y.Fail(want, "one with Sec-Fetch-Site: "+trail.Show([]byte(site)), e.Seq)
		case strings.Contains(referer, "://"):
			y.Fail(want, "one with Referer: "+trail.Show([]byte(referer)), e.Seq)
		case slices.ContainsFunc(telephones, func(sign string) bool { return strings.Contains(agent, sign) }):
			y.ReviewAs("telephone", "a token call with the User-Agent of a telephone", e.Seq)
		default: // Sec-Fetch-Mode alone is sent by the fetch of servers too
			y.Holds(e.Seq)
		}
	}
	t.Omitted(&y, tape.KindExchange)
	return y.Exercised()
}
