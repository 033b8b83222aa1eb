package api

import (
	"context"
	"log/slog"
	"net/http"
	"reflect"
	"slices"
	"time"

	"paysandbox/mockserver/door"
	"paysandbox/mockserver/fault"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/openapi"
	"paysandbox/mockserver/secret"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// MaxBody is the largest request body in bytes (10 MiB). Latitude, attachment.
const MaxBody = 10 << 20

// Options are what the API needs from the house.
type Options struct {
	// Registry holds the integrations.
	Registry *integration.Registry
	// Surface leaves out operations beyond it; empty means all.
	Surface openapi.Surface
	// Tokens are struck from the bodies of calls by who has an access token; nil for none.
	Tokens *secret.Values
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

// Operations lists what the API serves under the defaults of the ledger.
func (a *API) Operations() []openapi.Operation { return a.OperationsUnder(latitude.Settings{}) }

// OperationsUnder lists what the API serves to an integration that has made these
// choices, in table order: which operations, statuses and bodies there are.
func (a *API) OperationsUnder(s latitude.Settings) []openapi.Operation {
	gone := hidden(s)
	var ops []openapi.Operation
	for _, r := range a.table.Rows() {
		if gone(r) {
			continue
		}
		op := r.Operation
		op.Errors = slices.Clone(op.Errors)
		for _, f := range r.Endpoint.fails {
			if s.Is(f.when) {
				op.Errors = append(op.Errors, f.status)
			}
		}
		if op.Request != nil {
			op.Request = reflect.ValueOf(r.Endpoint.newBody(s)).Elem().Interface()
		}
		if flat, ok := op.Response.(wrapped); ok && r.Endpoint.wraps && world.Wraps(s) {
			op.Response = flat.Wrapped()
		}
		ops = append(ops, op)
	}
	return ops
}

// ServeHTTP answers one request.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x, _ := exchanges.Get().(*exchange)
	defer x.free()
	x.api, x.trouble.asked = a, asked(r.Header)
	a.door.Serve(w, r, &x.Exchange, x)
}
