// Package mocktest runs the sandbox inside a Go test.
//
//	sandbox := mocktest.Start(t, mocktest.Options{})
//	client := myapp.New(sandbox.URL, sandbox.ClientID, sandbox.ClientSecret)
//	…
//	sandbox.Advance(t, 24*time.Hour)
//
// A suite builds its world once and gives each test a fork of it: see Fork.
//
// It owns nothing but the life of the server: Start begins it, the end of the
// test ends it.
package mocktest

import (
	"context"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"paysandbox/fixtures"
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
	// World is the ready world that it begins with (fixtures.ReadyWorlds lists them), made by
	// the other choices; empty is a sandbox in which nothing is yet, no company either.
	World string
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
	// ControlURL is what of the control API belongs to the integration:
	// ControlURL+"/payments/ID/approve".
	ControlURL string
	// ClientID, ClientSecret and WebhookSecret are the default integration's.
	ClientID, ClientSecret, WebhookSecret string
	// Server gives access to everything else.
	Server *mockserver.Server
	// integration is the one that the credentials are of.
	integration *integration.Integration
	// ends are what it ends with: its server, and of a fork its test.
	ends []*ending
}

// ending is the end of a test, with which a sandbox ends.
type ending struct {
	test string
	over atomic.Bool
}

// living fails a test that asks a sandbox which has ended.
func (s *Sandbox) living(tb testing.TB) {
	tb.Helper()
	for _, e := range s.ends {
		if e.over.Load() {
			tb.Fatalf("the sandbox has ended with the test %s, which started or forked it: start it in a test that lasts as long as it is asked", e.test)
		}
	}
}

// Start runs a sandbox on a free loopback port until the test ends.
func Start(tb testing.TB, o Options) *Sandbox {
	tb.Helper()
	if o.Clock == "" {
		o.Clock = integration.Manual
	}
	chosen := integration.Options{
		Name: "default", Seed: o.Seed, Environment: o.Environment, Clock: o.Clock, Settings: o.Settings, Strict: o.Strict,
		StatusKey: o.StatusKey, WebhookURL: o.WebhookURL, ClientID: "sandbox-client", ClientSecret: "sandbox-secret",
	}
	s, err := mockserver.New(mockserver.Options{
		Integration: chosen, ControlToken: o.ControlToken, AllowLoopback: true, Carrier: o.Carrier, Version: "test",
	})
	if err != nil {
		tb.Fatalf("start the sandbox: %v", err)
	}
	server := httptest.NewServer(s.Handler())
	begin(tb, s, o.World, server.URL, chosen)
	end := &ending{test: tb.Name()}
	tb.Cleanup(func() {
		end.over.Store(true)
		server.Close()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(tb.Context()), 10*time.Second)
		defer cancel()
		if err := s.Close(ctx); err != nil {
			tb.Errorf("stop the sandbox: %v", err)
		}
	})
	return with(server.URL, s, s.Registry().Default(), end)
}

// begin lets the default integration go on from a ready world; an empty name is none.
func begin(tb testing.TB, s *mockserver.Server, name, address string, chosen integration.Options) {
	tb.Helper()
	if name == "" {
		return
	}
	ready, err := s.Ready(name, chosen, address)
	if err != nil {
		tb.Fatalf("make the ready world %s: %v", name, err)
	}
	if ready == nil {
		tb.Fatalf("there is no ready world %q; there are %s", name, strings.Join(fixtures.ReadyWorlds(), ", "))
	}
	if err := s.Registry().Default().Restore(ready.Under(chosen.Clock)); err != nil {
		tb.Fatalf("begin with the ready world %s: %v", name, err)
	}
}

// with is the sandbox as one integration sees it.
func with(url string, s *mockserver.Server, i *integration.Integration, ends ...*ending) *Sandbox {
	o := i.Options()
	return &Sandbox{
		URL: url, ControlURL: url + "/_sandbox/integrations/" + i.ID,
		ClientID: o.ClientID, ClientSecret: o.ClientSecret, WebhookSecret: o.WebhookSecret, Server: s, integration: i, ends: ends,
	}
}

// Snapshot is the integration as it is now; Restore goes back to it.
func (s *Sandbox) Snapshot(tb testing.TB) *integration.Snapshot {
	tb.Helper()
	s.living(tb)
	return s.integration.Settled()
}

// Restore makes the integration what it was. Its credentials and tokens stay.
func (s *Sandbox) Restore(tb testing.TB, snapshot *integration.Snapshot) {
	tb.Helper()
	s.living(tb)
	if err := s.integration.Restore(snapshot); err != nil {
		tb.Fatalf("restore the sandbox: %v", err)
	}
}

// Fork is an integration of its own that goes on from this one as it is now, until the
// test ends: a suite builds its world once, and each of its tests takes a fork, in
// parallel too. Forks that are asked the same answer the same, but for their
// credentials, access tokens and the addresses of pages.
func (s *Sandbox) Fork(tb testing.TB) *Sandbox {
	tb.Helper()
	s.living(tb)
	fork, err := s.Server.Registry().Fork(s.integration.Settled(), integration.Options{Name: tb.Name()})
	if err != nil {
		tb.Fatalf("fork the sandbox: %v", err)
	}
	end := &ending{test: tb.Name()}
	tb.Cleanup(func() {
		end.over.Store(true)
		if _, err := s.Server.Registry().Delete(fork.ID); err != nil {
			tb.Errorf("delete the fork: %v", err)
		}
	})
	return with(s.URL, s.Server, fork, s.ends[0], end)
}

// Advance moves the integration's clock and gives what fired.
func (s *Sandbox) Advance(tb testing.TB, by time.Duration) []tape.Entry {
	tb.Helper()
	s.living(tb)
	m, err := s.integration.Advance(integration.Move{By: by})
	if err != nil {
		tb.Fatalf("move the clock by %s: %v", by, err)
	}
	return m.Fired
}

// Tape gives the entries of the integration's tape that pass the filter.
func (s *Sandbox) Tape(tb testing.TB, f tape.Filter) []tape.Entry {
	tb.Helper()
	s.living(tb)
	ctx, cancel := context.WithCancel(tb.Context())
	cancel() // what is there, without waiting
	return s.integration.Read(ctx, f).Entries
}
