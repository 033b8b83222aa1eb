package console

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAPageDoesNotWaitForALongFile asks what was due at the end of a file that is still being
// played to it: the page says so, and the next one tells.
func TestAPageDoesNotWaitForALongFile(t *testing.T) {
	t.Parallel()
	busy := make(chan struct{})
	o := &opened{}
	o.ending.busy, o.ending.due = busy, dueList{Total: 3}
	_, playing, err := new(visit).dueAtEnd(o)
	require.NoError(t, err)
	require.True(t, playing)
	close(busy)
	list, playing, err := new(visit).dueAtEnd(o)
	require.NoError(t, err)
	require.False(t, playing)
	require.Equal(t, 3, list.Total)
}
