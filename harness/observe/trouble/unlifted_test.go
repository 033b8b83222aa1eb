package trouble_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/observe/trouble"
	"paysandbox/mockserver/tape"
)

// TestWhatASessionHasLeft is its own, and neither lifted nor gone with what it was for.
func TestWhatASessionHasLeft(t *testing.T) {
	t.Parallel()
	const ours = "paysandbox-observe/1.0"
	entries := []tape.Entry{
		controlled("armFault", "/x/faults", ours, `{"name":"observe-outage-2"}`, "{}"),
		controlled("armFault", "/x/faults", ours, `{"name":"observe-lost-3"}`, "{}"),
		controlled("armFault", "/x/faults", "curl", `{"name":"theirs"}`, "{}"),
		controlled("removeFault", "/x/faults/observe-lost-3", ours, "", ""),
		controlled("setProfile", "/x/webhooks/w1/profile", ours, `{"profile":"altered-status"}`, "{}"),
		controlled("setProfile", "/x/webhooks/w2/profile", ours, `{"profile":"reorder","next":1}`, "{}"),
		controlled("setProfile", "/x/webhooks/w2/profile", "curl", `{"profile":"duplicate"}`, "{}"),
		controlled("setProfile", "/x/webhooks/w3/profile", ours, `{"profile":"reorder"}`, "{}"),
		controlled("removeWebhook", "/x/webhooks/w3", "curl", "", ""),
	}
	faults, endpoints := trouble.Unlifted(entries)
	require.Equal(t, []string{"observe-outage-2"}, faults)
	require.Equal(t, []string{"w1"}, endpoints)
	faults, endpoints = trouble.Unlifted(append(entries, controlled("resetIntegration", "/x/reset", "curl", "", "")))
	require.Empty(t, faults)
	require.Empty(t, endpoints)
}
