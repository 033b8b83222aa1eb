package hosted

import (
	"log/slog"
	"net/http"
	"time"

	"paysandbox/mockserver/integration"
)

// Prefix begins the path of every page.
const Prefix = "/pages/"

// Options are what the pages need from the house.
type Options struct {
	// Registry holds the integrations. It is required.
	Registry *integration.Registry
	// Log gets what visitors must not see; nil discards it.
	Log *slog.Logger
	// Wall is the wall clock, used to time requests; nil times nothing.
	Wall func() time.Time
	// Observe is told of every answered request; nil means nobody wants to know.
	Observe func(operation string, status int, took time.Duration)
}

// Hosted serves the pages. It is safe for concurrent use.
type Hosted struct {
	opts  Options
	pages []*page
}

// New makes the pages from their table.
func New(o Options) *Hosted {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Wall == nil {
		o.Wall = func() time.Time { return time.Time{} }
	}
	return &Hosted{opts: o, pages: table()}
}

// table lists every page.
func table() []*page {
	return []*page{
		registerPage(), payPage(), cardPage(), debitPage(), consentPage(), bankLinkPage(),
		portalPage(), portalPaymentPage(), portalFilePage(),
	}
}

// ServeHTTP answers one request for a page. Everything under Prefix belongs
// here; unknown addresses get a page that says so.
func (h *Hosted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := h.opts.Wall()
	v := h.begin(r)
	v.read(w)
	batch := v.on.Do(&v.call, v.run)
	v.write(w, !batch.Empty())
	v.on.Send(batch)
	if h.opts.Observe != nil {
		h.opts.Observe(v.call.Exchange.Operation, v.answer.status, h.opts.Wall().Sub(start))
	}
}
