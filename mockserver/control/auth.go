package control

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"

	"paysandbox/mockserver/door"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/kernel"
)

// keptOut refuses a caller who may not call: without the control token where there
// is one, and where there is none from elsewhere than this machine (a web page of
// another origin can give its own name this machine's address). A request that is
// played again has been judged before.
func (c *Control) keptOut(r *http.Request) *kernel.Error {
	switch {
	case isReady(r) || integration.AgainFrom(r.Context()) != nil:
		return nil
	case c.opts.Token != "" && !c.hasToken(r):
		return unauthorised()
	case c.opts.Token == "" && (!door.ThisMachine(r.Host) || door.CrossSite(r)):
		return notFromHere()
	default:
		return nil
	}
}

func (c *Control) hasToken(r *http.Request) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	given, right := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(c.opts.Token))
	return subtle.ConstantTimeCompare(given[:], right[:]) == 1 && strings.EqualFold(scheme, "Bearer")
}

// unauthorised is the one answer to every caller without the control token.
func unauthorised() *kernel.Error {
	return &kernel.Error{
		Code:   kernel.Unauthorised,
		Detail: "the control API needs the control token that the sandbox printed when it started: send it as Authorization: Bearer <token>",
	}
}

// notFromHere is the refusal of a call from outside.
func notFromHere() *kernel.Error {
	return &kernel.Error{
		Code: kernel.Forbidden,
		Detail: "without a control token the control API answers only programs of this machine that call it by a loopback address; " +
			"start the sandbox with --control-token to call it from elsewhere",
	}
}

// isReady says whether a request asks for the one call that is always open.
func isReady(r *http.Request) bool {
	return strings.TrimSuffix(r.URL.Path, "/") == Prefix+"/ready" && (r.Method == http.MethodGet || r.Method == http.MethodHead)
}
