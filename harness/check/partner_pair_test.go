package check_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/check"
	"paysandbox/harness/clause"
	"paysandbox/harness/verdict"
)

// TestIntegrationPair expects one check for each clause of the integration
// catalogue, in its order, and each to judge its clause alone.
func TestIntegrationPair(t *testing.T) {
	t.Parallel()
	var want, got []string
	for _, c := range clause.Integration() {
		want = append(want, c.ID)
	}
	for _, c := range check.Integration() {
		got = append(got, c.ID)
		require.Equal(t, []string{c.ID}, c.Clauses, c.ID)
		require.NotEmpty(t, c.Title, c.ID)
	}
	require.Equal(t, want, got)
}

// TestIntegrationOnNothing expects every check to say what would have to happen.
func TestIntegrationOnNothing(t *testing.T) {
	t.Parallel()
	for _, r := range check.JudgeIntegration(newSpool("").tape()) {
		require.Equal(t, verdict.NotExercised, r.Word, told(r))
		hinted(t, &r)
	}
}

// TestIntegrationIsPure judges a long session of the service's own tests: twice
// the same comes out, no check breaks on any part of it, and none says of a part
// that something was wrong which the whole does not have.
func TestIntegrationIsPure(t *testing.T) {
	t.Parallel()
	f := shoot(t, rich(t).tape())
	whole := check.JudgeIntegration(f.copy(t).tape(f.opts))
	require.Equal(t, whole, check.JudgeIntegration(f.copy(t).tape(f.opts)))
	allowed := failing(whole)
	n := len(f.copy(t).entries)
	for cut := 11; cut < n; cut += 83 {
		r := f.copy(t)
		r.cut(uint64(cut))
		expectWithin(t, allowed, r.tape(f.opts))
		r = f.copy(t)
		r.entries = r.entries[:cut]
		expectWithin(t, allowed, r.tape(f.opts))
	}
}

func expectWithin(t *testing.T, allowed []string, tp *check.Tape) {
	t.Helper()
	for _, r := range check.JudgeIntegration(tp) {
		require.NotEqual(t, verdict.HarnessError, r.Word, told(r))
		if r.Word == verdict.Fail {
			require.True(t, slices.Contains(allowed, r.Check), "of %d entries: %s", len(tp.Entries), told(r))
		}
	}
}
