package api

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"paysandbox/mockserver/door"
	"paysandbox/mockserver/fault"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/openapi"
	"paysandbox/mockserver/tape"
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
	table  *door.Table[endpoint]
	door   door.Door
	life   door.Life
	claims claims
}

// New makes the API from the route table.
func New(o Options) *API {
	if o.Pause == nil {
		o.Pause = fault.Wait
	}
	rows := slices.DeleteFunc(table(), func(r *route) bool { return !within(r.Surface, o.Surface) })
	return &API{opts: o, table: door.NewTable(rows, door.Options{AnyCase: true, Noun: "operation", Docs: "/docs"}), life: door.NewLife(), door: door.Door{
		Kind: tape.KindExchange, Headers: capturedHeaders, Dated: true, Ahead: true, Budget: o.Registry.Budget(), Log: o.Log, Wall: o.Wall, Observe: o.Observe,
	}}
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

// Operations lists what the API serves, in table order.
func (a *API) Operations() []openapi.Operation { return a.table.Operations() }

// ServeHTTP answers one request.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x, _ := exchanges.Get().(*exchange)
	defer x.free()
	x.api, x.trouble.asked = a, asked(r.Header)
	a.door.Serve(w, r, &x.Exchange, x)
}
