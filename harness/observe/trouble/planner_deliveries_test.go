package trouble_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/tape"
)

// TestNothingIsHeldForLong gives up what holds back an event for eight seconds,
// and gives it up for good when that happens again and again.
func TestNothingIsHeldForLong(t *testing.T) {
	t.Parallel()
	b := newBench(t, only(t, "reorder"))
	arrive := func() {
		for _, e := range []string{"e1", "e2", "e3"} {
			b.deliver(e, "", 200)
		}
	}
	arrive()
	made := "make reorder [" + hook + "]"
	require.Equal(t, []string{made}, b.next())
	b.now = b.now.Add(time.Minute)
	require.Empty(t, b.next(), "nothing is held back")
	for n := range 8 {
		b.happens("e", 0, "Paid")
		b.now = b.now.Add(time.Minute)
		b.happens("e", 0, "Processing")
		for range 4 { // others go on meanwhile
			arrive()
		}
		b.now = b.now.Add(7 * time.Second)
		b.happens("e", 0, "Processing")
		require.Empty(t, b.next())
		b.now = b.now.Add(time.Second)
		if n == 7 {
			require.Equal(t, []string{"lift reorder", "give up reorder partner.webhook.order"}, b.next())
			break
		}
		require.Equal(t, []string{"lift reorder", made}, b.next())
	}
	arrive()
	require.Empty(t, b.next())
}

// TestEventsKeepTheirNames sends well what came under a name of its own.
func TestEventsKeepTheirNames(t *testing.T) {
	t.Parallel()
	for _, status := range []int{200, 500} {
		b := newBench(t, only(t, "unknown-event"))
		b.deliver("e1", "", 200)
		require.Equal(t, []string{"make unknown-event [" + hook + "]"}, b.next())
		b.deliver("e2", "unknown-event", status)
		b.passes("partner.webhook.unknown-event")
		require.Equal(t, []string{"met unknown-event"}, b.next())
		b.now = b.now.Add(400 * time.Millisecond)
		require.Equal(t, []string{"resend delivery of e2"}, b.next())
		b.deliver("e2", "", 200)
		require.Equal(t, []string{"lift unknown-event", "over unknown-event"}, b.next())
	}
}

// TestForgedDeliveriesComeOnceMore sends well what was rightly refused, after the
// application had the time to show what it does.
func TestForgedDeliveriesComeOnceMore(t *testing.T) {
	t.Parallel()
	b := newBench(t, only(t, "altered"), only(t, "unsigned"))
	b.deliver("e1", "", 200)
	require.Equal(t, []string{"make altered [" + hook + "]"}, b.next())
	b.deliver("e2", "altered-byte", 401)
	require.Equal(t, []string{"met altered"}, b.next())
	b.passes("partner.webhook.altered", "partner.webhook.no-follow-up")
	require.Empty(t, b.next(), "not at once")
	b.now = b.now.Add(400 * time.Millisecond)
	require.Equal(t, []string{"resend delivery of e2"}, b.next())
	b.deliver("e3", "", 200)
	require.Empty(t, b.next(), "that was another one")
	b.deliver("e2", "", 200)
	require.Equal(t, []string{"over altered", "make unsigned [" + hook + "]"}, b.next())

	b.deliver("e4", "missing-signature", 200)
	require.Equal(t, []string{"met unsigned"}, b.next())
	b.passes("partner.webhook.unsigned")
	b.now = b.now.Add(time.Second)
	require.Equal(t, []string{"over unsigned"}, b.next(), "what was wrongly accepted does not come again")
}

// TestDeliveriesOfOthersDoNotCount looks at the endpoint and the profile.
func TestDeliveriesOfOthersDoNotCount(t *testing.T) {
	t.Parallel()
	b := newBench(t, only(t, "odd-json"))
	b.deliver("e1", "", 200)
	b.next()
	b.deliver("e2", "extra-member", 200)
	b.deliver("e3", "", 200)
	require.Empty(t, b.next())
	b.deliver("e4", "duplicate,odd-json", 200)
	b.passes("partner.webhook.raw-bytes")
	require.Equal(t, []string{"met odd-json", "over odd-json"}, b.next())
}

// TestWhatMattersIsSeen makes a trouble again until a payment's event has met it.
func TestWhatMattersIsSeen(t *testing.T) {
	t.Parallel()
	b := newBench(t, only(t, "duplicate"))
	b.deliver("e1", "", 200)
	made := []string{"make duplicate [" + hook + "]"}
	require.Equal(t, made, b.next())
	b.deliver("e2", "duplicate", 200)
	b.passes("partner.webhook.duplicate")
	require.Equal(t, []string{"met duplicate"}, b.next(), "that was no payment")
	b.now = b.now.Add(5 * time.Second)
	require.Equal(t, append([]string{"lift duplicate", "over duplicate"}, made...), b.next())
	b.happens("e3", 1, "Paid")
	b.deliver("e3", "duplicate", 200)
	require.Equal(t, []string{"met duplicate", "lift duplicate", "over duplicate"}, b.next())

	forged := newBench(t, only(t, "altered"), only(t, "forged-payment"))
	forged.deliver("e1", "", 200)
	forged.next()
	forged.happens("e2", 0, "Paid")
	forged.deliver("e2", "altered-byte", 401)
	forged.passes("partner.webhook.altered", "partner.webhook.no-follow-up")
	forged.now = forged.now.Add(time.Second)
	forged.next()
	forged.deliver("e2", "", 200)
	require.Equal(t, []string{"over altered"}, forged.next(), "one forgery of a payment is enough")
}

