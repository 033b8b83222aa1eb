package world_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paysandbox/harness/sampling"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/world"
)

// TestTimersFireInOrder sets many timers by creating companies whose
// verification takes a drawn time, and steps through them.
func TestTimersFireInOrder(t *testing.T) {
	t.Parallel()
	sampling.Check(t, func(t *rapid.T) {
		w := begun(world.Config{Environment: world.Rehearsal, Seed: rapid.Uint64().Draw(t, "seed")})
		n := rapid.IntRange(1, 60).Draw(t, "companies")
		for i := range n {
			_, err := w.CreateCompany(goodCompany(string(rune('a'+i%26)) + string(rune('a'+i/26))))
			require.NoError(t, err)
		}
		require.Equal(t, n, w.PendingTimers())
		w.Take()
		last := int64(0)
		for w.PendingTimers() > 0 {
			due, ok := w.NextDue()
			require.True(t, ok)
			require.GreaterOrEqual(t, due, last)
			last = due
			w.FireNext()
			require.Equal(t, due, w.Now().UnixNano(), "while a timer runs, now is its due time")
		}
		records, _ := w.Take()
		fired := 0
		for _, r := range records {
			if r.Kind == kernel.RecordTimer {
				fired++
			}
		}
		require.Equal(t, n, fired)
	})
}

func TestTimeNeverGoesBack(t *testing.T) {
	t.Parallel()
	w := begun(world.Config{})
	now := w.Now()
	w.Advance(now.Add(-time.Hour).UnixNano())
	require.Equal(t, now, w.Now())
}
