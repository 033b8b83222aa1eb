package mockserver

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strconv"
	"strings"
	"time"

	"paysandbox/mockserver/api"
	"paysandbox/mockserver/console"
	"paysandbox/mockserver/control"
	"paysandbox/mockserver/door"
	"paysandbox/mockserver/hosted"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/openapi"
	"paysandbox/mockserver/tape"
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
		s.describe(w, r)
	case path == "/" && (r.Method == http.MethodGet || r.Method == http.MethodHead):
		s.welcome(w, r, here)
	default:
		s.api.ServeHTTP(w, r)
	}
}

// routeSlowed is route for those who may be guessing the control token. A caller that has shown
// too many wrong ones is told to wait, whatever it shows.
func (s *Server) routeSlowed(w http.ResponseWriter, r *http.Request, here side) {
	signsIn := r.Method == http.MethodPost && r.URL.Path == console.SignIn
	if s.opts.ControlToken == "" || integration.AgainFrom(r.Context()) != nil || r.Header.Get("Authorization") == "" && !signsIn || described(r.URL.Path) && s.bearer(r) != nil {
		s.route(w, r, here)
		return
	}
	wait, right := s.guesses.Try(door.CallerOf(r, s.opts.BehindProxy), s.opts.Wall())
	if wait > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int((wait+time.Second-1)/time.Second)))
		refuse(w, r, &kernel.Error{Code: kernel.TooManyRequests, Detail: "too many wrong control tokens came from this address: wait, and send the one that the sandbox printed when it started"})
		return
	}
	if !signsIn && s.knows(r) {
		right()
		s.route(w, r, here)
		return
	}
	answer := &answered{ResponseWriter: w}
	if s.route(answer, r, here); signsIn && answer.status != http.StatusUnauthorized {
		right() // or another page made the browser send a form, and no token was looked at
	}
}

// answered is a writer that knows the status that was written.
type answered struct {
	http.ResponseWriter
	status int
}

// WriteHeader is the writer's.
func (a *answered) WriteHeader(status int) {
	a.status = status
	a.ResponseWriter.WriteHeader(status)
}

// Unwrap is for http.ResponseController.
func (a *answered) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// known serves those alone who know the control token or the read-only one, where there is one: as a
// bearer token, or as the password that a browser asks for.
func (s *Server) known(next http.Handler, w http.ResponseWriter, r *http.Request) {
	if s.opts.ControlToken != "" && integration.AgainFrom(r.Context()) == nil && !s.knows(r) {
		w.Header().Set("WWW-Authenticate", `Basic realm="paysandbox: any name, the control token as the password"`)
		refuse(w, r, unknownHere())
		return
	}
	next.ServeHTTP(w, r)
}

// knows says whether a request shows the control token or the read-only one.
func (s *Server) knows(r *http.Request) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if _, password, basic := r.BasicAuth(); basic {
		scheme, token = "Bearer", password
	}
	return strings.EqualFold(scheme, "Bearer") && (same(token, s.opts.ControlToken) || same(token, s.opts.ReadToken))
}

// same says whether a token was given, and is the right one; no token is right
// where there is none.
func same(token, right string) bool {
	a, b := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(right))
	return right != "" && subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// describe shows the description of the partner API. An access token opens that of
// its own integration; who may see all names one with ?integration=, or gets the
// default integration's.
func (s *Server) describe(w http.ResponseWriter, r *http.Request) {
	if s.bearer(r) != nil {
		s.docs.ServeHTTP(w, r)
		return
	}
	s.known(s.docs, w, r)
}

// bearer is the integration whose access token a request carries, nil without one.
func (s *Server) bearer(r *http.Request) *integration.Integration {
	c := s.registry.Authenticate(r.Header.Get("Authorization"))
	if c.Verdict != tape.AuthValid || c.Present() != tape.AuthValid {
		return nil
	}
	return c.Integration
}

// partnerDocs are the descriptions of the partner API: a process with many servers, as
// tests have, makes one of them once.
var partnerDocs openapi.Kept

// described says which integration's description a request is about.
func (s *Server) described(r *http.Request) (openapi.Info, []openapi.Operation, bool) {
	i, named := s.bearer(r), r.URL.Query().Get("integration")
	switch {
	case i != nil:
	case named != "":
		if i = s.registry.Get(named); i == nil {
			return openapi.Info{}, nil, false
		}
	default:
		i = s.registry.Default()
	}
	info := s.info(i.Settings())
	if named != "" || strings.HasPrefix(r.URL.Path, "/docs") {
		own := i.Options()
		info.Integration, info.TryEnvironment = named, string(own.Environment)
		if s.opts.Loopback { // the announcement shows them, too
			info.TryID, info.TrySecret = own.ClientID, own.ClientSecret
		}
	}
	return info, s.api.OperationsUnder(info.Choices), true
}

// info is what a description says of the partner API under these choices.
func (s *Server) info(choices latitude.Settings) openapi.Info {
	return openapi.Info{Version: s.opts.Version, Choices: choices, Events: api.Events(choices)}
}

// Describe is the description of the partner API under these choices, as JSON.
func (s *Server) Describe(choices latitude.Settings) ([]byte, error) {
	return s.docs.JSON(s.info(choices), s.api.OperationsUnder(choices))
}
