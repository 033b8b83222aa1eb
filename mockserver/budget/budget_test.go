package budget_test

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/budget"
)

// TestWorkWaitsForItsTurn: what does not fit beside the work under way begins when that
// has ended, and what is larger than all goes alone.
func TestWorkWaitsForItsTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := budget.New(1000)
		b.Begin(150)
		b.Begin(50) // a fifth in all
		begun := false
		go func() {
			b.Begin(900)
			begun = true
		}()
		synctest.Wait()
		require.False(t, begun)
		b.End(150)
		synctest.Wait()
		require.False(t, begun, "it goes alone")
		b.End(50)
		synctest.Wait()
		require.True(t, begun)
		b.End(900)
		b.Begin(200)
	})
	none := (*budget.Bytes)(nil)
	none.Begin(1)
	none.End(1)
}
