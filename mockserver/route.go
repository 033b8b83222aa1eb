package mockserver

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"

	"paysandbox/mockserver/console"
	"paysandbox/mockserver/control"
	"paysandbox/mockserver/hosted"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/theme"
)

// side is what a listener serves.
type side int

const (
	// everything, where one address is enough.
	everything side = iota
	// partners: the partner API and the pages that payers open.
	partners
	// operators: the control API and the figures.
	operators
)

// operatorsOwn says whether an address belongs to those who run the sandbox.
func operatorsOwn(path string) bool {
	return below(path, control.Prefix) || below(path, console.Prefix) || path == "/metrics"
}

// below says whether a path is a prefix's or below it.
func below(path, prefix string) bool {
	return path == prefix || strings.HasPrefix(path, prefix) && path[len(prefix)] == '/'
}

// described says whether an address shows the description of the partner API.
func described(path string) bool {
	return path == "/openapi.json" || path == "/openapi.yaml" || path == "/docs" || strings.HasPrefix(path, "/docs/")
}

// route chooses between the partner API and the sandbox's own addresses.
func (s *Server) route(w http.ResponseWriter, r *http.Request, here side) {
	switch path := r.URL.Path; {
	case path == "/metrics":
		s.known(s.metrics, w, r)
	case below(path, console.Prefix):
		s.console.ServeHTTP(w, r)
	case operatorsOwn(path):
		s.control.ServeHTTP(w, r)
	case strings.HasPrefix(path, hosted.Prefix):
		s.hosted.ServeHTTP(w, r)
	case strings.HasPrefix(path, theme.Prefix):
		s.theme.ServeHTTP(w, r)
	case described(path):
		s.known(s.docs, w, r)
	case path == "/" && (r.Method == http.MethodGet || r.Method == http.MethodHead):
		s.welcome(w, r, here)
	default:
		s.api.ServeHTTP(w, r)
	}
}

// known serves those alone who know the control token or the read-only one, where there is one: as a
// bearer token, or as the password that a browser asks for.
func (s *Server) known(next http.Handler, w http.ResponseWriter, r *http.Request) {
	if s.opts.ControlToken != "" && integration.AgainFrom(r.Context()) == nil {
		scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if _, password, basic := r.BasicAuth(); basic {
			scheme, token = "Bearer", password
		}
		if !same(token, s.opts.ControlToken) && !same(token, s.opts.ReadToken) || !strings.EqualFold(scheme, "Bearer") {
			w.Header().Set("WWW-Authenticate", `Basic realm="paysandbox: any name, the control token as the password"`)
			refuse(w, r, unknownHere())
			return
		}
	}
	next.ServeHTTP(w, r)
}

// same says whether a token was given, and is the right one; no token is right
// where there is none.
func same(token, right string) bool {
	a, b := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(right))
	return right != "" && subtle.ConstantTimeCompare(a[:], b[:]) == 1
}
