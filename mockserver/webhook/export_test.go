package webhook

import (
	"context"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"time"

	"paysandbox/mockserver/delivery"
)

// What the tests see of the inside.
var (
	Shown   = shown
	Explain = explain
	Target  = parseTarget
)

// Allowed is the rule of which addresses may be called.
func (o *Options) Allowed(addr netip.Addr) error { return o.allowed(addr) }

// Screen is how the dialer asks it.
func (o *Options) Screen(network, address string) error { return o.screen(network, address, nil) }

const (
	LaneWidth     = laneWidth
	SharedWorkers = sharedWorkers
	KeptLatencies = keptLatencies
	IdleTimeout   = idleTimeout
)

// Lanes run plain functions in a test.
type Lanes struct{ l *lanes }

// NewLanes makes lanes without a sender.
func NewLanes(ctx context.Context) Lanes { return Lanes{newLanes(ctx)} }

// Put queues a job for a scope.
func (l Lanes) Put(scope string, j func(context.Context) bool) bool {
	return l.l.put(laneKey{scope: scope}, j)
}

// Forget ends the jobs of a scope.
func (l Lanes) Forget(scope string) { l.l.forget(scope) }

// Load says how much is under way.
func (l Lanes) Load() Load { return l.l.load() }

// Spare says how many workers can be had.
func (l Lanes) Spare() int { l.l.mu.Lock(); defer l.l.mu.Unlock(); return l.l.spare }

// ComposedBody is the body that an attempt would send.
func ComposedBody(d delivery.View) (body []byte, profile, signature string) {
	l := compose(&d, false)
	return l.body, l.profiles.String(), l.signature
}

// DialWith opens connections by another way than the network.
func (s *Sender) DialWith(dial func() net.Conn) {
	for _, transport := range []*http.Transport{s.kept, s.once} {
		transport.DialContext = func(context.Context, string, string) (net.Conn, error) { return dial(), nil }
	}
}

// AskNames finds the addresses of names by another resolver than the system's.
func (s *Sender) AskNames(resolver *net.Resolver) {
	dialer := s.opts.dialer()
	dialer.Resolver = resolver
	for _, transport := range []*http.Transport{s.kept, s.once} {
		transport.DialContext = s.opts.dial(dialer)
	}
}

// Trace watches the connections of all that is sent from now on.
func (s *Sender) Trace(trace *httptrace.ClientTrace) {
	s.lanes.ctx = httptrace.WithClientTrace(s.lanes.ctx, trace)
}

// PutLatency remembers a latency.
func (s *Sender) PutLatency(d delivery.View, took time.Duration) {
	s.latencies.put(attemptKey{d.ID, d.Attempt}, took)
}
