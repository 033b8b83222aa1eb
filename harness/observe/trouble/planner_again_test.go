package trouble_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// TestALostRefundStandsForNoPayment: what shows that the outcome of a refund is looked up
// says nothing about payments.
func TestALostRefundStandsForNoPayment(t *testing.T) {
	t.Parallel()
	b := newBench(t, only(t, "lost-answer"))
	b.verdicts["partner.outcome.resolved"], b.verdicts["partner.idempotency.same-key"] = verdict.Pass, verdict.NotApplicable
	b.call("createPayment", "POST", 200, "")
	b.call("refundPayment", "POST", 200, "")
	require.Equal(t, []string{"make lost-answer [createPayment]"}, b.next())
}

// TestWhatWasTakenLongAgoIsForged sends a delivery once more, altered, when its payment is
// at rest, and well what another event has met of the profile.
func TestWhatWasTakenLongAgoIsForged(t *testing.T) {
	t.Parallel()
	b := newBench(t, only(t, "forged-again"))
	b.happens("e1", 0, "Processing")
	b.deliver("e1", "", 200)
	b.happens("e2", 0, "Paid")
	b.deliver("e2", "", 200)
	require.Empty(t, b.next(), "it has only just been told")
	b.now = b.now.Add(5 * time.Second)
	b.put(tape.Entry{Kind: tape.KindExchange, Entities: []string{"OF-E1"}, Exchange: &tape.Exchange{Operation: "getPaymentStatus", Method: "GET", Response: tape.Response{Status: 200}}})
	require.Empty(t, b.next(), "its state has just been read")
	for range 3 {
		b.now = b.now.Add(5 * time.Second)
		require.Equal(t, []string{"make forged-again [" + hook + "]"}, b.next())
		require.Equal(t, []string{"resend delivery of e1"}, b.next())
		b.happens("e3", 0, "Canceled")
		b.deliver("e3", "altered-status", 401)
		b.deliver("e1", "altered-status", 401)
		require.Equal(t, []string{"met forged-again", "lift forged-again"}, b.next())
		b.now = b.now.Add(time.Second)
		require.Equal(t, []string{"resend delivery of e3"}, b.next())
		b.passes("partner.webhook.no-follow-up", "partner.webhook.altered")
		b.now = b.now.Add(time.Second)
		require.Equal(t, []string{"over forged-again"}, b.next())
	}
	b.now = b.now.Add(time.Minute)
	require.Empty(t, b.next(), "three times is enough")
}
