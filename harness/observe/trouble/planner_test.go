package trouble_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/check/checktest"
	"paysandbox/harness/clause"
	"paysandbox/harness/observe/trouble"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// TestTroublesFitTheCatalogue holds the table to what it may ask of anybody.
func TestTroublesFitTheCatalogue(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, one := range trouble.Troubles() {
		require.Regexp(t, `^[a-z-]+$`, one.Name)
		require.False(t, seen[one.Name], one.Name)
		seen[one.Name] = true
		require.NotEmpty(t, one.Clauses, one.Name)
		for _, id := range one.Clauses {
			c, known := clause.Lookup(id)
			require.True(t, known, id)
			require.NotEmpty(t, c.Exercise, id)
		}
		require.NotEmpty(t, one.Say, one.Name)
		require.NotEqual(t, one.Profile == "", one.Effect == trouble.Effect{}, one.Name)
		if one.Profile == "" {
			require.LessOrEqual(t, one.Count, 3, "never more failures in a row than a sane client repeats: %s", one.Name)
			require.Positive(t, one.Count, one.Name)
			require.NotEmpty(t, one.On, one.Name)
			require.True(t, one.Until == 0 || one.On == trouble.AState, "but for one reading that can be given up: %s", one.Name)
		} else {
			require.NotEqual(t, one.Again, one.Next > 0, one.Name)
		}
	}
}

func TestEffectsReadAsTheHeaderWritesThem(t *testing.T) {
	t.Parallel()
	for want, e := range map[string]trouble.Effect{
		"status=429; retry-after=1": {Status: 429, RetryAfter: 1},
		"latency=1m":                {Latency: "1m"},
		"cut-connection=start":      {CutConnection: "start"},
		"commit-then-drop":          {CommitThenDrop: true},
		"token-revoked=call":        {TokenRevoked: "call"},
	} {
		require.Equal(t, want, e.String())
	}
}

// TestOnlyTrafficThatWasSeenIsTroubled asks for each kind of traffic first.
func TestOnlyTrafficThatWasSeenIsTroubled(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		trouble string
		before  func(b *bench)
		want    []string
	}{
		"a POST needs nothing":       {"token-revoked", nil, []string{"make token-revoked [POST]"}},
		"no payment yet":             {"lost-answer", func(b *bench) { b.call("getPaymentStatus", "GET", 200, "") }, nil},
		"a payment, not its refund":  {"lost-answer", func(b *bench) { b.call("createPayment", "POST", 200, ""); b.call("refundPayment", "POST", 200, "") }, []string{"make lost-answer [createPayment]"}},
		"the operation used last":    {"failing", func(b *bench) { b.call("createPayment", "POST", 200, ""); b.call("refundPayment", "POST", 200, "") }, []string{"make failing [refundPayment]"}},
		"no reading yet":             {"busy", func(b *bench) { b.call("createPayment", "POST", 200, "") }, nil},
		"a reading":                  {"busy", func(b *bench) { b.call("listCompanies", "GET", 200, "") }, []string{"make busy [GET]"}},
		"a state":                    {"parallel-refusal", func(b *bench) { b.call("getUserStatus", "GET", 200, ""); b.now = b.now.Add(time.Second) }, []string{"make parallel-refusal [getUserStatus]"}},
		"a list is no state":         {"parallel-refusal", func(b *bench) { b.call("listCompanies", "GET", 200, "") }, nil},
		"a payment that is put off":  {"busy-payment", func(b *bench) { b.call("createPayment", "POST", 200, "") }, []string{"make busy-payment [createPayment]"}},
		"a payment that takes long":  {"slow-payment", func(b *bench) { b.call("createPayment", "POST", 200, "") }, []string{"make slow-payment [createPayment]"}},
		"no receiver":                {"altered", nil, nil},
		"a receiver that fails":      {"altered", func(b *bench) { b.deliver("e1", "", 500) }, nil},
		"a receiver that accepts":    {"altered", func(b *bench) { b.deliver("e1", "", 204) }, []string{"make altered [" + hook + "]"}},
		"too few events for a burst": {"burst", func(b *bench) { b.deliver("e1", "", 200); b.deliver("e2", "", 200) }, nil},
		"events one after another": {"burst", func(b *bench) {
			for range 6 {
				b.deliver("e", "", 200)
			}
		}, []string{"make burst [" + hook + "]"}},
		"an event of somebody else's doing": {"before-response", func(b *bench) {
			b.call("createPayment", "POST", 200, "")
			b.happens("e1", 0, "Processing")
			b.deliver("e1", "", 200)
		}, nil},
		"an event of the call's own": {"before-response", func(b *bench) {
			b.call("createPayment", "POST", 200, "")
			b.happens("e1", 4, "Processing")
			b.deliver("e1", "", 200)
		}, []string{"make before-response [" + hook + "]"}},
		"a story waits for events": {"reorder", func(b *bench) {
			b.put(checktest.Noted("task", map[string]any{"id": 1}))
			for _, e := range []string{"e1", "e2", "e3"} {
				b.deliver(e, "", 200)
			}
		}, nil},
		"events long ago": {"burst", func(b *bench) {
			for range 6 {
				b.deliver("e", "", 200)
			}
			b.now = b.now.Add(time.Minute)
		}, nil},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, only(t, tc.trouble))
			if tc.before != nil {
				tc.before(b)
			}
			require.Equal(t, tc.want, b.next())
		})
	}
}

