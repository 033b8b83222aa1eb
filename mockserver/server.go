package mockserver

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"

	"paysandbox/mockserver/api"
	"paysandbox/mockserver/console"
	"paysandbox/mockserver/control"
	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/door"
	"paysandbox/mockserver/hosted"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/openapi"
	"paysandbox/mockserver/secret"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/theme"
	"paysandbox/mockserver/webhook"
)

// Server is one running sandbox with its integrations.
type Server struct {
	opts     Options
	registry *integration.Registry
	sender   *webhook.Sender
	api      *api.API
	control  *control.Control
	hosted   *hosted.Hosted
	console  *console.Console
	docs     *openapi.Site
	theme    http.Handler
	metrics  *metrics
	keeper   *keeper
	ready    ready
	guesses  door.Guesses
	// tokens are those of the control API, as they are struck wherever else somebody sends
	// them; one that is something else as well is not.
	tokens secret.Values
	// operate is where the console is served, where that is an address of its own: what leads
	// there from the partner's, such as a problem's instance, is led on.
	operate *net.TCPAddr
	// partner is where the partner API is served then.
	partner *net.TCPAddr
}

// New puts a sandbox together. It starts nothing but the default integration's
// clock; Close ends it. A webhook address that cannot be used is an error.
func New(o Options) (*Server, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Wall == nil {
		o.Wall = integration.Wall
	}
	if o.Version == "" {
		o.Version = "dev"
	}
	if o.StopTimeout == 0 {
		o.StopTimeout = stopTimeout
	}
	s := &Server{opts: o}
	for _, token := range []string{o.ControlToken, o.ReadToken} {
		if i := &o.Integration; token != i.ClientSecret && token != i.WebhookSecret && token != i.StatusKey {
			s.tokens.Add(token)
		}
	}
	s.sender = webhook.New(webhook.Options{
		Timeout: o.WebhookTimeout, Version: o.Version, AllowPrivate: o.AllowPrivateNetworks, AllowLoopback: o.Loopback || o.AllowLoopback, Resolve: o.Resolve,
		Log: o.Log, Style: s.style,
	})
	carrier := o.Carrier
	if carrier == nil {
		carrier = s.sender
	}
	if err := s.register(carrier); err != nil {
		return nil, err
	}
	s.metrics, s.docs = newMetrics(s.registry), openapi.Following("", &partnerDocs, s.described)
	var kept func(context.Context) (*control.Kept, error)
	if s.keeper != nil {
		kept = s.keeper.status
		s.metrics.keeper = s.keeper
	}
	s.api = api.New(api.Options{
		Registry: s.registry, Surface: o.Surface, Tokens: &s.tokens, Log: o.Log, Wall: o.Wall, Observe: s.metrics.observe,
	})
	s.control = control.New(control.Options{
		Registry: s.registry, Token: o.ControlToken, ReadToken: o.ReadToken, Log: o.Log, Version: o.Version, API: s.api.Operations(),
		Probe: s.Probe, Latency: s.sender.Latency, Play: s.playTo, Ready: s.Ready, Load: s.Load, Describe: s.Describe, Kept: kept,
	})
	s.hosted = hosted.New(hosted.Options{Registry: s.registry, Console: o.Loopback, Log: o.Log, Wall: o.Wall, Observe: s.metrics.observe})
	s.theme = theme.Handler()
	s.console = console.New(console.Options{
		Registry: s.registry, Control: s.control, Token: o.ControlToken, ReadToken: o.ReadToken, Titles: o.Titles, Judge: o.Judge, Case: o.Case, Past: s.past,
		Letter: func(m *tape.Message) console.Letter { return console.Letter(control.Render(m)) },
		Report: o.Report, Reports: o.Reports, Perform: o.Perform, Partner: s.Handler(), Log: o.Log, Wall: o.Wall, Shared: o.Shared,
	})
	if s.keeper != nil {
		if err := s.keeper.begin(); err != nil {
			return nil, errors.Join(err, s.Close(context.Background()))
		}
	}
	return s, nil
}

// register makes the registry: with its default integration, or empty where the log
// says what there is.
func (s *Server) register(carrier integration.Carrier) (err error) {
	if s.opts.Inputs != nil {
		s.keeper = newKeeper(s)
		s.registry = integration.OpenRegistry(s.keeper, s.keeper.shelf(), s.opts.Wall, carrier, s.opts.Integration.Budget)
		return nil
	}
	s.registry, err = integration.NewRegistry(s.opts.Integration, s.opts.Wall, carrier)
	return err
}

// Registry gives the integrations of the server.
func (s *Server) Registry() *integration.Registry { return s.registry }

// Tape gives what an integration has on its tape behind an entry, as a file of it is read;
// false for an integration that is not there, and where entries behind since have been dropped.
func (s *Server) Tape(id string, since uint64) (tape.Meta, []tape.Entry, bool) {
	i := s.registry.Get(id)
	if i == nil {
		return tape.Meta{}, nil, false
	}
	now, cancel := context.WithCancel(context.Background())
	cancel() // what is there, without waiting
	r := i.Read(now, tape.Filter{Since: since})
	r.Meta.ToolVersion, r.Meta.Version, r.Meta.Ending = s.opts.Version, max(r.Meta.Version, 1), tape.Open
	if len(r.Meta.Latitude) == 0 {
		r.Meta.Latitude = nil
	}
	return r.Meta, r.Entries, r.Gap.Empty()
}

// Operations lists the operations of the partner API, in table order.
func (s *Server) Operations() []openapi.Operation { return s.api.Operations() }

// Handler answers everything that the sandbox serves.
func (s *Server) Handler() http.Handler { return guard{s, everything} }

// Close ends the integrations' clocks and waits for deliveries under way, and what the
// console has begun, until the context ends.
func (s *Server) Close(ctx context.Context) error {
	s.console.Stop()
	if s.keeper == nil {
		s.registry.Close()
		return errors.Join(s.sender.Close(ctx), s.console.Wait(ctx))
	}
	err := errors.Join(s.sender.Close(ctx), s.console.Wait(ctx)) // what comes back meanwhile is kept
	s.registry.Close()
	return errors.Join(err, s.keeper.close())
}

// style is what an integration's ledger chooses about its deliveries.
func (s *Server) style(scope string, _ delivery.View) webhook.Style {
	i := s.registry.Get(scope)
	if i == nil {
		return webhook.Style{}
	}
	set := i.Settings()
	return webhook.Style{UpperHex: set.Is(latitude.SignedBytesUpperHex), Bare: set.Is(latitude.DeliveryHeadersNone)}
}

// Probe tries a webhook address without sending an event.
func (s *Server) Probe(ctx context.Context, address string) control.Probe {
	r := s.sender.Probe(ctx, address)
	return control.Probe{Reachable: r.Reachable, Refused: r.Refused, Status: r.Status, Error: r.Error, Advice: r.Advice}
}
