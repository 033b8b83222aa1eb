package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTheConsoleMakesTheCase: what the console shows is what `paysandbox replay` says.
func TestTheConsoleMakesTheCase(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../fixtures/reports/gateway-then-again/session.har")
	require.NoError(t, err)
	c, err := caseOf(t.Context(), "session.har", raw)
	require.NoError(t, err)
	require.Equal(t, "partner", c.Side)
	require.Equal(t, "bad", c.Tone)
	require.Len(t, c.Lines, 5)
	require.Contains(t, c.Lines[2], "partner.outcome.resolved")
	require.NotEmpty(t, c.Assumptions)
	require.NotContains(t, strings.Join(append(append(c.Lines, c.Notes...), c.Differences...), "\n"), "pat.lindgren@example.com")
	_, err = caseOf(t.Context(), "x.txt", []byte("hello"))
	require.ErrorContains(t, err, "it is in no known form")
}
