package delivery_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/kernel"
)

// TestDeliverySteps walks the whole matrix of states and events: what the table
// lists is done, anything else stops the sandbox.
func TestDeliverySteps(t *testing.T) {
	t.Parallel()
	m := &delivery.DeliveryMachine
	for s, name := range m.States {
		for _, event := range m.Events() {
			from := kernel.State(s)
			mv, listed := m.Find(from, event)
			if !listed {
				require.Panics(t, func() { delivery.Step(from, event) }, "%s in %q", event, name)
				continue
			}
			require.Equal(t, mv.To, delivery.Step(from, event), "%s in %q", event, name)
		}
	}
}

// TestEveryStateCanEnd: whatever a delivery waits for, it can be delivered or
// given up, and both are final.
func TestEveryStateCanEnd(t *testing.T) {
	t.Parallel()
	m := &delivery.DeliveryMachine
	final := []string{}
	for s, name := range m.States {
		if len(m.Legal(kernel.State(s))) == 0 {
			final = append(final, name)
		}
	}
	require.Equal(t, []string{"delivered", "given-up"}, final)
	for s, name := range m.States {
		stage, underWay := delivery.Waiting(kernel.State(s))
		waits := s != 0 && name != "ready" && !slices.Contains(final, name)
		require.Equal(t, waits, stage != "", "%q is shown", name)
		require.Equal(t, waits, slices.Contains(m.Legal(kernel.State(s)), "give-up"), "%q can be given up", name)
		require.Equal(t, underWay, stage == "in-flight", name)
	}
}
