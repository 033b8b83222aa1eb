package trouble_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/tape"
)

// refund is one of a payment; fault is the id of the fault that it met.
func (b *bench) refund(payment string, amount, status int, fault string) {
	x := &tape.Exchange{
		Operation: "refundPayment", Method: "POST", Token: "jti", Path: "/Payment/Refund/" + payment,
		Request: tape.Request{Body: []byte(`{"amount":` + strconv.Itoa(amount) + `}`)}, Response: tape.Response{Status: status},
	}
	if fault != "" {
		x.Fault = tape.LabelFault(fault, "commit-then-drop")
	}
	b.put(tape.Entry{Kind: tape.KindExchange, Exchange: x, Entities: []string{payment}})
	b.now = b.now.Add(between)
}

// TestLostRefundsInFullShowNothing: who makes one again blindly is refused, as nothing is
// left. The answer to another one is lost, which may be a part, and so on until one was told
// of, or often enough.
func TestLostRefundsInFullShowNothing(t *testing.T) {
	t.Parallel()
	const makes, met, over = "make lost-refund [refundPayment]", "met lost-refund", "over lost-refund"
	begin := func(t *testing.T) *bench {
		t.Helper()
		b := newBench(t, only(t, "lost-refund"))
		b.passes("partner.outcome.resolved") // as of a payment
		b.refund("p0", 700, 200, "")
		require.Equal(t, []string{makes}, b.next())
		b.refund("p1", 900, 0, "observe-lost-refund-1")
		require.Equal(t, []string{met}, b.next())
		return b
	}
	t.Run("refused", func(t *testing.T) {
		t.Parallel()
		b := begin(t)
		b.refund("p1", 900, 400, "")
		require.Equal(t, []string{over, makes}, b.next())
		b.refund("p2", 300, 0, "observe-lost-refund-2")
		b.refund("p2", 300, 200, "")
		require.Equal(t, []string{met, over}, b.next())
		require.True(t, b.planner.Enough(b.verdict), "that one has told")
	})
	t.Run("refused each time", func(t *testing.T) {
		t.Parallel()
		b := begin(t)
		b.refund("p1", 900, 400, "")
		for _, fault := range []string{"2", "3", "4", "5"} {
			require.Equal(t, []string{over, makes}, b.next())
			b.refund("p1", 900, 0, "observe-lost-refund-"+fault)
			require.Equal(t, []string{met}, b.next())
			b.refund("p1", 900, 400, "")
		}
		require.Equal(t, []string{over}, b.next())
		require.True(t, b.planner.Enough(b.verdict))
	})
	for name, tc := range map[string]struct {
		operation string
		about     string
		moot      bool
	}{
		"looked up in the report":     {"reportTransactions", "", false},
		"looked up by its state":      {"getPaymentStatus", "p1", false},
		"another one was looked up":   {"getPaymentStatus", "p3", true},
		"somebody else was looked up": {"getUserStatus", "p1", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := begin(t)
			b.put(tape.Entry{Kind: tape.KindExchange, Entities: []string{tc.about}, Exchange: &tape.Exchange{
				Operation: tc.operation, Method: "GET", Token: "jti", Path: "/x", Response: tape.Response{Status: 200},
			}})
			b.refund("p1", 900, 400, "")
			b.now = b.now.Add(10 * time.Second)
			require.Equal(t, tc.moot, !b.planner.Enough(b.verdict) && len(b.next()) == 2)
		})
	}
	t.Run("another refund is refused", func(t *testing.T) {
		t.Parallel()
		b := begin(t)
		b.refund("p1", 800, 400, "")
		b.refund("p2", 900, 400, "")
		b.now = b.now.Add(10 * time.Second)
		require.Equal(t, []string{over}, b.next())
	})
}

// TestRareCallsAreWaitedForLonger: a suite that refunds once in a hundred calls meets the
// trouble all the same, although the clause holds so far.
func TestRareCallsAreWaitedForLonger(t *testing.T) {
	t.Parallel()
	b := newBench(t, only(t, "lost-refund"))
	b.passes("partner.outcome.resolved")
	b.refund("p0", 700, 200, "")
	var gone []int
	calls := 0
	require.NotEmpty(t, b.next())
	for range 200 {
		b.call("createPayment", "POST", 200, "")
		if calls++; len(b.next()) > 0 {
			gone, calls = append(gone, calls), 0
		}
	}
	require.Equal(t, []int{24, 48, 96}, gone, "and then it is given up")
}
