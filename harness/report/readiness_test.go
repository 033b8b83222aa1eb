package report_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/report"
)

// TestClausesAreCalledByTheirTitles: one whose id begins as another's keeps its own, and one
// without a title its id.
func TestClausesAreCalledByTheirTitles(t *testing.T) {
	t.Parallel()
	clauses := []report.ClauseResult{{ID: "partner.body", Title: "Bodies are whole"}, {ID: "partner.body.cents", Title: "Amounts are cents"}, {ID: "partner.x"}, {Title: "nobody's"}}
	require.Equal(t, "2 are broken: “Amounts are cents”, “Bodies are whole”. Not partner.x.",
		report.Titled("2 are broken: partner.body.cents, partner.body. Not partner.x.", clauses))
	require.Equal(t, "as it is", report.Titled("as it is", nil))
}
