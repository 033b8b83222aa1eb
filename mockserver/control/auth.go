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

// admits says whether the caller may call. A request that is played again has
// been judged before.
func (c *Control) admits(r *http.Request) bool {
	if c.opts.Token == "" || isReady(r) || integration.AgainFrom(r.Context()) != nil {
		return true
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	given, right := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(c.opts.Token))
	return subtle.ConstantTimeCompare(given[:], right[:]) == 1 && strings.EqualFold(scheme, "Bearer")
}

// fromOutside says whether an open control API is called from where it must not
// be: by a web page of another origin, or under a name that is not this
// machine's (a page can give its own name this machine's address). A control
// API with a token has the token for that.
func (c *Control) fromOutside(r *http.Request) bool {
	if c.opts.Token != "" || isReady(r) || integration.AgainFrom(r.Context()) != nil {
		return false
	}
	return !door.ThisMachine(r.Host) || door.CrossSite(r)
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
	return r.URL.Path == Prefix+"/ready" && (r.Method == http.MethodGet || r.Method == http.MethodHead)
}
