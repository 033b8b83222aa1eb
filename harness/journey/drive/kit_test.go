package drive_test

import (
	"context"
	"flag"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/journey"
	"paysandbox/harness/journey/drive"
	"paysandbox/harness/report"
	"paysandbox/mockserver"
	"paysandbox/mockserver/integration"
	"paysandbox/scenarios"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// base is the address that tapes show, whatever port the system has given.
const base = "http://127.0.0.1:8484"

// sandbox serves until the test ends, and is reached through the hosts.
func sandbox(tb testing.TB) *drive.Hosts {
	tb.Helper()
	hosts := &drive.Hosts{}
	server, err := mockserver.New(mockserver.Options{
		Integration: integration.Options{Name: "default", Clock: integration.Manual, ClientID: "nobody", ClientSecret: "secret-of-nobody"},
		Version:     "test", AllowLoopback: true, Resolve: hosts.Resolve,
	})
	require.NoError(tb, err)
	l, err := (&net.ListenConfig{}).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	require.NoError(tb, err)
	hosts.Set("127.0.0.1:8484", l.Addr().String())
	ctx, cancel := context.WithCancel(context.WithoutCancel(tb.Context()))
	served := make(chan error, 1)
	go func() { served <- server.Serve(ctx, mockserver.Listeners{Partner: l}) }()
	tb.Cleanup(func() {
		cancel()
		require.NoError(tb, <-served)
	})
	return hosts
}

// live lets applications live journeys in a sandbox of their own.
func live(tb testing.TB, p drive.Plan) ([]*drive.Driven, report.RunEnd) {
	tb.Helper()
	var list []*drive.Driven
	if p.Scenarios == nil {
		p.Scenarios = scenarios.FS()
	}
	if p.Hosts == nil {
		p.Hosts = sandbox(tb)
	}
	p.BaseURL, p.Now = base, time.Now
	p.Finished = func(d *drive.Driven) error {
		list = append(list, d)
		return nil
	}
	end, err := drive.Run(tb.Context(), p)
	require.NoError(tb, err)
	return list, end
}

// some names each nth of all journeys, in their order.
func some(tb testing.TB, n int) []string {
	tb.Helper()
	list, err := journey.List(scenarios.FS())
	require.NoError(tb, err)
	var names []string
	for i := 0; i < len(list); i += n {
		names = append(names, list[i].Name)
	}
	return names
}
