package control_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEventsAreListed: the description names the events of each machine.
func TestEventsAreListed(t *testing.T) {
	t.Parallel()
	some := map[string]string{
		"movePayment": "approve", "moveRefund": "complete", "moveCardPayment": "succeed", "moveCard": "cancel",
		"moveDebitAuthorisation": "accept", "moveConsent": "accept", "movePlan": "pause",
	}
	for _, op := range start(t).control.Operations() {
		for _, p := range op.Params {
			if p.Name == "event" && p.In == "path" {
				require.Contains(t, p.Enum, some[op.ID], op.ID)
				require.Contains(t, p.Enum, p.Example, op.ID)
				require.NotContains(t, p.Enum, "create", op.ID)
				require.Contains(t, p.Description, some[op.ID])
				delete(some, op.ID)
			}
		}
	}
	require.Empty(t, some, "calls without a list of events")
}
