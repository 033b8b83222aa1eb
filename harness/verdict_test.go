package harness_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/check"
	"paysandbox/harness/report"
)

// A check's status is spelt as the verdict that it means in a report.
func TestStatusesAreVerdicts(t *testing.T) {
	t.Parallel()
	var verdicts []report.Verdict
	for _, s := range check.Statuses() {
		verdicts = append(verdicts, report.Verdict(s))
	}
	require.ElementsMatch(t, report.Verdicts(), verdicts)
}
