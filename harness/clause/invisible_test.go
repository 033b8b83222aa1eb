package clause_test

import (
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/clause"
	"paysandbox/scenarios"
)

// TestWhatIsInvisible names either who has to look, or a journey that there is, and no
// clause that is judged.
func TestWhatIsInvisible(t *testing.T) {
	t.Parallel()
	list := clause.NotVisible()
	require.NotEmpty(t, list)
	judged := map[string]bool{}
	for _, c := range clause.Integration() {
		judged[c.Title] = true
	}
	for _, x := range list {
		require.NotEmpty(t, x.Title)
		require.False(t, judged[x.Title], "%s is judged", x.Title)
		require.NotEqual(t, x.Instead == "", x.Journey == "", "%s: either instead or journey", x.Title)
		if x.Journey != "" {
			_, err := fs.Stat(scenarios.FS(), x.Journey+".feature")
			require.NoError(t, err, x.Title)
		}
	}
	list[0].Title = "spoilt"
	require.NotEqual(t, "spoilt", clause.NotVisible()[0].Title, "the list is the caller's")
}
