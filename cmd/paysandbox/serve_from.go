package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"

	"paysandbox/fixtures"
	"paysandbox/mockserver"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/kernel"
)

// broughtAlong are the flags that a file brings itself.
var broughtAlong = []string{"seed", "environment", "start", "latitude", "vary", "strict", "status-key", "webhook-url", "webhook-secret"}

// goOn lets the default integration go on from what --from names: a ready world, the
// file of a snapshot, or a tape. It keeps its credentials. What is kept already goes on: the
// same command starts a sandbox again.
func (f *sandboxFlags) goOn(ctx context.Context, box *opened) error {
	if f.from == "" {
		return nil
	}
	i := box.server.Registry().Default()
	if f.held > 0 {
		box.opts.Log.InfoContext(ctx, "--from is left aside: what is kept goes on", slog.String("kept in", f.place()))
		return nil
	}
	s, err := f.snapshot(ctx, box.server, box.opts.Integration, f.announcement(box.server, box.opts, box.listeners).BaseURL)
	if err != nil {
		return err
	}
	if err := i.Restore(s); err != nil {
		return badUsage("give the sandbox more --memory", "--from %s: %w", f.from, err)
	}
	box.opts.Integration = i.Options()
	return nil
}

// snapshot reads what --from names.
func (f *sandboxFlags) snapshot(ctx context.Context, server *mockserver.Server, o integration.Options, address string) (*integration.Snapshot, error) {
	file, err := readAtMost(f.from, mostLoaded)
	if errors.Is(err, os.ErrNotExist) {
		ready, err := server.Ready(f.from, o, address)
		if err != nil {
			return nil, fmt.Errorf("--from %s: %w", f.from, err)
		}
		if ready == nil {
			return nil, badUsage("give the file of a snapshot or of a tape, or a ready world: "+strings.Join(fixtures.ReadyWorlds(), ", "), "--from: there is no file and no ready world %q", f.from)
		}
		return ready.Under(integration.ClockMode(f.clock)), nil
	}
	if err != nil {
		return nil, badUsage("give the file of a snapshot or of a tape", "--from: %w", err)
	}
	for _, name := range broughtAlong {
		if f.given(name) {
			return nil, badUsage("leave --"+name+" out", "--from %s: the file brings its own %s", f.from, name)
		}
	}
	s, err := server.Load(ctx, file)
	if err != nil {
		return nil, badUsage("give a file that `paysandbox snapshot save --file` or `observe --save-tape` has written, whole", "--from %s: the file cannot be loaded: %s", f.from, whereWrong(err))
	}
	if f.given("clock") {
		return s.Under(integration.ClockMode(f.clock)), nil
	}
	return s, nil
}

// whereWrong tells what a file is refused for.
func whereWrong(err error) string {
	var e *kernel.Error
	if errors.As(err, &e) && len(e.Findings) > 0 {
		w := e.Findings[0]
		return strings.TrimSpace(w.Pointer + " expected " + w.Expected + ", received " + w.Received)
	}
	return err.Error()
}

// saveAtEnd writes the default integration to --save-on-exit.
func (f *sandboxFlags) saveAtEnd(server *mockserver.Server) error {
	if f.saveOnExit == "" {
		return nil
	}
	if err := replaceFile(f.saveOnExit, server.Registry().Default().Snapshot().Bytes(), 0o600); err != nil {
		return fmt.Errorf("--save-on-exit: what was there before is as it was: %w", err)
	}
	return nil
}
