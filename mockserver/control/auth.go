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
func (c *Control) keptOut(r *http.Request, looks bool) *kernel.Error {
	switch {
	case isReady(r) || integration.AgainFrom(r.Context()) != nil:
		return nil
	case looks && r.Method != http.MethodGet && r.Method != http.MethodHead:
		return looksOnly()
	case looks:
		return nil
	case c.opts.Token != "" && !bears(r, c.opts.Token):
		return unauthorised()
	case c.opts.Token == "" && (!door.ThisMachine(r.Host) || door.CrossSite(r)):
		return notFromHere()
	default:
		return nil
	}
}

// looks says whether the caller has shown the token of those who only look.
func (c *Control) looks(r *http.Request) bool {
	return c.opts.ReadToken != "" && bears(r, c.opts.ReadToken)
}

// bears says whether a request shows a token.
func bears(r *http.Request, right string) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	given, want := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(right))
	return subtle.ConstantTimeCompare(given[:], want[:]) == 1 && strings.EqualFold(scheme, "Bearer")
}

// unauthorised is the one answer to every caller without the control token.
func unauthorised() *kernel.Error {
	return &kernel.Error{
		Code:   kernel.Unauthorised,
		Detail: "the control API needs the control token that the sandbox printed when it started: send it as Authorization: Bearer <token>",
	}
}

// looksOnly is the refusal of a call that would move something.
func looksOnly() *kernel.Error {
	return &kernel.Error{
		Code:   kernel.Forbidden,
		Detail: "the read-only token may look (GET) and move nothing: this call wants the control token",
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