// TestWhatAnAnswerTellsIsNoForgery: a saved card's charge that is Paid at once says
// nothing about deliveries that have to be refused.
func TestWhatAnAnswerTellsIsNoForgery(t *testing.T) {
	t.Parallel()
	for cause, again := range map[uint64]bool{5: true, 0: false} {
		b := newBench(t, only(t, "forged-payment"))
		b.deliver("e1", "", 200)
		made := []string{"make forged-payment [" + hook + "]"}
		require.Equal(t, made, b.next())
		b.call("chargeSavedCard", "POST", 200, "")
		b.happens("e2", cause, "Paid")
		b.deliver("e2", "missing-signature", 401)
		b.passes("partner.webhook.no-follow-up")
		b.next()
		b.now = b.now.Add(10 * time.Second)
		require.Equal(t, again, slices.Contains(b.next(), made[0]), cause)
	}
}

// forged is a bench on which a payment was forged and refused, and what was made for it.
func forged(t *testing.T) (*bench, string) {
	t.Helper()
	b := newBench(t, only(t, "forged-payment"))
	b.deliver("e1", "", 200)
	made := "make forged-payment [" + hook + "]"
	require.Equal(t, []string{made}, b.next())
	b.happens("e2", 0, "Paid")
	b.deliver("e2", "missing-signature", 401)
	b.passes("partner.webhook.no-follow-up")
	return b, made
}

// TestAForgeryThatIsMadeGoodAtOnceShowsNothing: when the clock is moved the retry
// comes at the same moment, and what follows may follow from that.
func TestAForgeryThatIsMadeGoodAtOnceShowsNothing(t *testing.T) {
	t.Parallel()
	for _, atOnce := range []bool{true, false} {
		b, made := forged(t)
		if atOnce {
			b.deliver("e2", "", 200)
		}
		b.next()
		b.now = b.now.Add(400 * time.Millisecond)
		b.next()
		b.deliver("e2", "", 200)
		b.now = b.now.Add(5 * time.Second)
		require.Equal(t, atOnce, slices.Contains(b.next(), made))
	}
}

// TestAForgeryWhoseStateIsReadShowsNothing: an application that reads the state of what it
// sells at once has learnt of the payment there, so that another one is forged.
func TestAForgeryWhoseStateIsReadShowsNothing(t *testing.T) {
	t.Parallel()
	for path, again := range map[string]bool{"/Payment/of-e2/Status": true, "/Payment/of-e9/Status": false} {
		b, made := forged(t)
		b.put(tape.Entry{Kind: tape.KindExchange, Exchange: &tape.Exchange{Operation: "getPaymentStatus", Method: "GET", Path: path, Token: "jti", Response: tape.Response{Status: 200}}})
		b.now = b.now.Add(400 * time.Millisecond)
		b.next()
		b.deliver("e2", "", 200)
		b.now = b.now.Add(5 * time.Second)
		require.Equal(t, again, slices.Contains(b.next(), made), path)
	}
}

// TestAReturnWhileOtherTroubleWasMade: the events before returns are held back later on,
// although something else was going on when there was one; not for ever, when none comes.
func TestAReturnWhileOtherTroubleWasMade(t *testing.T) {
	t.Parallel()
	b := newBench(t, only(t, "reorder-return"))
	b.deliver("e1", "", 200)
	for _, c := range [][2]string{{"Processing", "Paid"}, {"Paid", "Failed"}} {
		b.put(tape.Entry{Kind: tape.KindTransition, Transition: &tape.Transition{Machine: "payment", Entity: "p", From: c[0], To: c[1]}})
	}
	b.now = b.now.Add(time.Minute)
	made := "make reorder-return [" + hook + "]"
	require.Equal(t, []string{made}, b.next())
	for range 7 {
		b.happens("e3", 1, "Paid")
		b.now = b.now.Add(time.Second)
		require.Equal(t, []string{"lift reorder-return", made}, b.next())
	}
	b.happens("e3", 1, "Paid")
	b.now = b.now.Add(time.Second)
	require.Equal(t, []string{"lift reorder-return"}, b.next(), "none was returned")
}

// TestAnEndpointThatIsRemoved: an application that registers its address anew at each start
// takes what was armed at the old one with it. Nothing is lifted there, and the next trouble
// is made where deliveries come now.
func TestAnEndpointThatIsRemoved(t *testing.T) {
	t.Parallel()
	b := newBench(t, only(t, "odd-json"), only(t, "unsigned"))
	b.deliver("e1", "", 200)
	require.Equal(t, []string{"make odd-json [" + hook + "]"}, b.next())
	b.control("removeWebhook", "/x/webhooks/"+hook, "shop", "", "")
	require.Empty(t, b.next())
	b.now = b.now.Add(time.Minute)
	require.Empty(t, b.next(), "nobody hears there")
	b.put(tape.Entry{Kind: tape.KindAttempt, Attempt: &tape.Attempt{Delivery: "d2", Endpoint: "new", Event: "e2", Number: 1, Status: 200}})
	made := b.next()
	require.Len(t, made, 1)
	require.Contains(t, made[0], "[new]")
}
