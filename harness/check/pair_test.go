package check_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/check"
	"paysandbox/harness/check/checktest"
	"paysandbox/harness/clause"
	"paysandbox/harness/verdict"
)

// TestIntegrationPair expects one check for each clause of the integration
// catalogue, in its order, and each to judge its clause alone.
func TestIntegrationPair(t *testing.T) {
	t.Parallel()
	var want, got []string
	for _, c := range clause.Integration() {
		want = append(want, string(c.ID))
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
	for _, r := range check.Judge(checktest.New("").Tape(), check.Integration()) {
		require.Equal(t, verdict.NotExercised, r.Word, checktest.Told(r))
		checktest.Hinted(t, &r)
	}
}
