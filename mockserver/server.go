package mockserver

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"paysandbox/mockserver/api"
	"paysandbox/mockserver/control"
	"paysandbox/mockserver/hosted"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/openapi"
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
	docs     http.Handler
	metrics  *metrics
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
	s := &Server{opts: o}
	s.sender = webhook.New(webhook.Options{
		Timeout: o.WebhookTimeout, Version: o.Version, AllowPrivate: o.AllowPrivateNetworks, Resolve: o.Resolve,
		Log: o.Log, Style: s.style,
	})
	carrier := o.Carrier
	if carrier == nil {
		carrier = s.sender
	}
	var err error
	if s.registry, err = integration.NewRegistry(o.Integration, o.Wall, carrier); err != nil {
		return nil, err
	}
	s.metrics = newMetrics(s.registry)
	s.api = api.New(api.Options{
		Registry: s.registry, Surface: o.Surface, Log: o.Log, Wall: o.Wall, Observe: s.metrics.observe,
	})
	s.control = control.New(control.Options{
		Registry: s.registry, Token: o.ControlToken, Log: o.Log, Version: o.Version, API: s.api.Operations(),
		Probe: s.Probe, Latency: s.sender.Latency,
	})
	s.hosted = hosted.New(hosted.Options{Registry: s.registry, Log: o.Log, Wall: o.Wall, Observe: s.metrics.observe})
	s.docs = openapi.Handler(openapi.Info{Version: o.Version}, s.api.Operations())
	return s, nil
}

// Registry gives the integrations of the server.
func (s *Server) Registry() *integration.Registry { return s.registry }

// Operations lists the operations of the partner API, in table order.
func (s *Server) Operations() []openapi.Operation { return s.api.Operations() }

// Handler answers everything that the sandbox serves.
func (s *Server) Handler() http.Handler { return guard{s.opts.Log, http.HandlerFunc(s.route)} }

// route chooses between the partner API and the sandbox's own addresses.
func (s *Server) route(w http.ResponseWriter, r *http.Request) {
	switch path := r.URL.Path; {
	case path == control.Prefix, strings.HasPrefix(path, control.Prefix+"/"):
		s.control.ServeHTTP(w, r)
	case strings.HasPrefix(path, hosted.Prefix):
		s.hosted.ServeHTTP(w, r)
	case path == "/openapi.json", path == "/openapi.yaml", path == "/docs", strings.HasPrefix(path, "/docs/"):
		s.docs.ServeHTTP(w, r)
	case path == "/metrics":
		s.metrics.ServeHTTP(w, r)
	case path == "/" && (r.Method == http.MethodGet || r.Method == http.MethodHead):
		s.welcome(w, r)
	default:
		s.api.ServeHTTP(w, r)
	}
}

// How long a client may take. The control API extends the write deadline of
// calls that wait.
const (
	readHeaderTimeout = 10 * time.Second
	readTimeout       = 60 * time.Second
	writeTimeout      = 90 * time.Second
	idleTimeout       = 2 * time.Minute
	maxHeaderBytes    = 64 << 10
	shutdownTimeout   = 8 * time.Second // docker stop kills after ten
)

// Serve answers on a listener until the context ends, and then lets the
// requests and deliveries under way finish. It returns nil after an orderly end.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	var unused fresh
	server := &http.Server{
		Handler: s.Handler(), ReadHeaderTimeout: readHeaderTimeout, ReadTimeout: readTimeout,
		WriteTimeout: writeTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeaderBytes,
		ErrorLog:  slog.NewLogLogger(s.opts.Log.Handler(), slog.LevelDebug),
		ConnState: unused.watch,
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	s.opts.Log.InfoContext(ctx, "stopping: waiting for requests and deliveries under way")
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	s.control.Stop()
	s.api.Stop()
	unused.end()
	err := server.Shutdown(end)
	if closeErr := s.Close(end); err == nil {
		err = closeErr
	}
	if served := <-failed; !errors.Is(served, http.ErrServerClosed) {
		return served
	}
	return err
}

// Close ends the integrations' clocks and waits for deliveries under way until
// the context ends.
func (s *Server) Close(ctx context.Context) error {
	s.registry.Close()
	return s.sender.Close(ctx)
}
