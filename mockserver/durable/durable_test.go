package durable_test

import (
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// seeds are the first of the runs of the simulation and the one behind the last:
// PAYSANDBOX_SEEDS says another number of them, or a range as 1000-2000; make check asks
// for ten thousand, without the race detector: it is one thread.
func seeds(t *testing.T) (first, end uint64) {
	t.Helper()
	text := os.Getenv("PAYSANDBOX_SEEDS")
	if text == "" {
		return 0, 100
	}
	from, to, ranged := strings.Cut(text, "-")
	if !ranged {
		from, to = "0", text
	}
	first, err := strconv.ParseUint(from, 10, 64)
	require.NoError(t, err)
	end, err = strconv.ParseUint(to, 10, 64)
	require.NoError(t, err)
	require.Less(t, first, end)
	return first, end
}

// TestSimulation: whatever the log and the processes do, each answer is the one that
// the log gives, and when the trouble is over everything is done. One run again:
// go test ./mockserver/durable -run TestSimulation with PAYSANDBOX_SEED=N.
func TestSimulation(t *testing.T) {
	t.Parallel()
	if text := os.Getenv("PAYSANDBOX_SEED"); text != "" {
		seed, err := strconv.ParseUint(text, 10, 64)
		require.NoError(t, err)
		s := newSim(seed, "")
		s.run()
		require.Empty(t, s.judge(), "seed %d; hit: %v", seed, s.hit)
		return
	}
	hit := map[string]int{}
	first, end := seeds(t)
	for seed := first; seed < end; seed++ {
		s := newSim(seed, "")
		s.run()
		if wrong := s.judge(); wrong != "" {
			require.Fail(t, wrong, "seed %d", seed)
		}
		for what, n := range s.hit {
			hit[what] += n
		}
	}
	for _, what := range mustHit {
		require.Positive(t, hit[what], "inconclusive: %q never happened", what)
	}
	t.Log("happened:", hit, slices.Sorted(maps.Keys(hit)))
}

// mustHit is what has to happen in the runs: each fault, and each way out of one.
var mustHit = []string{
	"process killed", "process paused", "process upgraded", "log stalled", "power lost", "tail cut",
	"message flipped", "message lost", "message doubled", "message lost on its way", "acknowledgement lost", "acknowledgement late",
	"messages told again", "heartbeat lost", "repeated message known", "another came first", "read on", "outcome unknown",
	"read while stalled", "stopped", "chain broken", "stepped aside", "proposed", "snapshot kept", "snapshot loaded",
	"effects not called for any more", "snapshot not written", "snapshot damaged", "late snapshot", "log cut", "log cut behind a sleeper",
	"read on behind the cut", "idle shard marked", "state bent", "states compared", "states differ: is as most are",
	"states differ: is one of as many: nobody knows which are right", "states differ: is outvoted", "call refused: states differ",
}

// TestPlantedBugs: the simulation finds bugs of each kind, and says by which seed.
func TestPlantedBugs(t *testing.T) {
	t.Parallel()
	for _, plant := range []string{
		"lost input", "answered before it is kept", "doubled effect", "stale owner", "skipped chain check", "snapshot bound to the wrong position",
		"effects of a former life", "cut behind a snapshot that nobody can read", "a late snapshot removes newer ones",
		"a shard's last message is cut off", "a sleeper goes on under its name", "nobody compares states",
	} {
		t.Run(plant, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(300) {
				s := newSim(seed, plant)
				s.run()
				if wrong := s.judge(); wrong != "" {
					healthy := newSim(seed, "")
					healthy.run()
					require.Empty(t, healthy.judge(), "seed %d", seed)
					t.Logf("seed %d: %s", seed, wrong)
					return
				}
			}
			require.Fail(t, "not found in 300 runs")
		})
	}
}
