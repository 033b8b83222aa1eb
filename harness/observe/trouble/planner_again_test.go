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

// TestWhatDoesNotComeAgain: when the delivery that is to be sent once more does not come, as
// the sandbox has forgotten it or its endpoint, nothing goes on being altered for it; and of
// an endpoint that was removed nothing is sent once more.
func TestWhatDoesNotComeAgain(t *testing.T) {
	t.Parallel()
	b := newBench(t, only(t, "forged-again"))
	take := func(event string) {
		b.happens(event, 0, "Processing")
		b.deliver(event, "", 200)
		b.now = b.now.Add(5 * time.Second)
	}
	take("e1")
	require.Equal(t, []string{"make forged-again [" + hook + "]"}, b.next())
	require.Equal(t, []string{"resend delivery of e1"}, b.next())
	b.now = b.now.Add(6 * time.Second)
	require.Contains(t, b.next(), "lift forged-again")
	b.now = b.now.Add(time.Minute)
	b.control("removeWebhook", "/x/webhooks/"+hook, "shop", "", "")
	b.deliver("e9", "", 200)
	require.Empty(t, b.next(), "what was taken went to another endpoint")
}

// TestWhatIsRareKeepsNothingWaiting: trouble for calls that move money is made for those
// that come most often, not for the refund that happened to come last; and what shows how
// long a caller waits is over once its call goes well.
func TestWhatIsRareKeepsNothingWaiting(t *testing.T) {
	t.Parallel()
	b := newBench(t, only(t, "slow-payment"), only(t, "failing"))
	for _, operation := range []string{"createPayment", "createPayment", "refundPayment"} {
		b.call(operation, "POST", 200, "")
	}
	require.Equal(t, []string{"make slow-payment [createPayment]"}, b.next())
	b.call("createPayment", "POST", 200, "observe-slow-payment-1: latency=4200ms")
	require.Equal(t, []string{"met slow-payment"}, b.next())
	b.call("createPayment", "POST", 200, "")
	require.Equal(t, []string{"over slow-payment", "give up slow-payment partner.client.timeout", "make failing [createPayment]"}, b.next())
}

// TestReturnsThatComeEveryNowAndThen: a suite that returns each third payment that is Paid
// has the event before that held back, and not the one that comes next.
func TestReturnsThatComeEveryNowAndThen(t *testing.T) {
	t.Parallel()
	b := newBench(t, only(t, "reorder-return"))
	b.deliver("e1", "", 200)
	moves := func(id, from, to string) {
		b.put(tape.Entry{Kind: tape.KindTransition, Transition: &tape.Transition{Machine: "payment", Entity: id, From: from, To: to}})
	}
	for _, id := range []string{"1", "2", "3", "4", "5", "6"} {
		moves(id, "Processing", "Paid")
		if id == "3" || id == "6" {
			moves(id, "Paid", "Failed")
		}
	}
	require.Empty(t, b.next(), "one was returned just now")
	moves("7", "Processing", "Paid")
	require.Empty(t, b.next())
	moves("8", "Processing", "Paid")
	require.Equal(t, []string{"make reorder-return [" + hook + "]"}, b.next())
}

// TestReturnsAreWaitedForInARow: when the payment whose event was held back was not
// returned, the next one may be; other trouble would meet that one's event.
func TestReturnsAreWaitedForInARow(t *testing.T) {
	t.Parallel()
	b := newBench(t, only(t, "reorder-return"), only(t, "odd-json"))
	b.deliver("e1", "", 200)
	for _, c := range [][2]string{{"Processing", "Paid"}, {"Paid", "Failed"}} {
		b.put(tape.Entry{Kind: tape.KindTransition, Transition: &tape.Transition{Machine: "payment", Entity: "p", From: c[0], To: c[1]}})
	}
	made := "make reorder-return [" + hook + "]"
	require.Equal(t, []string{made}, b.next())
	b.happens("e2", 1, "Paid")
	b.now = b.now.Add(time.Second)
	require.Equal(t, []string{"lift reorder-return", made}, b.next())
}

// TestAReturnIsWaitedFor: what is half shown by events of other payments that change places
// is not enough as long as a return may come.
func TestAReturnIsWaitedFor(t *testing.T) {
	t.Parallel()
	b := newBench(t, only(t, "token-revoked"), only(t, "reorder-return"))
	require.Equal(t, []string{"make token-revoked [POST]"}, b.next())
	b.call("registerUser", "POST", 401, "observe-token-revoked-1")
	b.call("registerUser", "POST", 200, "")
	b.passes("partner.token.recover")
	b.verdicts["partner.webhook.order"] = verdict.Review
	require.Equal(t, []string{"met token-revoked", "over token-revoked"}, b.next())
	require.False(t, b.planner.Enough(b.verdict))
	require.Equal(t, []string{"a payment that is returned as soon as it is Paid"}, b.planner.Waits(b.verdict))
	for range 60 {
		b.deliver("e", "", 200)
	}
	require.Equal(t, []string{"give up reorder-return partner.webhook.order"}, b.next())
	require.True(t, b.planner.Enough(b.verdict))
}

