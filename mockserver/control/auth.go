package control

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"

	"paysandbox/mockserver/integration"
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

// isReady says whether a request asks for the one call that is always open.
func isReady(r *http.Request) bool {
	return r.URL.Path == Prefix+"/ready" && (r.Method == http.MethodGet || r.Method == http.MethodHead)
}
