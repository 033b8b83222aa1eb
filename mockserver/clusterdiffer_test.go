package mockserver_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver"
	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/world"
)

// TestASandboxThatHasComeToAnotherState by the same log is found out by the two others: it
// takes nothing any more and says why, and they go on.
func TestASandboxThatHasComeToAnotherState(t *testing.T) {
	t.Parallel()
	servers := logServers(t)
	var drivers []*driver
	var said []*noted
	var boxes []*mockserver.Server
	for range 3 {
		s := shares(t, servers, &deaf{hears: true})
		d := newDriver(s)
		x := &noted{Handler: d.h}
		d.h = x
		boxes, drivers, said = append(boxes, s), append(drivers, d), append(said, x)
	}
	ask := func(box int, path string) string {
		drivers[box].call(http.MethodGet, path, "")
		return said[box].answers[len(said[box].answers)-1]
	}
	list := moves()
	list[0](drivers[0], 0)
	create := func(box, n int) string {
		drivers[box].token = drivers[0].token
		list[2](drivers[box], n)
		return said[box].answers[len(said[box].answers)-1]
	}
	polls := 0
	until := func(what string, ok func() bool) {
		t.Helper()
		next, gap := polls+1, 50 // ever longer, so that all have told of one message before the next comes
		require.Eventually(t, func() bool {
			if polls++; polls == next {
				next, gap = next+gap, 2*gap
				for n := range 12 {
					create(0, n)
				}
			}
			return ok()
		}, 2*time.Minute, 10*time.Millisecond, what)
	}
	until("nothing is compared", func() bool { return !strings.Contains(ask(0, "/metrics"), "paysandbox_states_compared_total 0") })
	require.Contains(t, ask(0, "/metrics"), "paysandbox_states_differed_total 0")

	// What no input has asked for:
	boxes[2].Registry().Default().Do(&integration.Call{Silent: true}, func(w *world.World, _ *integration.Call) {
		_, err := w.Webhooks().Add(delivery.NewEndpoint{URL: "https://example.com/elsewhere"})
		require.NoError(t, err)
	})
	until("the third is not found out", func() bool {
		return strings.Contains(ask(2, "/_sandbox/ready"), "another sandbox has come to another state")
	})
	require.Contains(t, ask(2, "/_sandbox/ready"), " 503 ")
	require.Contains(t, create(2, 1000), " 503 ")
	require.Contains(t, ask(2, "/metrics"), "paysandbox_log_up 0")
	until("the others do not go on", func() bool {
		return strings.Contains(ask(0, "/_sandbox/ready"), " 200 ") && strings.Contains(ask(1, "/_sandbox/ready"), " 200 ") && !strings.Contains(create(1, polls), "/Company/Create 503")
	})
	require.NotContains(t, ask(2, "/metrics"), "paysandbox_states_differed_total 0")
	for _, b := range boxes {
		require.NoError(t, b.Close(t.Context()))
	}
}
