package observe_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/check"
	"paysandbox/harness/clause"
	"paysandbox/harness/observe"
	"paysandbox/mockserver/tape"
)

// TestTroublesFitTheCatalogue holds the table to what it may ask of anybody.
func TestTroublesFitTheCatalogue(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, one := range observe.Troubles() {
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
		require.NotEqual(t, one.Profile == "", one.Effect == observe.Effect{}, one.Name)
		if one.Profile == "" {
			require.LessOrEqual(t, one.Count, 3, "never more failures in a row than a sane client repeats: %s", one.Name)
			require.Positive(t, one.Count, one.Name)
			require.NotEmpty(t, one.On, one.Name)
		} else {
			require.Positive(t, one.Next, one.Name)
		}
	}
}

func TestEffectsReadAsTheHeaderWritesThem(t *testing.T) {
	t.Parallel()
	for want, e := range map[string]observe.Effect{
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
		"the operation used last":    {"lost-answer", func(b *bench) { b.call("createPayment", "POST", 200, ""); b.call("refundPayment", "POST", 200, "") }, []string{"make lost-answer [refundPayment]"}},
		"no reading yet":             {"busy", func(b *bench) { b.call("createPayment", "POST", 200, "") }, nil},
		"a reading":                  {"busy", func(b *bench) { b.call("listCompanies", "GET", 200, "") }, []string{"make busy [GET]"}},
		"a state":                    {"parallel-refusal", func(b *bench) { b.call("getUserStatus", "GET", 200, "") }, []string{"make parallel-refusal [getUserStatus]"}},
		"a list is no state":         {"parallel-refusal", func(b *bench) { b.call("listCompanies", "GET", 200, "") }, nil},
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
			b.put(noted(b.t, "task", map[string]any{"id": 1}))
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
	b.passes("partner.retry.backoff", "partner.retry.bounded", "partner.idempotency.same-key")
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
	b := &bench{t: t, now: time.Unix(1_700_000_000, 0), verdicts: map[string]check.Status{}}
	b.planner = observe.NewPlanner([]observe.Trouble{only(t, "token-revoked")}, func(string) bool { return true })
	for range 3 {
		b.call("createToken", "POST", 200, "")
		b.call("createTokenGuide", "POST", 200, "")
		b.call("createCompany", "POST", 400, "")
	}
	b.call("createCompany", "POST", 200, "")
	b.call("listCompanies", "GET", 200, "")
	require.Empty(t, b.next())
	b.call("registerUser", "POST", 200, "")
	require.Equal(t, []string{"make token-revoked [POST]"}, b.next())
}

// TestNothingIsHeldForLong gives up what holds back an event for three seconds,
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
		arrive()
		b.happens("e", 0, "Paid")
		b.now = b.now.Add(2 * time.Second)
		b.happens("e", 0, "Paid")
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
		require.Equal(t, []string{"over unknown-event"}, b.next())
	}
}

// TestForgetting begins anew after a reset.
func TestForgetting(t *testing.T) {
	t.Parallel()
	b := newBench(t, only(t, "token-revoked"))
	require.Len(t, b.next(), 1)
	b.control("armFault", "/x/faults", "another", `{}`, `{"id":"story","count":0}`)
	b.planner.Forget()
	require.Empty(t, b.next(), "nothing was called since")
	for range 3 {
		b.call("registerUser", "POST", 200, "")
	}
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
			b.now = b.now.Add(time.Minute)
		}
	}
	require.Equal(t, 2, made)
	require.Equal(t, 1, given, "that is told, once")
}

// TestVerdictsAreEnough leaves alone what is known.
func TestVerdictsAreEnough(t *testing.T) {
	t.Parallel()
	for status, needed := range map[check.Status]bool{
		check.NotExercised: true, check.NotReached: true, check.Inconclusive: true,
		check.Review: true, check.Pass: false, check.Fail: false, check.Warning: false, check.NotApplicable: false, check.Disabled: false, check.HarnessError: false,
	} {
		b := newBench(t, only(t, "token-revoked"))
		b.verdicts["partner.token.recover"] = status
		require.Equal(t, needed, len(b.next()) == 1, status)
	}
}

// TestUnwantedClausesAreLeftAlone makes trouble for the clauses asked for alone.
func TestUnwantedClausesAreLeftAlone(t *testing.T) {
	t.Parallel()
	b := begun(t, observe.NewPlanner(observe.Troubles(), func(id string) bool { return id == "partner.retry.after" }))
	require.Empty(t, b.next())
	b.call("getPaymentStatus", "GET", 200, "")
	require.Equal(t, []string{"make busy [GET]"}, b.next())
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
	b.put(tape.Entry{Kind: tape.KindAttempt, Attempt: &tape.Attempt{
		Delivery: "d", Endpoint: hook, Event: "e3", Number: 2, Profile: "duplicate", Status: 200, Body: []byte(`{"Data":{"Status":"Paid"}}`),
	}})
	require.Equal(t, []string{"met duplicate", "lift duplicate", "over duplicate"}, b.next())

	forged := newBench(t, only(t, "altered"), only(t, "forged-payment"))
	forged.deliver("e1", "", 200)
	forged.next()
	forged.put(tape.Entry{Kind: tape.KindAttempt, Attempt: &tape.Attempt{
		Delivery: "d", Endpoint: hook, Event: "e2", Number: 1, Profile: "altered-byte", Status: 401, Body: []byte(`{"Data":{"Status":"Paid"}}`),
	}})
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
		b.put(tape.Entry{Kind: tape.KindAttempt, Attempt: &tape.Attempt{
			Delivery: "d", Endpoint: hook, Event: "e2", Number: 1, Profile: "missing-signature", Status: 401, Body: []byte(`{"Data":{"Status":"Paid"}}`),
		}})
		b.passes("partner.webhook.no-follow-up")
		b.next()
		b.now = b.now.Add(10 * time.Second)
		require.Equal(t, again, slices.Contains(b.next(), made[0]), cause)
	}
}

