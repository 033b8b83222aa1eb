package main

import (
	"context"

	"paysandbox/harness/journey/drive"
)

// stageJourneys starts a sandbox inside this process and points the plan at it.
// Whatever port it has, tapes show the usual address, so that they are alike.
func stageJourneys(ctx context.Context, plan *drive.Plan) (stop func() error, err error) {
	hosts := &drive.Hosts{}
	address, stop, err := builtIn(ctx, plan.Seed, hosts.Resolve)
	if err != nil {
		return nil, err
	}
	hosts.Set(defaultAddr, address)
	plan.BaseURL, plan.Target, plan.Hosts = "http://"+defaultAddr, "built-in sandbox", hosts
	return stop, nil
}
