package webhook

import (
	"context"
	"crypto/x509"
	"log/slog"
	"net/http"
	"time"

	"github.com/google/uuid"

	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/tape"
)

// Options are what a Sender is made from. The zero value of each member means
// its default.
type Options struct {
	// Timeout is how long a receiver may take to answer in full; 15 s.
	Timeout time.Duration
	// SlowFor is how long profile slow-read takes to send a body; 2 s.
	SlowFor time.Duration
	// FetchTimeout is how long a download may take; 10 s.
	FetchTimeout time.Duration
	// ProbeTimeout is how long Probe may take; 2 s.
	ProbeTimeout time.Duration
	// Now is the clock that latencies are measured by; time.Now.
	Now func() time.Time
	// Version is what the User-Agent says; "dev".
	Version string
	// AllowPrivate lets addresses be called that are not of the public internet.
	AllowPrivate bool
	// AllowLoopback lets the machine itself be called. Whoever can call the sandbox
	// can then read what listens there for this machine alone.
	AllowLoopback bool
	// Resolve is asked before a host and port, with a colon between them, are dialled, and may
	// be called from many goroutines at once; another host and port in its answer
	// is dialled instead, "" leaves the question to the system.
	Resolve func(hostport string) string
	// RootCAs are whom receivers' certificates are trusted from; the system's.
	RootCAs *x509.CertPool
	// Style gives the style of an attempt; the zero Style for all.
	Style func(scope string, d delivery.View) Style
	// Observe is told of every attempt that has ended: the endpoint's id, the
	// receiver's status or 0, and the time it took. It must be quick and may be
	// called from many goroutines at once.
	Observe func(endpoint string, status int, took time.Duration)
	// Log hears about failed attempts, at debug level; nobody.
	Log *slog.Logger
}

// Style is what the latitude ledger lets an integration choose about its
// deliveries.
type Style struct {
	// UpperHex writes the signature in upper-case hex; knob signed-bytes.
	UpperHex bool
	// Bare leaves User-Agent and Sandbox-Delivery away; knob delivery-headers.
	Bare bool
}

// Sender delivers, downloads and probes. Its methods may be called from any
// goroutine. Close it.
type Sender struct {
	opts      Options
	lanes     *lanes
	latencies *latencies
	pairs     *pairs
	// kept keeps connections for the next attempt, once opens one for each.
	kept, once *http.Transport
	// ctx lives until Close.
	ctx    context.Context
	cancel context.CancelFunc
}

// New makes a Sender, which holds no sockets and no goroutines until it is used.
func New(o Options) *Sender {
	o = o.filled()
	s := &Sender{opts: o, latencies: newLatencies(), pairs: newPairs()}
	s.kept, s.once = o.transport(), o.transport()
	s.once.DisableKeepAlives = true
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.lanes = newLanes(s.ctx)
	return s
}

func (o Options) filled() Options {
	set := func(d *time.Duration, byDefault time.Duration) {
		if *d <= 0 {
			*d = byDefault
		}
	}
	set(&o.Timeout, 15*time.Second)
	set(&o.SlowFor, 2*time.Second)
	set(&o.FetchTimeout, 10*time.Second)
	set(&o.ProbeTimeout, 2*time.Second)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Version == "" {
		o.Version = "dev"
	}
	if o.Style == nil {
		o.Style = func(string, delivery.View) Style { return Style{} }
	}
	if o.Observe == nil {
		o.Observe = func(string, int, time.Duration) {}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// Deliver makes one attempt to deliver an event, in the lane of its scope and
// endpoint; two attempts that belong together by profile parallel-duplicate wait
// for each other and are sent at the same moment. It returns at once; done is called exactly once, from another
// goroutine, with all of the attempt but Next and Reason, and with the value of
// the receiver's Retry-After, "" for none.
func (s *Sender) Deliver(scope string, d delivery.View, done func(a tape.Attempt, retryAfter string)) {
	s.run(laneKey{scope: scope, endpoint: d.Endpoint, second: d.Second}, func(ctx context.Context) bool {
		s.pairs.meet(ctx, pairPatience*s.opts.Timeout, &d)
		r := s.attempt(ctx, scope, d)
		done(r.Attempt, r.retryAfter)
		return !r.unanswered
	})
}

// Forget ends the deliveries of a scope, those under way and those that wait; their
// done is called.
func (s *Sender) Forget(scope string) { s.lanes.forget(scope) }

// Fetch downloads a file of at most 10 MiB by way of at most three redirects, in
// the lane of its host. It returns at once; done is called exactly once, from
// another goroutine.
func (s *Sender) Fetch(url string, done func(tape.Fetch)) {
	s.run(laneKey{host: hostOf(url)}, func(ctx context.Context) bool {
		f := s.fetch(ctx, url)
		done(f)
		return f.Status != 0
	})
}

// run gives a job to a lane. A closed sender runs it on the spot, with a context
// that has ended: it fails, and says why.
func (s *Sender) run(key laneKey, j job) {
	if !s.lanes.put(key, j) {
		go j(s.ctx)
	}
}

// Close lets everything that was handed over leave, and what follows from it,
// until ctx ends; the rest is cancelled then, and its done called. After it the
// sender fails every attempt. The error is that of ctx when something was
// cancelled.
func (s *Sender) Close(ctx context.Context) error {
	var err error
	select {
	case <-s.lanes.drain():
	case <-ctx.Done():
		err = ctx.Err()
	}
	s.cancel()
	s.lanes.shut()
	s.kept.CloseIdleConnections()
	s.once.CloseIdleConnections()
	return err
}

// Load is how much is under way.
type Load struct {
	// Pending counts what waits or is being sent, Lanes the endpoints and hosts
	// that it is for.
	Pending, Lanes int
}

// Load says how much is under way.
func (s *Sender) Load() Load { return s.lanes.load() }

// Latency is the time that an attempt took, counted from 1, as long as it is
// among the latest 8,192.
func (s *Sender) Latency(delivery string, number int) (time.Duration, bool) {
	id, err := uuid.Parse(delivery)
	if err != nil {
		return 0, false
	}
	return s.latencies.get(attemptKey{id, number})
}