// TestStoriesHaveTheirOwnTrouble stays away while somebody else makes some.
func TestStoriesHaveTheirOwnTrouble(t *testing.T) {
	t.Parallel()
	const other, own = "paysandbox-harness/1.0", "paysandbox-observe/1.0"
	const profile = "/_sandbox/integrations/default/webhooks/" + hook + "/profile"
	tests := map[string]struct{ arm, still, end func(b *bench) }{
		"a fault for two calls": {
			arm:   func(b *bench) { b.control("armFault", "/x/faults", other, `{}`, `{"id":"story","count":2}`) },
			still: func(b *bench) { b.call("createPayment", "POST", 500, "story") },
			end:   func(b *bench) { b.call("createPayment", "POST", 500, "story") },
		},
		"an outage": {
			arm:   func(b *bench) { b.control("armFault", "/x/faults", other, `{}`, `{"id":"out","count":0}`) },
			still: func(b *bench) { b.call("createPayment", "POST", 503, "out") },
			end:   func(b *bench) { b.control("removeFault", "/x/faults/out", other, ``, ``) },
		},
		"all faults": {
			arm:   func(b *bench) { b.control("armFault", "/x/faults", other, `{}`, `{"id":"out","count":0}`) },
			still: func(b *bench) { b.control("removeFault", "/x/faults/another", other, ``, ``) },
			end:   func(b *bench) { b.control("clearFaults", "/x/faults", other, ``, ``) },
		},
		"one delivery": {
			arm:   func(b *bench) { b.control("setProfile", profile, other, `{"profile":"duplicate","next":1}`, `{}`) },
			still: func(b *bench) { b.deliver("e2", "before-response", 200) },
			end:   func(b *bench) { b.deliver("e3", "duplicate", 200) },
		},
		"a receiver that is down": {
			arm:   func(b *bench) { b.control("setProfile", profile, other, `{"profile":"cut-connection"}`, `{}`) },
			still: func(b *bench) { b.deliver("e2", "cut-connection", 0) },
			end:   func(b *bench) { b.control("setProfile", profile, other, `{"profile":""}`, `{}`) },
		},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, only(t, "token-revoked"), only(t, "altered"))
			b.deliver("e1", "", 200)
			tc.arm(b)
			require.Empty(t, b.next())
			tc.still(b)
			require.Empty(t, b.next())
			tc.end(b)
			require.Equal(t, []string{"make token-revoked [POST]"}, b.next())
			b.control("armFault", "/x/faults", own, `{}`, `{"id":"observe-token-revoked-1","count":1}`)
			require.Empty(t, b.next(), "its own trouble is no reason to stay away")
			tc.arm(b)
			require.Equal(t, []string{"lift token-revoked"}, b.next(), "what was not met makes room for the story")
		})
	}
}

// TestStoriesKeepTheirProfiles takes nothing back that was replaced, and gives back
// what was overwritten at the same moment.
func TestStoriesKeepTheirProfiles(t *testing.T) {
	t.Parallel()
	const other, own = "paysandbox-harness/1.0", "paysandbox-observe/1.0"
	const path = "/_sandbox/integrations/default/webhooks/" + hook + "/profile"
	b := newBench(t, only(t, "odd-json"))
	b.deliver("e1", "", 200)
	require.Equal(t, []string{"make odd-json [" + hook + "]"}, b.next())
	b.control("setProfile", path, other, `{"profile":"reorder","next":2}`, `{}`)
	require.Empty(t, b.next(), "the story's has replaced it")

	b.control("setProfile", path, own, `{"profile":"odd-json","next":1}`, `{}`)
	require.Equal(t, []string{"give back reorder 2"}, b.next())
	b.control("setProfile", path, own, `{"profile":"reorder","next":2}`, `{}`)
	require.Empty(t, b.next())
	b.deliver("e2", "reorder", 200)
	b.deliver("e3", "reorder", 200)
	require.Equal(t, []string{"make odd-json [" + hook + "]"}, b.next())
}

// TestRestTakesBack lifts what is armed, and makes nothing new.
func TestRestTakesBack(t *testing.T) {
	t.Parallel()
	b := newBench(t, only(t, "token-revoked"))
	require.Len(t, b.next(), 1)
	require.Equal(t, []string{"lift token-revoked"}, short(b.planner.Rest()))
	require.Empty(t, b.planner.Rest())
	require.Empty(t, b.next())

	spent := newBench(t, only(t, "token-revoked"))
	spent.next()
	spent.call("getPaymentStatus", "GET", 401, "observe-token-revoked-1")
	require.Empty(t, short(spent.planner.Rest()), "what is used up needs no lifting")
}