// TestOneTroubleAtATime takes a fault through its life.
func TestOneTroubleAtATime(t *testing.T) {
	t.Parallel()
	b := newBench(t, only(t, "failing"), only(t, "busy"))
	b.call("createPayment", "POST", 200, "")
	b.call("getPaymentStatus", "GET", 200, "")
	require.Equal(t, []string{"make failing [createPayment]"}, b.next())
	require.Empty(t, b.next(), "it is armed once")
	const fault = "observe-failing-1"
	b.call("createPayment", "POST", 500, fault)
	require.Equal(t, []string{"met failing"}, b.next())
	require.True(t, b.planner.Busy())
	b.passes("partner.retry.pause", "partner.retry.backoff", "partner.retry.bounded", "partner.idempotency.same-key")
	require.Empty(t, b.next(), "two more are to come")
	b.call("createPayment", "POST", 500, fault)
	b.call("createPayment", "POST", 500, fault)
	require.Empty(t, b.next(), "the application has not recovered")
	b.call("getPaymentStatus", "GET", 200, "")
	require.Empty(t, b.next(), "another call says nothing")
	b.call("createPayment", "POST", 200, "")
	require.Equal(t, []string{"over failing", "make busy [GET]"}, b.next())
}

// TestNobodyWaitsForEver gives up what is not met, or not reacted to.
func TestNobodyWaitsForEver(t *testing.T) {
	t.Parallel()
	b := newBench(t, only(t, "failing"), only(t, "busy"))
	b.call("createPayment", "POST", 200, "")
	b.call("getPaymentStatus", "GET", 200, "")
	b.next()
	for range 7 {
		b.call("getPaymentStatus", "GET", 200, "")
		require.Empty(t, b.next())
	}
	b.call("getPaymentStatus", "GET", 200, "")
	require.Equal(t, []string{"lift failing", "make busy [GET]"}, b.next(), "what is not met makes room")
	b.call("getPaymentStatus", "GET", 429, "observe-busy-2")
	require.Equal(t, []string{"met busy"}, b.next())
	b.now = b.now.Add(4 * time.Second)
	require.Empty(t, b.next())
	b.now = b.now.Add(time.Second)
	require.Equal(t, []string{"lift busy", "over busy", "make failing [createPayment]"}, b.next(), "the reaction did not come in time")
	b.call("createPayment", "POST", 500, "observe-failing-3")
	b.now = b.now.Add(5 * time.Second)
	require.Equal(t, []string{"met failing", "lift failing", "over failing", "make busy [GET]"}, b.next(), "the client has given up after one failure")
}

// TestTheFirstCallsGoWell: who begins by hand does not meet trouble at once.
func TestTheFirstCallsGoWell(t *testing.T) {
	t.Parallel()
	b := &bench{t: t, now: time.Unix(1_700_000_000, 0), verdicts: map[string]verdict.Word{}}
	b.planner = trouble.NewPlanner([]trouble.Trouble{only(t, "token-revoked")}, func(string) bool { return true })
	for range 3 {
		b.call("createToken", "POST", 200, "")
		b.call("createTokenGuide", "POST", 200, "")
		b.call("createCompany", "POST", 400, "")
	}
	b.call("createCompany", "POST", 200, "")
	b.call("listCompanies", "GET", 200, "")
	require.Empty(t, b.next())
	b.call("registerUser", "POST", 200, "")
	b.now = b.now.Add(time.Second)
	require.Equal(t, []string{"make token-revoked [POST]"}, b.next())
}

// TestTriesEnd makes no trouble again and again that shows nothing.
func TestTriesEnd(t *testing.T) {
	t.Parallel()
	b := newBench(t, only(t, "token-revoked"))
	made, given := 0, 0
	for range 10 {
		list := b.next()
		if slices.Contains(list, "give up token-revoked partner.token.recover") {
			given++
		}
		if slices.Contains(list, "make token-revoked [POST]") {
			made++
			b.call("getPaymentStatus", "GET", 401, "observe-token-revoked-"+string(rune('0'+made)))
			b.next()
			b.call("getPaymentStatus", "GET", 200, "")
			b.now = b.now.Add(time.Minute)
		}
	}
	require.Equal(t, 2, made)
	require.Equal(t, 1, given, "that is told, once")
}

