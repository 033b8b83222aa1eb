package integration_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// alone orders inputs for one process, in memory, and notes what kinds there were and
// which effects were asked for.
type alone struct {
	kinds  []integration.InputKind
	wanted []string
}

func (a *alone) Put(in *integration.Input, apply func() []string) error {
	a.kinds, a.wanted = append(a.kinds, in.Kind), append(a.wanted, apply()...)
	return nil
}

func (*alone) Shared() bool { return false }

func (*alone) Current(string) {}

// departures carries what it is given nowhere, and counts it.
type departures struct {
	nowhere

	left chan delivery.View
}

func (d departures) Deliver(_ string, v delivery.View, _ func(tape.Attempt, string)) { d.left <- v }

// A delivery that a process owes, because another one was killed over it, is not taken to
// be done with while the integration is still held: it leaves once it is let go.
func TestWhatIsOwedIsNotGivenUpWhileHeld(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		order, carrier := &alone{}, departures{left: make(chan delivery.View, 1)}
		r := integration.OpenRegistry(order, nil, time.Now, carrier, nil)
		defer r.Close()
		require.NoError(t, r.MakeDefault(integration.Options{Clock: integration.Manual, Environment: world.Sandbox}))
		i := r.Default()
		i.Do(&integration.Call{Kind: tape.KindControl}, func(w *world.World, _ *integration.Call) {
			_, err := w.Webhooks().Add(delivery.NewEndpoint{URL: "http://127.0.0.1:1/hooks"})
			require.NoError(t, err)
		})
		create(t, i, "gym")
		require.Len(t, order.wanted, 1)
		i.Carry(order.wanted[0]) // by a registry that has not begun
		synctest.Wait()
		require.NotContains(t, order.kinds, integration.InputNothing)
		r.Begin()
		i.Carry(order.wanted[0])
		synctest.Wait()
		require.Len(t, carrier.left, 1)
	})
}
