package integration_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// After a reset nobody owes, or waits for, what was under way before it.
func TestAResetEndsWhatIsOwed(t *testing.T) {
	for _, shared := range []bool{false, true} {
		t.Run(map[bool]string{false: "alone", true: "shared"}[shared], func(t *testing.T) {
			inOrder(t, integration.Manual, func(t *testing.T, o *order, d departures) {
				t.Helper()
				o.shared = shared
				i := o.begun(t)
				require.NoError(t, i.Reset())
				require.Empty(t, o.names())
				d.answer(t, 200)
				require.Zero(t, settles(i))
			})
		})
	}
}

// An attempt that was under way when its integration became an older snapshot is owed no
// more: a restart would make it again, before its time.
func TestARestoreEndsWhatIsOwed(t *testing.T) {
	inOrder(t, integration.Real, func(t *testing.T, o *order, d departures) {
		t.Helper()
		i := o.begun(t)
		d.answer(t, 500)
		require.Empty(t, o.names())
		waiting := i.Snapshot()
		time.Sleep(24 * time.Hour) // virtual: the second attempt leaves
		synctest.Wait()
		require.Len(t, o.names(), 1)
		require.NoError(t, i.Restore(waiting))
		require.Empty(t, o.names())
		require.Equal(t, []string{"scheduled"}, stages(i))
		d.answer(t, 200) // the former world's attempt
		require.Equal(t, []string{"scheduled"}, stages(i))
	})
}

// stages says where the deliveries stand that are not finished.
func stages(i *integration.Integration) (out []string) {
	i.Do(&integration.Call{Kind: tape.KindControl, Silent: true}, func(w *world.World, _ *integration.Call) {
		for _, p := range w.Webhooks().Pending() {
			out = append(out, p.Stage)
		}
	})
	return out
}

// A deleted integration owes nothing, whoever asks for it.
func TestADeletedIntegrationOwesNothing(t *testing.T) {
	inOrder(t, integration.Manual, func(t *testing.T, o *order, _ departures) {
		t.Helper()
		o.registry.Begin()
		i, err := o.registry.Create(integration.Options{Name: "ci", Clock: integration.Manual, Environment: world.Sandbox})
		require.NoError(t, err)
		listens(t, i)
		happens(t, i)
		require.Len(t, o.names(), 1)
		name := o.names()[0]
		gone, err := o.registry.Delete(i.ID)
		require.NoError(t, err)
		require.True(t, gone)
		synctest.Wait()
		require.Empty(t, o.names())
		for _, carry := range []func(string){o.registry.Carry, i.Carry} {
			o.owes(name) // as when it is taken over
			carry(name)
			synctest.Wait()
			require.Empty(t, o.names())
		}
	})
}

// A fork asks for what was under way in a second input. When that is not taken, the fork
// is made all the same, and asks once it is; or whoever goes on from there does.
func TestAForkCutInTwoAsksForWhatWasUnderWay(t *testing.T) {
	inOrder(t, integration.Manual, func(t *testing.T, o *order, d departures) {
		t.Helper()
		o.registry.Begin()
		happens(t, o.registry.Default())
		require.Len(t, d.left, 1)
		o.ends(integration.InputTime, true)
		fork, err := o.registry.Fork(o.registry.Default().Snapshot(), integration.Options{Name: "fork"})
		require.NoError(t, err)
		stood := stands(t, o.registry)

		o.ends(integration.InputTime, false)
		time.Sleep(time.Minute) // virtual
		synctest.Wait()
		require.Len(t, d.left, 2)
		require.Equal(t, stages(o.registry.Default()), stages(fork))

		next, left := ordering()
		defer next.registry.Close()
		require.NoError(t, next.registry.Stand(stood))
		next.registry.Begin()
		synctest.Wait()
		require.Len(t, left.left, 1, "the fork's alone: nobody has taken over what the other owes")
	})
}

// A snapshot holds what is owed also while what came back of it cannot be put, and after a
// restart before it was taken over.
func TestASnapshotHoldsWhatIsOwed(t *testing.T) {
	inOrder(t, integration.Real, func(t *testing.T, o *order, d departures) {
		t.Helper()
		i := o.begun(t)
		o.ends(integration.InputAttempt, true)
		d.answer(t, 200)
		leavesAgain(t, i.Snapshot())

		next, _ := ordering()
		defer next.registry.Close()
		require.NoError(t, next.registry.Stand(stands(t, o.registry)))
		next.registry.Owe(o.names())
		leavesAgain(t, next.registry.Default().Snapshot())
	})
}

// stands is what a snapshot of everything holds.
func stands(t *testing.T, r *integration.Registry) []byte {
	t.Helper()
	state, back, err := r.Standing()
	require.NoError(t, err)
	back()
	return slices.Concat(state...)
}

// leavesAgain says that one delivery leaves where the snapshot is restored.
func leavesAgain(t *testing.T, s *integration.Snapshot) {
	t.Helper()
	o, d := ordering()
	defer o.registry.Close()
	require.NoError(t, o.registry.MakeDefault(integration.Options{Clock: integration.Manual, Environment: world.Sandbox}))
	o.registry.Begin()
	require.NoError(t, o.registry.Default().Restore(s))
	synctest.Wait()
	require.Len(t, d.left, 1)
}
