package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"strconv"
	"syscall"

	"github.com/spf13/cobra"

	"paysandbox/mockserver"
)

func newServe(env lookup) *cobra.Command {
	var f sandboxFlags
	cmd := &cobra.Command{
		Use: "serve", Short: "Start the sandbox",
		Long: "Start the sandbox. Every flag can also be given as PAYSANDBOX_<NAME>, for example PAYSANDBOX_ADDR.",
		Args: noArgs,
		RunE: withEnvironment(env, func(cmd *cobra.Command, _ []string) error {
			return serve(cmd.Context(), &f, cmd.OutOrStdout(), cmd.ErrOrStderr())
		}),
	}
	f.declare(cmd)
	cmd.Flags().StringVar(&f.from, "from", "", "go on from the file of a snapshot, from a saved tape, or from a ready world (paysandbox fixture list); what --data or --cluster has kept already goes on instead")
	cmd.Flags().StringVar(&f.saveOnExit, "save-on-exit", "", "write the default integration to this file at the end, in the place of what was there; it holds secrets")
	return cmd
}

// serve runs the sandbox until the context ends.
func serve(ctx context.Context, f *sandboxFlags, stdout, stderr io.Writer) error {
	if f.announce != "text" && f.announce != "json" {
		return badUsage("use --announce text or --announce json", "--announce: %q is not a format", f.announce)
	}
	box, err := f.open(ctx, stderr)
	if err != nil {
		return err
	}
	if err := errors.Join(canReplace("--save-on-exit", f.saveOnExit), f.goOn(ctx, box)); err != nil {
		box.listeners.Close()
		return err
	}
	a := f.announcement(box.server, box.opts, box.listeners)
	served := make(chan error, 1)
	go func() { served <- box.server.Serve(ctx, box.listeners) }()
	if err := a.print(f.announce, stdout); err != nil {
		return err
	}
	collectLess()
	defer tellTraffic(ctx, box.server, f.printer(stderr, stderr, box, &a), nil)()
	return errors.Join(<-served, f.saveAtEnd(box.server))
}

// opened is a sandbox that is about to serve.
type opened struct {
	server    *mockserver.Server
	opts      mockserver.Options
	listeners mockserver.Listeners
}

// open makes the sandbox that the flags ask for, and listens.
func (f *sandboxFlags) open(ctx context.Context, stderr io.Writer) (*opened, error) {
	log, err := f.logger(stderr)
	if err != nil {
		return nil, err
	}
	opts, err := f.options(log)
	if err != nil {
		return nil, err
	}
	listeners, err := f.listen(ctx)
	if err != nil {
		return nil, err
	}
	err = f.keep(ctx, &opts, log)
	if err == nil && opts.Inputs != nil {
		_, f.held, err = opts.Inputs.Held(ctx)
	}
	if err != nil {
		listeners.Close()
		return nil, err
	}
	server, err := mockserver.New(opts)
	if err != nil {
		listeners.Close()
		if unopened := f.unopened(err); unopened != nil {
			return nil, unopened
		}
		return nil, badUsage("give --webhook-url an address such as http://127.0.0.1:3000/hooks", "--webhook-url %q: %w", f.webhookURL, err)
	}
	if err := f.same(&opts.Integration, server.Registry().Default().Options()); err != nil {
		listeners.Close()
		return nil, errors.Join(err, server.Close(ctx))
	}
	f.probeWebhook(ctx, server, log)
	return &opened{server, opts, listeners}, nil
}

// listen takes the addresses that the flags name.
func (f *sandboxFlags) listen(ctx context.Context) (mockserver.Listeners, error) {
	var l mockserver.Listeners
	var err error
	if l.Partner, err = (&net.ListenConfig{}).Listen(ctx, "tcp", f.addr); err != nil {
		return l, listenError("--addr", f.addr, err)
	}
	if f.controlAddr == "" {
		return l, nil
	}
	if l.Operator, err = (&net.ListenConfig{}).Listen(ctx, "tcp", f.controlAddr); err != nil {
		_ = l.Partner.Close()
		return l, listenError("--control-addr", f.controlAddr, err)
	}
	return l, nil
}

// probeWebhook tries the address given by --webhook-url and says what is wrong
// with it; the receiver may well be started later.
func (f *sandboxFlags) probeWebhook(ctx context.Context, s *mockserver.Server, log *slog.Logger) {
	if f.webhookURL == "" {
		return
	}
	if p := s.Probe(ctx, f.webhookURL); p.Error != "" || p.Advice != "" {
		log.WarnContext(ctx, "the webhook address does not answer yet", slog.String("url", f.webhookURL),
			slog.String("problem", p.Error), slog.String("advice", p.Advice))
	}
}

// listenError says which flag helps when the address cannot be had.
func listenError(flag, addr string, err error) error {
	_, port, _ := net.SplitHostPort(addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return badUsage("another program listens there: choose another port with "+flag+", for example "+flag+" 127.0.0.1:"+
			nextPort(port)+", or a free one with "+flag+" 127.0.0.1:0", "cannot listen on %s: the port is in use", addr)
	case errors.Is(err, os.ErrPermission):
		return badUsage("ports below 1024 need more rights: choose another one with "+flag, "cannot listen on %s: not permitted", addr)
	default:
		return badUsage("give "+flag+" HOST:PORT, for example "+flag+" "+defaultAddr, "cannot listen on %s: %w", addr, err)
	}
}

func nextPort(port string) string {
	n, err := strconv.Atoi(port)
	if err != nil || n >= 65535 {
		return "0"
	}
	return strconv.Itoa(n + 1)
}
