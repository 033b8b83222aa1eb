package main

import (
	"context"
	"fmt"
	"net"

	"paysandbox/harness/journey"
	"paysandbox/mockserver"
	"paysandbox/mockserver/integration"
)

// stageJourneys starts a sandbox inside this process and points the plan at it.
// Whatever port it has, tapes show the usual address, so that they are alike.
func stageJourneys(ctx context.Context, plan *journey.DrivePlan) (stop func() error, err error) {
	hosts := &journey.Hosts{}
	server, err := mockserver.New(mockserver.Options{
		Integration: integration.Options{
			Name: "default", Seed: plan.Seed, Clock: integration.Manual, ClientID: defaultID, ClientSecret: defaultSecret,
		},
		Version: version, Resolve: hosts.Resolve,
	})
	if err != nil {
		return nil, fmt.Errorf("start the sandbox: %w", err)
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("start the sandbox: %w", err)
	}
	// It outlives an interruption, so that a journey can end in order.
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	served := make(chan error, 1)
	go func() { served <- server.Serve(ctx, listener) }()
	hosts.Set(defaultAddr, listener.Addr().String())
	plan.BaseURL, plan.Target, plan.Hosts = "http://"+defaultAddr, "built-in sandbox", hosts
	return func() error { cancel(); return <-served }, nil
}
