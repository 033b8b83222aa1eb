package control_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEventsAreListed: the description names the events of each machine.
func TestEventsAreListed(t *testing.T) {
	t.Parallel()
	n := 0
	for _, op := range start(t).control.Operations() {
		for _, p := range op.Params {
			if p.Name == "event" && p.In == "path" {
				n++
				require.NotEmpty(t, p.Enum, "%s: no row of actions in action.go has its path", op.ID)
				require.Contains(t, p.Enum, p.Example, op.ID)
				require.NotContains(t, p.Enum, "create", op.ID)
				for _, event := range p.Enum {
					require.Contains(t, p.Description, event, op.ID)
				}
			}
		}
	}
	require.GreaterOrEqual(t, n, 7, "the calls that take a step")
}
