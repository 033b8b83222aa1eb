package integration_test

import (
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/budget"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

func TestABudgetIsNeverOverdrawnByTaking(t *testing.T) {
	t.Parallel()
	b := budget.New(1000)
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

// TestAttackTapesLeaveRoom: tapes that have grown as far as they may leave room for the
// bodies of calls, so that long traffic alone refuses nobody.
func TestAttackTapesLeaveRoom(t *testing.T) {
	t.Parallel()
	b := budget.New(1 << 20)
	r := registry(t, integration.Options{Budget: b})
	for n := range 2000 {
		read := &integration.Call{Kind: tape.KindExchange, Exchange: tape.Exchange{Method: "GET", Path: "/Company/List", Response: tape.Response{Body: make([]byte, 1<<10)}}}
		r.Default().Do(read, func(*world.World, *integration.Call) {})
		require.True(t, b.Has(100<<10), "after %d calls", n)
	}
	require.False(t, b.Has(200<<10), "the tape has taken the rest")
}

// TestWhatIsForgottenIsGivenBack fills two integrations, and empties one by a reset
// and the other by deleting it.
func TestWhatIsForgottenIsGivenBack(t *testing.T) {
	t.Parallel()
	b := budget.New(1 << 20)
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