// TestVerdictsAreEnough leaves alone what is known.
func TestVerdictsAreEnough(t *testing.T) {
	t.Parallel()
	for status, needed := range map[verdict.Word]bool{
		verdict.NotExercised: true, verdict.NotReached: true, verdict.Inconclusive: true,
		verdict.Review: true, verdict.Pass: false, verdict.Fail: false, verdict.Warning: false, verdict.NotApplicable: false, verdict.Disabled: false, verdict.HarnessError: false,
	} {
		b := newBench(t, only(t, "token-revoked"))
		b.verdicts["partner.token.recover"] = status
		require.Equal(t, needed, len(b.next()) == 1, status)
	}
}

// TestUnwantedClausesAreLeftAlone makes trouble for the clauses asked for alone.
func TestUnwantedClausesAreLeftAlone(t *testing.T) {
	t.Parallel()
	b := begun(t, trouble.NewPlanner(trouble.Troubles(), func(id string) bool { return id == "partner.retry.after" }))
	require.Empty(t, b.next())
	b.call("getPaymentStatus", "GET", 200, "")
	require.Equal(t, []string{"make busy [GET]"}, b.next())
}

// TestEveryTroubleHasAnEnd: one that nothing meets is made a few times, and what waits
// for calls that do not come is given up, each with what it waits for.
func TestEveryTroubleHasAnEnd(t *testing.T) {
	t.Parallel()
	b := newBench(t, only(t, "token-revoked"), only(t, "lost-refund"))
	require.Equal(t, []string{"make token-revoked [POST]"}, b.next())
	require.Equal(t, []string{"a POST", "a refund"}, b.planner.Waits(b.verdict))
	made := 1
	for range 2000 { // a suite that does nothing but read
		b.call("getPaymentStatus", "GET", 200, "")
		b.now = b.now.Add(time.Second)
		made += strings.Count(strings.Join(b.next(), " "), "make ")
		if b.planner.Enough(b.verdict) {
			break
		}
	}
	require.True(t, b.planner.Enough(b.verdict))
	require.Equal(t, 8, made)
}

// TestRefundsThatDoNotCome are waited for until enough has gone by.
func TestRefundsThatDoNotCome(t *testing.T) {
	t.Parallel()
	b := newBench(t, only(t, "lost-refund"))
	for range 57 { // besides the first three calls
		require.False(t, b.planner.Enough(b.verdict))
		require.Empty(t, b.next())
		b.call("createPayment", "POST", 200, "")
	}
	require.Equal(t, []string{"give up lost-refund partner.outcome.resolved"}, b.next())
	require.True(t, b.planner.Enough(b.verdict))
	b.call("refundPayment", "POST", 200, "")
	require.Equal(t, []string{"make lost-refund [refundPayment]"}, b.next(), "it came after all")
	require.False(t, b.planner.Enough(b.verdict))
}

// TestReturnsAreReordered: when a suite has just shown a return, the event before the
// next one is held back, although the clause holds so far; and nobody is kept waiting
// for returns that do not come.
func TestReturnsAreReordered(t *testing.T) {
	t.Parallel()
	b := newBench(t, only(t, "reorder"), only(t, "reorder-return"))
	b.deliver("e1", "", 200)
	require.Equal(t, []string{"make reorder [" + hook + "]"}, b.next())
	b.deliver("e2", "reorder", 200)
	b.passes("partner.webhook.order")
	require.Equal(t, []string{"met reorder", "over reorder"}, b.next())
	require.True(t, b.planner.Enough(b.verdict), "nothing was returned")
	returned := func(after time.Duration) {
		for _, c := range [][2]string{{"Processing", "Paid"}, {"Paid", "Failed"}} {
			b.put(tape.Entry{Kind: tape.KindTransition, Transition: &tape.Transition{Machine: "payment", Entity: "p", From: c[0], To: c[1]}})
			b.now = b.now.Add(after)
		}
	}
	returned(time.Minute)
	require.Empty(t, b.next(), "who waits that long would wait for the event that is held back")
	returned(time.Second)
	require.Equal(t, []string{"make reorder-return [" + hook + "]"}, b.next())
	b.happens("e3", 1, "Paid")
	b.now = b.now.Add(1900 * time.Millisecond)
	require.Empty(t, b.next(), "the last return came after a second")
	b.now = b.now.Add(200 * time.Millisecond)
	require.Equal(t, []string{"lift reorder-return", "make reorder-return [" + hook + "]"}, b.next(), "nothing followed")
	b.deliver("e3", "reorder", 200)
	require.Equal(t, []string{"lift reorder-return", "make reorder-return [" + hook + "]"}, b.next(), "it was another payment's event")
	require.False(t, b.planner.Enough(b.verdict))
	returned(time.Second)
	b.put(tape.Entry{Kind: tape.KindEvent, Entities: []string{"P"}, Event: &tape.Event{ID: "e4", Body: []byte(`{"Data":{"PaymentId":"p"}}`)}})
	b.deliver("e4", "reorder", 200)
	require.Contains(t, b.next(), "met reorder-return")
}
