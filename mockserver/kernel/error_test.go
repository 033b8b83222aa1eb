package kernel_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/kernel"
)

// TestAMissingIDIsSeen: two blanks would tell nothing.
func TestAMissingIDIsSeen(t *testing.T) {
	t.Parallel()
	require.Equal(t, "no registration r1 in this integration", kernel.NoSuch("registration", "r1").Detail)
	require.Equal(t, `no registration "" in this integration`, kernel.NoSuch("registration", "").Detail)
}
