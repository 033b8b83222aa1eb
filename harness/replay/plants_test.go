package replay_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay"
	"paysandbox/harness/replay/diagnose"
	"paysandbox/harness/replay/read"
	"paysandbox/harness/sampling"
)

// plants is how many recordings with two faults are made smaller.
var plants = flag.Uint64("plants", 10, "how many recordings with two faults to make smaller")

// TestMinimiseTwoFaults: of two faults in one noisy recording the first is kept, or the
// other when it is asked for; never does one turn into the other on the way, and the
// result is the same however many plays run at once.
func TestMinimiseTwoFaults(t *testing.T) {
	sampling.NotRaced(t, "TestCallsThatMet and TestMinimiseNoise do the same with it")
	t.Parallel()
	s := sandbox(t)
	names := slices.Sorted(maps.Keys(slips))
	for _, seed := range sampling.Every(t, 10, seeds(*plants)) {
		first, second := names[int(seed)%len(names)], names[int(seed/9+seed+1)%len(names)]
		t.Run(fmt.Sprint(seed, " ", first, " ", second), func(t *testing.T) {
			tr := newTrader(t, seed)
			for _, slip := range []string{first, second} {
				for range tr.random.IntN(12) {
					tr.noise()
				}
				slips[slip](tr)
			}
			for range tr.random.IntN(12) {
				tr.noise()
			}
			c := made(t, s, []string{tr.save()}, read.Options{})
			small := minimised(t, c, s, first)
			require.NotContains(t, broken(small), second, "%v", texts(small))
			for _, parallel := range []int{1, 5} {
				requireSame(t, small, c, "", replay.Options{Sandbox: s, Parallel: parallel})
			}

			keep := "clause=" + second
			other, _, err := c.Minimise(t.Context(), keep, replay.Options{Sandbox: s, Parallel: 2})
			require.NoError(t, err)
			require.Contains(t, broken(other), second, "%v", texts(other))
			require.NotContains(t, broken(other), first, "%v", texts(other))
			require.LessOrEqual(t, other.Script.Calls(), 6, "%v", texts(other))
			requireSame(t, other, c, keep, replay.Options{Sandbox: s, Parallel: 5})
		})
	}
}

// requireSame makes a case smaller once more, and wants the same script.
func requireSame(t *testing.T, small, c *replay.Case, keep string, o replay.Options) {
	t.Helper()
	again, _, err := c.Minimise(t.Context(), keep, o)
	require.NoError(t, err)
	want, err := json.Marshal(small.Script)
	require.NoError(t, err)
	got, err := json.Marshal(again.Script)
	require.NoError(t, err)
	require.JSONEq(t, string(want), string(got), "whatever the parallelism")
}

// broken are the clauses of a case's faults.
func broken(c *replay.Case) []string {
	var list []string
	for i := range c.Diagnosis.Faults {
		if f := &c.Diagnosis.Faults[i]; f.Side == diagnose.Partner {
			list = append(append(list, f.Clause), f.Also...)
		}
	}
	return list
}
