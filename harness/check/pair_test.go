package check_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
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

// TestHintsAreGiven expects each hint that a clause has for one way of breaking it to be
// named by a check. A name that no clause has makes the check panic.
func TestHintsAreGiven(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("partner", "*", "*.go"))
	require.NoError(t, err)
	var source strings.Builder
	for _, f := range files {
		if !strings.HasSuffix(f, "_test.go") {
			text, err := os.ReadFile(f)
			require.NoError(t, err)
			source.Write(text)
		}
	}
	for _, c := range clause.Integration() {
		for way := range c.Hints {
			require.Contains(t, source.String(), strconv.Quote(way)+", ", "%s has a hint for %s", c.ID, way)
		}
	}
}
