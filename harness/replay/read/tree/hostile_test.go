package tree_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/tree"
)

// TestAttackNestedWithoutEnd: each of a great many objects that open, one in the other, may be
// printed or be JSON; what is read of the text to know that neither is so is bounded.
func TestAttackNestedWithoutEnd(t *testing.T) { //nolint:paralleltest // it counts what is allocated
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	plain, calls := tree.Printed([]byte(strings.Repeat(`{"a":`, 12_000)))
	runtime.ReadMemStats(&after)
	require.Nil(t, plain)
	require.False(t, calls)
	require.Less(t, (after.TotalAlloc-before.TotalAlloc)>>20, uint64(400), "MiB")
}
