package main

import (
	"context"
	"fmt"
	"net"

	"paysandbox/mockserver"
	"paysandbox/mockserver/integration"
)

// builtIn starts a sandbox inside this process, on a port that the system has
// chosen, and gives its address. resolve is asked before the sandbox dials; nil
// knows nothing.
func builtIn(ctx context.Context, seed uint64, resolve func(hostport string) string) (address string, stop func() error, err error) {
	server, err := mockserver.New(mockserver.Options{
		Integration: integration.Options{
			Name: "default", Seed: seed, Clock: integration.Manual, ClientID: defaultID, ClientSecret: defaultSecret,
		},
		AllowLoopback: true, Version: version, Resolve: resolve,
	})
	if err != nil {
		return "", nil, fmt.Errorf("start the sandbox: %w", err)
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, fmt.Errorf("start the sandbox: %w", err)
	}
	// It outlives an interruption, so that what is under way can end in order.
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	served := make(chan error, 1)
	go func() { served <- server.Serve(ctx, mockserver.Listeners{Partner: listener}) }()
	return listener.Addr().String(), func() error { cancel(); return <-served }, nil
}
