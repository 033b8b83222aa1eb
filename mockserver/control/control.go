package control

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/gorilla/mux"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/openapi"
)

// Prefix is where the control API lives.
const Prefix = "/_sandbox"

// MaxBody is the largest request body in bytes (1 MiB).
const MaxBody = 1 << 20

// Options are what the control API needs from the house.
type Options struct {
	// Registry holds the integrations.
	Registry *integration.Registry
	// Token must be sent as a bearer token with every call but ready; empty
	// leaves the control API open.
	Token string
	// Log gets what callers must not see; nil logs nothing.
	Log *slog.Logger
	// Version is the sandbox's own version, told by ready and in tape files.
	Version string
	// Probe tries a webhook address when it is registered, outside of any lock;
	// nil probes nothing.
	Probe func(ctx context.Context, address string) Probe
	// Latency tells how long an attempt of a delivery took, counted from 1; nil,
	// or false, when nobody knows any more.
	Latency func(delivery string, attempt int) (time.Duration, bool)
	// API lists the operations of the partner API, whose ids the tape's filter
	// accepts.
	API []openapi.Operation
}

// Control serves the control API.
type Control struct {
	opts   Options
	routes []*route
	paths  pathTable
	router *mux.Router
	docs   http.Handler
	life   context.Context //nolint:containedctx // It is the life of the server, which ends every waiting call.
	end    context.CancelFunc
}

// New makes the control API from the route table.
func New(o Options) *Control {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	c := &Control{opts: o, router: mux.NewRouter().SkipClean(true).UseEncodedPath()}
	c.life, c.end = context.WithCancel(context.Background())
	for _, r := range table() {
		c.routes = append(c.routes, r)
		c.paths.add(r)
		c.router.Path(r.Path).Methods(methods(r.Method)...).Handler(handler{c, r})
	}
	c.router.NotFoundHandler = http.HandlerFunc(c.noRoute)
	c.router.MethodNotAllowedHandler = http.HandlerFunc(c.noRoute)
	c.docs = c.newDocs()
	return c
}

// Stop ends every call that waits; ready then answers 503. It may be called
// more than once.
func (c *Control) Stop() { c.end() }

// stopping says whether Stop has been called.
func (c *Control) stopping() bool { return c.life.Err() != nil }

// Operations lists what the control API serves, in table order.
func (c *Control) Operations() []openapi.Operation {
	ops := make([]openapi.Operation, 0, len(c.routes))
	for _, r := range c.routes {
		ops = append(ops, r.Operation)
	}
	return ops
}

// ServeHTTP answers one request. Who may not call is told so before anything
// else is looked at, whether the path exists or not.
func (c *Control) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch plain := trimmed(r); {
	case !c.admits(plain):
		c.refuse(w, r, unauthorised())
	case c.fromOutside(r):
		c.refuse(w, r, notFromHere())
	case isDocs(r.URL.Path):
		c.docs.ServeHTTP(w, r)
	default:
		c.router.ServeHTTP(w, plain)
	}
}
