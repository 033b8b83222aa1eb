package spelling_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paysandbox/harness/sampling"
	"paysandbox/mockserver/spelling"
)

func TestEdits(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"create", "creat", 1}, {"list", "lits", 2}, {"kitten", "sitting", 3}, {strings.Repeat("a", 64), strings.Repeat("a", 65), 1}, {strings.Repeat("a", 65), "", 65}} {
		require.Equal(t, row.want, spelling.Edits(row.a, row.b), "%q %q", row.a, row.b)
	}
	sampling.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[a-c]{0,6}`)
		a, b, c := word.Draw(t, "a"), word.Draw(t, "b"), word.Draw(t, "c")
		require.Equal(t, spelling.Edits(a, b), spelling.Edits(b, a))
		require.LessOrEqual(t, spelling.Edits(a, c), spelling.Edits(a, b)+spelling.Edits(b, c))
	})
}

// TestNear: a name is suggested where one is near, and nowhere else.
func TestNear(t *testing.T) {
	t.Parallel()
	names := []string{"companyReferenceId", "status", "pageSize"}
	for given, want := range map[string]string{
		"satus": "status", "STATUS": "status", "page": "pageSize", "companyReference": "companyReferenceId", "company_reference_id": "companyReferenceId",
		"zebra": "", "id": "", "x": "", "": "", strings.Repeat("a", 300): "",
	} {
		require.Equal(t, want, spelling.Near(given, names), given)
	}
	require.Empty(t, spelling.Near("status", nil))
}
