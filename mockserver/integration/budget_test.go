package integration_test

import (
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/integration"
)

func TestABudgetIsNeverOverdrawnByTaking(t *testing.T) {
	t.Parallel()
	b := integration.NewBudget(1000)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 1000 {
				if b.Take(7) {
					if b.Used() > 1000+8*7 {
						t.Error("more is drawn than there is")
					}
					b.Give(7)
				}
			}
		})
	}
	all.Wait()
	require.Zero(t, b.Used())
	require.True(t, b.Take(1000))
	require.True(t, b.Spent())
	require.False(t, b.Take(1))
	b.Force(1)
	require.EqualValues(t, 1001, b.Used())
}

// TestWhatIsForgottenIsGivenBack fills two integrations, and empties one by a reset
// and the other by deleting it.
func TestWhatIsForgottenIsGivenBack(t *testing.T) {
	t.Parallel()
	b := integration.NewBudget(1 << 20)
	r := registry(t, integration.Options{Budget: b})
	other, err := r.Create(integration.Options{Name: "other", Clock: integration.Manual})
	require.NoError(t, err)
	for n := range 20 {
		create(t, r.Default(), "a"+strconv.Itoa(n))
		create(t, other, "b"+strconv.Itoa(n))
	}
	both := b.Used()
	require.Greater(t, both, int64(2*20*512))
	require.NoError(t, r.Default().Reset())
	one := b.Used()
	require.Less(t, one, both*2/3)
	_, err = r.Delete(other.ID)
	require.NoError(t, err)
	require.Zero(t, b.Used())
}
