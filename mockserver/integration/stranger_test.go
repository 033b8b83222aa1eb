package integration_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// knock is a call of nobody.
func knock(i *integration.Integration) uint64 {
	c := &integration.Call{
		Kind: tape.KindExchange, Stranger: true, Exchange: tape.Exchange{Method: "GET", Path: "/Company/List", Auth: tape.AuthMissing},
	}
	i.Do(c, func(*world.World, *integration.Call) {})
	return c.Seq
}

// TestAttackStrangersOnTheTape calls as nobody far more often than the
// tape has entries.
func TestAttackStrangersOnTheTape(t *testing.T) {
	t.Parallel()
	r := registry(t, integration.Options{Tape: tape.Limits{Entries: 2000}})
	i := r.Default()
	create(t, i, "gym")
	first := knock(i)
	require.NotZero(t, first, "the owner is shown the first of them")
	for range 5000 {
		knock(i)
	}
	require.Zero(t, knock(i), "one that finds no room has no number on the owner's tape")
	create(t, i, "pool")
	ctx, stop := context.WithCancel(t.Context())
	stop()
	reading := i.Read(ctx, tape.Filter{})
	require.Zero(t, reading.Meta.Dropped)
	require.EqualValues(t, 1, reading.Entries[0].Seq)
	for n, e := range reading.Entries {
		require.EqualValues(t, n+1, e.Seq, "the owner's tape has no hole")
	}
	require.Less(t, len(reading.Entries), 600)
	kept, dropped := r.Strangers().Entries()
	require.Len(t, kept, 200)
	require.NotZero(t, dropped)
	require.Equal(t, tape.AuthMissing, kept[0].Exchange.Auth)
	require.NoError(t, i.Reset())
	require.NotZero(t, knock(i), "after a reset there is room again")
}
