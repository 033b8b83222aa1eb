// Command cluster shows several sandboxes that share one log, on one machine and
// without containers: it starts three servers of NATS in this process, three
// processes of the sandbox, and a load balancer before them. `make cluster` runs it.
package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"syscall"

	"paysandbox/mockserver/durable/natslog"
)

// balanced is where the load balancer listens.
const balanced = "127.0.0.1:8484"

// sandboxes is how many processes serve the same integrations.
const sandboxes = 3

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run takes the sandbox's program, the folder of the log, and flags for each sandbox.
func run(ctx context.Context, args []string) error {
	if len(args) < 2 {
		return errors.New("usage: cluster PAYSANDBOX DIR [FLAGS of serve…]")
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", balanced)
	if err != nil {
		return fmt.Errorf("the load balancer cannot listen on %s: %w\nhint: stop what listens there, such as `make run`, and start again", balanced, err)
	}
	defer func() { _ = l.Close() }()
	servers, err := natslog.StartServers(ctx, args[1])
	if err != nil {
		return err
	}
	defer func() { _ = servers.Close() }()
	var b balancer
	for n := range sandboxes {
		addr := "127.0.0.1:" + strconv.Itoa(8485+n)
		flags := append([]string{"serve", "--addr", addr, "--quiet", "--cluster", servers.URLs()}, args[2:]...)
		p := exec.CommandContext(ctx, args[0], flags...) //nolint:gosec // G204: make names the program.
		p.Cancel = func() error { return p.Process.Signal(syscall.SIGTERM) }
		p.Stderr = os.Stderr
		if err := p.Start(); err != nil {
			return err
		}
		defer func() { _ = p.Wait() }()
		b.sandboxes = append(b.sandboxes, newSandbox(addr))
		fmt.Printf("sandbox %d: http://%s, process %d (kill -9 it, or kill -STOP, and go on)\n", n+1, addr, p.Process.Pid)
	}
	return b.serve(ctx, l)
}
