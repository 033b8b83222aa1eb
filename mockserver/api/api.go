package api

import (
	"context"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/gorilla/mux"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/openapi"
)

// MaxBody is the largest request body in bytes (10 MiB). latitude.md, attachment.
const MaxBody = 10 << 20

// Options are what the API needs from the house.
type Options struct {
	// Registry holds the integrations.
	Registry *integration.Registry
	// Surface leaves out operations beyond it; empty means all.
	Surface openapi.Surface
	// Log gets what callers must not see.
	Log *slog.Logger
	// Wall is the wall clock, used to time requests.
	Wall func() time.Time
	// Observe is told of every answered request, with status 0 when a fault has
	// cut the answer; nil means nobody wants to know.
	Observe func(operation string, status int, took time.Duration)
	// Pause lets wall time pass for faults, or less when the context ends; nil
	// waits.
	Pause func(ctx context.Context, d time.Duration)
}

// API serves the partner API.
type API struct {
	opts   Options
	routes []*route
	paths  pathTable
	router *mux.Router
	times  stamps
	bases  atomic.Pointer[knownBase]
	delays delays
	claims claims
}

// New makes the API from the route table.
func New(o Options) *API {
	a := &API{opts: o, router: mux.NewRouter().SkipClean(true).UseEncodedPath(), delays: newDelays(o.Pause)}
	for _, r := range table() {
		if !within(r.Surface, o.Surface) {
			continue
		}
		a.routes = append(a.routes, r)
		a.paths.add(r)
		for _, m := range methods(r.Method) {
			a.router.NewRoute().MatcherFunc(r.taking(m)).Handler(handler{a, r})
		}
	}
	return a
}

// within says whether an operation belongs to the chosen surface.
func within(s, chosen openapi.Surface) bool {
	switch chosen {
	case openapi.Spec:
		return s == openapi.Spec
	case openapi.Docs:
		return s != openapi.Provisional
	default:
		return true
	}
}

// methods are those that a route answers: HEAD wherever GET is.
func methods(m string) []string {
	if m == http.MethodGet {
		return []string{http.MethodGet, http.MethodHead}
	}
	return []string{m}
}

// Operations lists what the API serves, in table order.
func (a *API) Operations() []openapi.Operation {
	ops := make([]openapi.Operation, 0, len(a.routes))
	for _, r := range a.routes {
		ops = append(ops, r.Operation)
	}
	return ops
}

// ServeHTTP answers one request. The router is asked for the route alone: what it
// would add to the request's context nobody needs.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var match mux.RouteMatch
	if !a.router.Match(r, &match) || match.Handler == nil {
		a.noRoute(w, r)
		return
	}
	match.Handler.ServeHTTP(w, r)
}
