package check_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/check"
	"paysandbox/harness/check/checktest"
	"paysandbox/harness/check/service"
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

// TestServicePair expects one function for each rule of the catalogue, and none besides.
func TestServicePair(t *testing.T) {
	t.Parallel()
	want := slices.Collect(maps.Keys(service.Rules(service.Options{})))
	var got []clause.ID
	for _, r := range clause.Rules() {
		got = append(got, r.ID)
		require.NotEmpty(t, r.Title, r.ID)
	}
	require.ElementsMatch(t, want, got)
	require.Len(t, check.Service(service.Options{}), len(got))
}

// TestIntegrationOnNothing expects every check to say what would have to happen.
func TestIntegrationOnNothing(t *testing.T) {
	t.Parallel()
	for _, r := range check.Judge(checktest.New("").Trail(), check.Integration()) {
		require.Equal(t, verdict.NotExercised, r.Word, checktest.Told(r))
		checktest.Hinted(t, &r)
	}
}

// TestEveryClauseIsTried expects cases of each clause in the tests of the families: a
// tape that passes, one that fails, and one on which it does not come up.
func TestEveryClauseIsTried(t *testing.T) {
	t.Parallel()
	tests := sources(t, true)
	for _, c := range clause.Integration() {
		id := string(c.ID)
		tried := strings.Contains(tests, strconv.Quote(id)) || strings.Contains(tests, strconv.Quote(strings.TrimPrefix(id, "partner.webhook.")))
		require.True(t, tried, "no test of its family below partner tries %s", id)
	}
}

// sources are the files of the families, or their tests.
func sources(t *testing.T, tests bool) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("partner", "*", "*.go"))
	require.NoError(t, err)
	promises, err := filepath.Glob(filepath.Join("service", "*.go"))
	require.NoError(t, err)
	files = append(files, promises...)
	var all strings.Builder
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") == tests {
			text, err := os.ReadFile(f)
			require.NoError(t, err)
			all.Write(text)
		}
	}
	return all.String()
}

// TestHintsAreGiven expects each hint that a clause has for one way of breaking it to be
// named by a check. A name that no clause has makes the check panic.
func TestHintsAreGiven(t *testing.T) {
	t.Parallel()
	source := sources(t, false)
	for _, r := range clause.Rules() {
		for way := range r.Hints {
			require.Contains(t, source, strconv.Quote(way)+", ", "%s has a hint for %s", r.ID, way)
		}
	}
	for _, c := range clause.Integration() {
		for way := range c.Hints {
			require.Contains(t, source, strconv.Quote(way)+", ", "%s has a hint for %s", c.ID, way)
		}
	}
}
