package trail_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/trail"
)

// TestSpanBelowZero: no verdict says that something happened within -10h0m0s.
func TestSpanBelowZero(t *testing.T) {
	t.Parallel()
	require.Equal(t, "1.5s", trail.Span(int64(1500*time.Millisecond)))
	require.Equal(t, "a time below zero, which no sandbox writes", trail.Span(-int64(10*time.Hour)))
}