// TestOneReadingFailsUntilItIsGivenUp: after the few failures that any meets, the one that
// was met first goes on failing, and no other.
func TestOneReadingFailsUntilItIsGivenUp(t *testing.T) {
	t.Parallel()
	const clause, fault = "partner.retry.bounded", "observe-outage-1"
	b := newBench(t, only(t, "outage"))
	b.call("getPaymentStatus", "GET", 200, "")
	require.Equal(t, []string{"make outage [getPaymentStatus]"}, b.next())
	b.put(tape.Entry{Kind: tape.KindExchange, Exchange: &tape.Exchange{
		Operation: "getPaymentStatus", Method: "GET", Path: "/Payment/p1/Status", Fault: fault + ": status=500", Response: tape.Response{Status: 500},
	}})
	list := b.planner.Next(b.now, b.verdict)
	require.Equal(t, []string{"met outage", "go on outage"}, short(list))
	require.Equal(t, "p1", list[1].Entity)
	for range 9 { // others go on meanwhile
		b.call("getPaymentStatus", "GET", 500, fault+"-on")
		b.call("createPayment", "POST", 200, "")
		b.now = b.now.Add(7 * time.Second)
		require.Empty(t, b.next())
	}
	b.verdicts[clause] = verdict.Fail
	require.Equal(t, []string{"lift outage", "lift outage", "over outage"}, b.next())

	b = newBench(t, only(t, "outage"))
	b.call("getPaymentStatus", "GET", 200, "")
	b.next()
	b.call("getPaymentStatus", "GET", 500, fault)
	b.next()
	b.now = b.now.Add(15 * time.Second)
	require.Equal(t, []string{"lift outage", "lift outage", "over outage", "give up outage " + clause}, b.next(), "it was given up")
}

// TestAReadingThatFailsHidesNoChange: who is told that a payment has changed, and looks it
// up, is not refused because another reading of it is.
func TestAReadingThatFailsHidesNoChange(t *testing.T) {
	t.Parallel()
	const fault = "observe-outage-1"
	b := newBench(t, only(t, "outage"))
	b.call("getPaymentStatus", "GET", 200, "")
	require.Equal(t, []string{"make outage [getPaymentStatus]"}, b.next())
	b.put(tape.Entry{Kind: tape.KindExchange, Exchange: &tape.Exchange{
		Operation: "getPaymentStatus", Method: "GET", Path: "/Payment/P1/Status", Fault: fault + ": status=500", Response: tape.Response{Status: 500},
	}})
	require.Equal(t, []string{"met outage", "go on outage"}, b.next())
	b.put(tape.Entry{Kind: tape.KindTransition, Transition: &tape.Transition{Machine: "payment", Entity: "p2", From: "Paid", To: "Failed"}})
	require.Empty(t, b.next(), "another payment")
	b.put(tape.Entry{Kind: tape.KindTransition, Transition: &tape.Transition{Machine: "payment", Entity: "p1", From: "Paid", To: "Failed"}})
	require.Equal(t, []string{"lift outage", "lift outage", "over outage", "make outage [getPaymentStatus]"}, b.next(), "it has shown nothing: once more")
}

// TestNoTokenIsRefusedTwiceInARow: a token that ends by itself is renewed once, and the call
// that is made again is not refused by trouble.
func TestNoTokenIsRefusedTwiceInARow(t *testing.T) {
	t.Parallel()
	b := newBench(t, only(t, "token-revoked"))
	b.call("registerUser", "POST", 401, "")
	b.now = b.now.Add(time.Second)
	require.Empty(t, b.next(), "the call that was refused comes again")
	b.call("registerUser", "POST", 200, "")
	b.now = b.now.Add(-between / 2)
	require.Empty(t, b.next(), "the next one may follow at once")
	b.now = b.now.Add(between / 2)
	require.Equal(t, []string{"make token-revoked [POST]"}, b.next())
}

// TestManyAtOnceAreOneSale: the events of many payments at one moment do not end what waits
// for the event that one of them causes next.
func TestManyAtOnceAreOneSale(t *testing.T) {
	t.Parallel()
	b := newBench(t, only(t, "reorder"), only(t, "odd-json"))
	b.deliver("e1", "", 200)
	require.Equal(t, []string{"make reorder [" + hook + "]"}, b.next())
	for range 5 {
		for range 8 {
			b.deliver("e", "", 200)
			b.call("createPayment", "POST", 200, "")
			b.now = b.now.Add(-between) // at the same moment
		}
		b.now = b.now.Add(time.Second)
		require.Empty(t, b.next())
	}
}

// TestWhatIsWaitedForIsWhatIsNeeded: nobody is asked for a call that would show nothing, nor
// for one that the application does not make while the clause holds without it.
func TestWhatIsWaitedForIsWhatIsNeeded(t *testing.T) {
	t.Parallel()
	b := newBench(t, only(t, "lost-refund"), only(t, "lost-charge"), only(t, "parallel-refusal"), only(t, "reorder"))
	b.passes("partner.outcome.resolved")
	require.Equal(t, []string{
		"a payment that tells Processing, and by another event within eight seconds what follows",
		"readings of several states at the same time",
	}, b.planner.Waits(b.verdict))
	b.call("refundPayment", "POST", 200, "")
	require.Contains(t, b.planner.Waits(b.verdict), "a refund")
}
