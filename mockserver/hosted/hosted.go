// Package hosted serves the pages that payers and companies open in a browser:
// registration, payment, card, debit authorisation, consent, bank link and the
// back-office portal, all under /pages/{integration}/.
//
// It owns the addresses, the forms and what they look like: plain HTML without
// scripts, cookies or outside assets. It decides nothing about money: a form is
// read before the lock, a use case of the world acts inside integration.Do, and
// the answer is written once. It must not import the other adapters.
//
// Every visit goes on the tape as an input of kind page. What was typed goes
// there as it was acted upon: card numbers, card codes, social security digits
// and foreign account numbers are masked before anything looks at them, so that
// a replay of the recorded form comes to the same end. The body of an answer is
// recorded for posted forms only, without the form's token.
package hosted

import (
	"log/slog"
	"net/http"
	"time"

	"paysandbox/mockserver/door"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
)

// Prefix begins the path of every page.
const Prefix = "/pages/"

// Options are what the pages need from the house.
type Options struct {
	// Registry holds the integrations. It is required.
	Registry *integration.Registry
	// Console says that the console is served: pages lead to what they did there.
	Console bool
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
	table *door.Table[*page]
	door  door.Door
}

// capturedHeaders are the request headers that go on the tape, in this order.
var capturedHeaders = []string{
	"Content-Type", "Accept", "User-Agent", "Origin", "Traceparent", "Sandbox-Label", "X-Request-Id", "X-Forwarded-Proto", "X-Forwarded-Host",
}

// New makes the pages from their table.
func New(o Options) *Hosted {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Hosted{opts: o, table: door.NewTable(table(), door.Options{Decoded: true}), door: door.Door{
		Kind: tape.KindPage, Headers: capturedHeaders, Dated: true, Budget: o.Registry.Budget(), Log: o.Log, Wall: o.Wall, Observe: o.Observe,
	}}
}

// ServeHTTP answers one request for a page. Everything under Prefix belongs
// here; unknown addresses get a page that says so.
func (h *Hosted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v := &visit{house: h}
	h.door.Serve(w, r, &v.Exchange, v)
}
