// Package mocktest runs the sandbox inside a Go test.
//
//	sandbox := mocktest.Start(t, mocktest.Options{})
//	client := myapp.New(sandbox.URL, sandbox.ClientID, sandbox.ClientSecret)
//	…
//	sandbox.Advance(t, 24*time.Hour)
//
// It owns nothing but the life of the server: Start begins it, the end of the
// test ends it.
package mocktest

import (
	"context"
	"net/http/httptest"
	"testing"
	"time"

	"paysandbox/mockserver"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// Options choose what the sandbox is like. The zero value is a sandbox with
// seed 0, a manual clock at integration.DefaultStart, and the ledger's defaults.
type Options struct {
	// Seed decides every id, secret and duration.
	Seed uint64
	// Environment is world.Sandbox when empty.
	Environment world.Environment
	// Clock is integration.Manual when empty.
	Clock integration.ClockMode
	// Settings are the choices where the specification is silent.
	Settings latitude.Settings
	// Strict refuses also what is accepted with a warning.
	Strict bool
	// StatusKey encrypts what is added to a returnUrl; empty adds nothing.
	StatusKey string
	// WebhookURL receives events from the start; empty registers nothing.
	WebhookURL string
	// ControlToken closes the control API; empty leaves it open.
	ControlToken string
	// Carrier replaces the sender of webhooks.
	Carrier integration.Carrier
}

// Sandbox is a running sandbox.
type Sandbox struct {
	// URL is the base address, without a slash at the end.
	URL string
	// ClientID, ClientSecret and WebhookSecret are the default integration's.
	ClientID, ClientSecret, WebhookSecret string
	// Server gives access to everything else.
	Server *mockserver.Server
}

// Start runs a sandbox on a free loopback port until the test ends.
func Start(tb testing.TB, o Options) *Sandbox {
	tb.Helper()
	if o.Clock == "" {
		o.Clock = integration.Manual
	}
	s, err := mockserver.New(mockserver.Options{
		Integration: integration.Options{
			Name: "default", Seed: o.Seed, Environment: o.Environment, Clock: o.Clock, Settings: o.Settings, Strict: o.Strict,
			StatusKey: o.StatusKey, WebhookURL: o.WebhookURL, ClientID: "sandbox-client", ClientSecret: "sandbox-secret",
		},
		ControlToken: o.ControlToken, AllowLoopback: true, Carrier: o.Carrier, Version: "test",
	})
	if err != nil {
		tb.Fatalf("start the sandbox: %v", err)
	}
	server := httptest.NewServer(s.Handler())
	tb.Cleanup(func() {
		server.Close()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(tb.Context()), 10*time.Second)
		defer cancel()
		if err := s.Close(ctx); err != nil {
			tb.Errorf("stop the sandbox: %v", err)
		}
	})
	opts := s.Registry().Default().Options()
	return &Sandbox{
		URL: server.URL, ClientID: opts.ClientID, ClientSecret: opts.ClientSecret, WebhookSecret: opts.WebhookSecret, Server: s,
	}
}

// Advance moves the default integration's clock and gives what fired.
func (s *Sandbox) Advance(tb testing.TB, by time.Duration) []tape.Entry {
	tb.Helper()
	m, err := s.Server.Registry().Default().Advance(integration.Move{By: by})
	if err != nil {
		tb.Fatalf("move the clock by %s: %v", by, err)
	}
	return m.Fired
}

// Tape gives the entries of the default integration's tape that pass the filter.
func (s *Sandbox) Tape(tb testing.TB, f tape.Filter) []tape.Entry {
	tb.Helper()
	ctx, cancel := context.WithCancel(tb.Context())
	cancel() // what is there, without waiting
	return s.Server.Registry().Default().Read(ctx, f).Entries
}
