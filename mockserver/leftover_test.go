package mockserver_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// TestAttackWhatALargeCallLeaves: of a large payment its world keeps one copy, for which it is
// charged. Lists and rooms that are used again for the next call hold no other. It is not
// parallel: it measures the heap.
func TestAttackWhatALargeCallLeaves(t *testing.T) { //nolint:paralleltest // see above
	const large = 8 << 20
	i := server(t, tape.Limits{}).Registry().Default()
	fill(t, i, 1, 1)
	before := heap()
	amount := int64(100)
	i.Send(i.Do(&integration.Call{Kind: tape.KindExchange}, func(w *world.World, _ *integration.Call) {
		_, err := w.CreatePayment(&world.NewPayment{
			Amount: &amount, ContactNumber: "+12025550123", CompanyReferenceID: "fill-0",
			Purpose: world.Purpose{Metadata: strings.Repeat("n", large)},
		})
		require.NoError(t, err)
	}))
	grown := heap() - before
	runtime.KeepAlive(i)
	require.Greater(t, grown, int64(large))
	require.Less(t, grown, int64(large+large/2))
}
