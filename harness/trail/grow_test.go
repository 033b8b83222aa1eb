package trail_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// TestATrailGrows: what comes later is found as if it had been there from the beginning, and what
// was read before is read anew.
func TestATrailGrows(t *testing.T) {
	t.Parallel()
	call := func(seq uint64, operation string) tape.Entry {
		return tape.Entry{Seq: seq, Kind: tape.KindExchange, Exchange: &tape.Exchange{
			Operation: operation, Path: "/Payment/ABC", Request: tape.Request{Body: []byte(`{"Amount":"500"}`)}, Response: tape.Response{Status: 200, Body: []byte(`{"id":"p"}`)},
		}}
	}
	moved := func(seq, cause uint64, from, to string) tape.Entry {
		return tape.Entry{Seq: seq, Cause: cause, Kind: tape.KindTransition, Transition: &tape.Transition{Machine: "payment", Entity: "p", From: from, To: to}}
	}
	all := []tape.Entry{call(4, "createPayment"), moved(5, 4, "", "Pending"), call(6, "getPaymentStatus"), moved(7, 0, "Pending", "Paid")}
	whole := slices.Clone(all)

	t1 := trail.New(tape.Meta{}, all[:1])
	require.Len(t, t1.Calls(), 1)
	require.Empty(t, t1.State("p"))
	require.Empty(t, t1.Made(4, "payment"))
	t1.Append(all[1:])
	require.Equal(t, whole, all, "the entries that were given are not written to")
	require.Len(t, t1.Calls(), 2)
	require.Equal(t, "Paid", t1.State("p"))
	require.Equal(t, "p", t1.Made(4, "payment"))
	require.Empty(t, t1.Made(4, "refund"))
	require.Equal(t, uint64(5), t1.Born("p").Seq)
	require.Equal(t, uint64(7), t1.Entry(7).Seq)
	for c := range t1.CallsTo("createPayment", "cancelPayment") {
		require.Equal(t, uint64(4), c.Entry.Seq)
		require.True(t, c.About("abc"))
		require.False(t, c.About(""))
		require.Equal(t, int64(500), c.Sent().Cents("amount"))
		require.Equal(t, int64(-1), c.Answered().Cents("id"))
	}
}
