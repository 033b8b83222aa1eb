package check_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/check"
	"paysandbox/harness/clause"
	"paysandbox/harness/verdict"
)

// TestGoodServer expects every check to pass on a session that has something for
// each of them, and none to find anything wrong in the other environment.
func TestGoodServer(t *testing.T) {
	t.Parallel()
	t.Run("sandbox", func(t *testing.T) {
		t.Parallel()
		for _, r := range check.Judge(rich(t).tape()) {
			require.Equal(t, verdict.Pass, r.Word, told(r))
		}
	})
	t.Run("rehearsal", func(t *testing.T) {
		t.Parallel()
		for _, r := range check.Judge(rehearsal(t).tape()) {
			require.Contains(t, []verdict.Word{verdict.Pass, verdict.NotReached, verdict.NotApplicable}, r.Word, told(r))
		}
	})
}

// told writes a result for the message of a failed test.
func told(r check.Result) string {
	text := r.Check
	for _, v := range r.Judgements {
		text += "\n\t" + v.Text()
	}
	return text
}

func TestStandingChecks(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, c := range check.Standing() {
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
	require.Equal(t, check.Judge(tp), check.Judge(tp))
}
