package control

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"paysandbox/mockserver/door"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/openapi"
	"paysandbox/mockserver/tape"
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
	// ReadToken is a second token, for those who look: it is taken with GET and HEAD
	// alone, and secrets are hidden from it. Empty: there is none.
	ReadToken string
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
	// Play plays a tape into a twin of its integration up to an entry; nil: no past can be
	// shown.
	Play func(ctx context.Context, twin *integration.Integration, of func(seq uint64) (tape.Entry, bool), seq uint64) error
	// Ready gives a ready world that was made by options; nil when there is none of the
	// name.
	Ready func(name string, o integration.Options, address string) (*integration.Snapshot, error)
	// Kept tells how the log of inputs stands, or fails when none are taken; nil where
	// nothing is kept.
	Kept func(ctx context.Context) (*Kept, error)
	// Load reads the file of a snapshot or of a tape; nil reads snapshots alone.
	Load func(ctx context.Context, file []byte) (*integration.Snapshot, error)
	// Describe gives the description of the partner API under these choices, as JSON.
	Describe func(choices latitude.Settings) ([]byte, error)
	// API lists the operations of the partner API, whose ids the tape's filter
	// accepts.
	API []openapi.Operation
}

// Control serves the control API.
type Control struct {
	opts  Options
	table *door.Table[endpoint]
	door  door.Door
	docs  http.Handler
	life  door.Life
	// readers holds one for each reader of a tape that is being served.
	readers chan struct{}
	past    past
	seen    seenAll
}

// New makes the control API from the route table.
func New(o Options) *Control {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Load == nil {
		o.Load = func(_ context.Context, file []byte) (*integration.Snapshot, error) {
			return integration.ReadSnapshot(file)
		}
	}
	c := &Control{opts: o, life: door.NewLife(), table: door.NewTable(table(), door.Options{Noun: "call", Docs: Prefix + "/docs"}), readers: make(chan struct{}, maxReaders)}
	c.door = door.Door{Kind: tape.KindControl, Headers: capturedHeaders, Budget: o.Registry.Budget(), Log: o.Log}
	c.docs = c.newDocs()
	return c
}

// Stop ends every call that waits; ready then answers 503. It may be called
// more than once.
func (c *Control) Stop() { c.life.End() }

// Operations lists what the control API serves, in table order.
func (c *Control) Operations() []openapi.Operation { return c.table.Operations() }

// capturedHeaders are the request headers that go on the tape, in this order.
var capturedHeaders = []string{"Content-Type", "User-Agent", "Traceparent", "Sandbox-Label", "X-Request-Id", "X-Forwarded-Proto", "X-Forwarded-Host"}

// Acts says whether a request is one that changes a world: the only kind that is on a tape.
func (c *Control) Acts(r *http.Request) bool {
	var vars door.Vars
	found, _ := c.table.Find(r, &vars)
	return found != nil && found.Endpoint.act != nil
}

// ServeHTTP answers one request. Who may not call is told so before anything
// else is looked at, whether the path exists or not.
func (c *Control) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := &exchange{control: c, looks: c.looks(r)}
	switch e := c.keptOut(r, x.looks); {
	case e != nil:
		x.refusal = e
	case isDocs(r.URL.Path):
		c.docs.ServeHTTP(w, r)
		return
	default:
		x.route, x.at = c.table.Find(r, &x.Vars)
	}
	c.door.Serve(w, r, &x.Exchange, x)
}
