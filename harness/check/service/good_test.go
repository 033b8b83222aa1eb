package service_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/check"
	"paysandbox/harness/check/checktest"
	"paysandbox/harness/check/service"
	"paysandbox/harness/clause"
	"paysandbox/harness/sampling"
	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
)

// TestGoodServer expects every check to pass on a session that has something for
// each of them, and none to find anything wrong in the other environment.
func TestGoodServer(t *testing.T) {
	t.Parallel()
	t.Run("sandbox", func(t *testing.T) {
		t.Parallel()
		for _, r := range rich(t).tape().judge() {
			require.Equal(t, verdict.Pass, r.Word, checktest.Told(r))
		}
	})
	t.Run("rehearsal", func(t *testing.T) {
		t.Parallel()
		for _, r := range rehearsal(t).tape().judge() {
			require.Contains(t, []verdict.Word{verdict.Pass, verdict.NotReached, verdict.NotApplicable}, r.Word, checktest.Told(r))
		}
	})
}

func TestStandingChecks(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, c := range check.Service(service.Options{}) {
		require.False(t, seen[c.ID], c.ID)
		seen[c.ID] = true
		require.NotEmpty(t, c.Title, c.ID)
		for _, id := range c.Clauses {
			_, ok := clause.Lookup(id)
			require.True(t, ok, "%s judges %s, which the catalogue does not have", c.ID, id)
		}
	}
	require.Len(t, seen, 24)
}

// TestJudgeIsPure expects the same verdicts for the same tape.
func TestJudgeIsPure(t *testing.T) {
	t.Parallel()
	tp := rehearsal(t).tape()
	require.Equal(t, tp.judge(), tp.judge())
}

// TestIntegrationIsPure judges a long session of the service's own tests: twice
// the same comes out, no check breaks on any part of it, and none says of a part
// that something was wrong which the whole does not have.
func TestIntegrationIsPure(t *testing.T) {
	sampling.NotRaced(t, "it judges one tape after the other; TestBrokenServers judges the same way with it")
	t.Parallel()
	f := shoot(t, rich(t).tape())
	whole := check.Judge(f.copy(t).tape(f.opts).Trail, check.Integration())
	require.Equal(t, whole, check.Judge(f.copy(t).tape(f.opts).Trail, check.Integration()))
	allowed := failing(whole)
	n := len(f.copy(t).entries)
	for cut := 11; cut < n; cut += 83 {
		r := f.copy(t)
		r.cut(uint64(cut))
		expectWithin(t, allowed, r.tape(f.opts).Trail)
		r = f.copy(t)
		r.entries = r.entries[:cut]
		expectWithin(t, allowed, r.tape(f.opts).Trail)
	}
}

func expectWithin(t *testing.T, allowed []string, tp *trail.Trail) {
	t.Helper()
	for _, r := range check.Judge(tp, check.Integration()) {
		require.NotEqual(t, verdict.HarnessError, r.Word, checktest.Told(r))
		if r.Word == verdict.Fail {
			require.True(t, slices.Contains(allowed, r.Check), "of %d entries: %s", len(tp.Entries), checktest.Told(r))
		}
	}
}
