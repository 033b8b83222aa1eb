package durable_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/durable"
)

// TestTurns: once a batch came second, exactly one of the processes that append goes
// on at a time, in turn, and one that appends no more is waited for a few batches only.
func TestTurns(t *testing.T) {
	t.Parallel()
	all := []uuid.UUID{{1}, {2}, {3}}
	var turns durable.Turns
	free := func() (list []uuid.UUID) {
		for _, p := range all {
			if !turns.Yields(p) {
				list = append(list, p)
			}
		}
		return list
	}
	for _, p := range all {
		turns.Took(p)
		require.Equal(t, all, free(), "nobody waits while no batch came second")
	}
	turns.Lost()
	for n := range 9 {
		require.Equal(t, []uuid.UUID{all[n%3]}, free())
		turns.Took(all[n%3])
	}
	for range 5 { // the third one is gone: the others wait for it, by a timer, until it is forgotten
		turns.Took(all[0])
		turns.Took(all[1])
	}
	require.Equal(t, []uuid.UUID{all[0], all[2]}, free())
	turns.Took(all[0])
	require.Equal(t, []uuid.UUID{all[1], all[2]}, free())
	for range 40 {
		turns.Took(all[0])
	}
	require.Equal(t, all, free(), "and nobody once all came first")
}
