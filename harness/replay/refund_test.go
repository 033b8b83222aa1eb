package replay_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read"
)

// TestARefundSentAgain: what the report shows behind the two of them is told, and no payment is spoken of that a refund might have made.
func TestARefundSentAgain(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../fixtures/reports/blind-curl-script-refunds-again/refund.*")
	require.NoError(t, err)
	c := made(t, sandbox(t), files, read.Options{})
	require.Equal(t, "partner.outcome.resolved", c.Diagnosis.Fault.Clause)
	told := strings.Join(c.Diagnosis.Lines, "\n")
	require.Contains(t, told, "12000 were refunded by then, as much as both together")
	require.NotContains(t, told, "made a payment")
}
