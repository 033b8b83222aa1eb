package integration_test

import (
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// nowhere carries nothing.
type nowhere struct{}

func (nowhere) Deliver(string, delivery.View, func(tape.Attempt, string)) {}

func (nowhere) Forget(string) {}

func (nowhere) Fetch(string, func(tape.Fetch)) {}

// While a tape is played in nothing leaves the sandbox, whatever happens.
func TestNothingLeavesWhileHeld(t *testing.T) {
	t.Parallel()
	r, err := integration.NewRegistry(integration.Options{Clock: integration.Manual, Environment: world.Sandbox}, time.Now, nowhere{})
	require.NoError(t, err)
	t.Cleanup(r.Close)
	i := r.Default()
	happens := func(n string) integration.Batch {
		return i.Do(&integration.Call{Kind: tape.KindExchange}, func(w *world.World, _ *integration.Call) {
			_, err := w.CreateCompany(&world.NewCompany{
				CompanyReferenceID: n, Name: n, EmailAddress: "office@example.com", ContactNumber: "+12025550123",
				CompanyType: "LLC", ZipCode: "94610", State: "CA",
				Owner: &world.Owner{EmailAddress: "o@example.com", ContactNumber: "+12025550124", SSN: "1234", ZipCode: "94610", State: "CA"},
			})
			require.NoError(t, err)
		})
	}
	i.Do(&integration.Call{Kind: tape.KindControl}, func(w *world.World, _ *integration.Call) {
		_, err := w.Webhooks().Add(delivery.NewEndpoint{URL: "http://127.0.0.1:1/hooks"})
		require.NoError(t, err)
	})
	i.Hold()
	require.True(t, happens("held").Empty())
	i.Release()
	require.False(t, happens("free").Empty())
}

// TestAHangingReceiverHoldsUpTimeOnce: a move that makes an event at each of many moments
// waits a moment for a receiver that never answers, not a moment for each of them.
func TestAHangingReceiverHoldsUpTimeOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, err := integration.NewRegistry(integration.Options{Clock: integration.Real, Environment: world.Rehearsal}, time.Now, nowhere{})
		require.NoError(t, err)
		defer r.Close()
		i := r.Default()
		i.Do(&integration.Call{Kind: tape.KindControl}, func(w *world.World, _ *integration.Call) {
			_, err := w.Webhooks().Add(delivery.NewEndpoint{URL: "http://127.0.0.1:1/hooks"})
			require.NoError(t, err)
		})
		for n := range 20 {
			create(t, i, "gym-"+strconv.Itoa(n))
		}
		began := time.Now()
		moved, err := i.Advance(integration.Move{By: 24 * time.Hour})
		require.NoError(t, err)
		events := 0
		for _, e := range moved.Fired {
			if e.Kind == tape.KindEvent {
				events++
			}
		}
		require.GreaterOrEqual(t, events, 20)
		require.Less(t, time.Since(began), 5*time.Second)
	})
}
