package integration_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
)

// Several readers who wait for the same quiet tape let each other rest, and hear
// of what comes. The clock is asked once for each look at the tape.
func TestWaitingReadersLetEachOtherRest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var looks atomic.Int64
		wall := func() time.Time {
			if looks.Add(1) > 1000 {
				panic("the readers wake each other")
			}
			return time.Now()
		}
		r, err := integration.NewRegistry(integration.Options{Clock: integration.Real}, wall, nil)
		require.NoError(t, err)
		t.Cleanup(r.Close)
		i := r.Default()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		got := make(chan int, 3)
		for range cap(got) {
			go func() { got <- len(i.Read(ctx, tape.Filter{}).Entries) }()
		}
		synctest.Wait()
		before := looks.Load()
		create(t, i, "gym")
		for range cap(got) {
			require.Positive(t, <-got)
		}
		require.LessOrEqual(t, before, int64(20))
	})
}

// TestAResetEndsAWait for numbers of the tape before it: who waits behind the last of them
// would hear nothing until the new tape had as many.
func TestAResetEndsAWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, err := integration.NewRegistry(integration.Options{Clock: integration.Real}, time.Now, nil)
		require.NoError(t, err)
		t.Cleanup(r.Close)
		i := r.Default()
		create(t, i, "gym")
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		ended := make(chan error, 1)
		go func() {
			i.Await(ctx, tape.Filter{Since: i.Seq()})
			ended <- ctx.Err()
		}()
		synctest.Wait()
		require.NoError(t, i.Reset())
		create(t, i, "gym")
		require.NoError(t, <-ended)
	})
}
