package trouble_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/observe/trouble"
	"paysandbox/harness/verdict"
)

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
		"an outage of an hour": {
			arm: func(b *bench) {
				b.control("armFault", "/x/faults", other, `{"for":"1h"}`, `{"id":"out","count":0,"until":"1970-01-01T01:00:00Z"}`)
			},
			still: func(b *bench) { b.move(59 * time.Minute) },
			end:   func(b *bench) { b.move(time.Hour) },
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
		"a receiver that was registered with it": {
			arm: func(b *bench) {
				b.control("addWebhook", "/x/webhooks", other, `{"url":"http://p.example.com","profile":"delay"}`, `{"id":"`+hook+`","profile":"delay"}`)
			},
			still: func(b *bench) { b.deliver("e2", "delay", 200) },
			end:   func(b *bench) { b.control("removeWebhook", "/x/webhooks/"+hook, other, ``, ``) },
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

// TestTroubleCountsFromWhenItIsInForce: what happens while the sandbox is asked for
// it does not pass it by.
func TestTroubleCountsFromWhenItIsInForce(t *testing.T) {
	t.Parallel()
	b := newBench(t, only(t, "altered"))
	b.deliver("e1", "", 200)
	list := b.planner.Next(b.now, b.verdict)
	require.Equal(t, []string{"make altered [" + hook + "]"}, short(list))
	for range 20 {
		b.deliver("e", "", 200)
	}
	require.Empty(t, b.next(), "it is not in force")
	b.arm(&list[0])
	for range 7 {
		b.deliver("e", "", 200)
	}
	require.Empty(t, b.next())
	b.deliver("e", "", 200)
	require.Equal(t, []string{"lift altered", "make altered [" + hook + "]"}, b.next())
}

// TestWhatCannotBeArmedMakesRoom: nobody waits for trouble that the sandbox has
// refused.
func TestWhatCannotBeArmedMakesRoom(t *testing.T) {
	t.Parallel()
	b := newBench(t, only(t, "altered"), only(t, "token-revoked"))
	b.deliver("e1", "", 200)
	require.Equal(t, []string{"make altered [" + hook + "]"}, short(b.planner.Next(b.now, b.verdict)))
	b.now = b.now.Add(4 * time.Second)
	require.Empty(t, b.next())
	b.now = b.now.Add(time.Second)
	require.Equal(t, []string{"lift altered", "make token-revoked [POST]"}, b.next())
	b.call("registerUser", "POST", 401, "observe-token-revoked-2")
	b.passes("partner.token.recover")
	b.now = b.now.Add(time.Minute)
	require.Equal(t, []string{"met token-revoked", "over token-revoked"}, b.next(), "the endpoint may be gone")
	b.deliver("e2", "", 200)
	require.Equal(t, []string{"make altered [" + hook + "]"}, b.next(), "it is not")
}

// TestWhatWasMadeInVainComesSoonAgain: not behind all that there is.
func TestWhatWasMadeInVainComesSoonAgain(t *testing.T) {
	t.Parallel()
	names := []string{"altered", "unsigned", "wrong-secret", "stale-signature", "odd-json"}
	var troubles []trouble.Trouble
	for _, name := range names {
		troubles = append(troubles, only(t, name))
	}
	b := newBench(t, troubles...)
	b.deliver("e1", "", 200)
	var made []string
	for range 6 {
		list := b.next()
		made = append(made, strings.Fields(list[len(list)-1])[1])
		for range 8 << 3 {
			b.deliver("e", "", 200)
		}
	}
	require.Equal(t, []string{"altered", "unsigned", "wrong-secret", "stale-signature", "altered", "unsigned"}, made)
}

// TestAnotherWayIsTriedBesides makes a trouble once although its clause holds.
func TestAnotherWayIsTriedBesides(t *testing.T) {
	t.Parallel()
	b := newBench(t, only(t, "altered-signature"))
	b.deliver("e1", "", 200)
	b.passes("partner.webhook.altered", "partner.webhook.no-follow-up")
	require.Equal(t, []string{"make altered-signature [" + hook + "]"}, b.next())
	require.False(t, b.planner.Enough(b.verdict))
	b.deliver("e2", "altered-signature", 401)
	require.Equal(t, []string{"met altered-signature"}, b.next())
	b.now = b.now.Add(time.Second)
	require.Equal(t, []string{"resend delivery of e2"}, b.next())
	b.deliver("e2", "", 200)
	require.Equal(t, []string{"over altered-signature"}, b.next())
	require.Empty(t, b.next(), "once is enough")
	require.True(t, b.planner.Enough(b.verdict))

	broken := newBench(t, only(t, "altered-signature"))
	broken.deliver("e1", "", 200)
	broken.verdicts["partner.webhook.altered"], broken.verdicts["partner.webhook.no-follow-up"] = verdict.Fail, verdict.Pass
	require.Empty(t, broken.next(), "it is known already")
}

// TestEnough is said once there is a verdict, or no hope, for everything.
func TestEnough(t *testing.T) {
	t.Parallel()
	b := newBench(t, only(t, "token-revoked"), only(t, "unsigned"))
	require.False(t, b.planner.Enough(b.verdict), "nothing was made")
	require.Equal(t, []string{"make token-revoked [POST]"}, b.next())
	b.call("registerUser", "POST", 401, "observe-token-revoked-1")
	b.call("registerUser", "POST", 200, "")
	b.passes("partner.token.recover")
	require.False(t, b.planner.Enough(b.verdict), "it is not over")
	require.Equal(t, []string{"met token-revoked", "over token-revoked"}, b.next())
	require.False(t, b.planner.Enough(b.verdict), "the other one waits for a receiver")
	b.passes("partner.webhook.unsigned", "partner.webhook.no-follow-up")
	require.True(t, b.planner.Enough(b.verdict))
	b.planner.Forget()
	b.verdicts = map[string]verdict.Word{}
	require.False(t, b.planner.Enough(b.verdict), "all begins anew")
}

// TestRefusedTroubleIsNotInForce: calls cannot meet what the sandbox has refused to
// arm, and the next trouble has its turn soon.
func TestRefusedTroubleIsNotInForce(t *testing.T) {
	t.Parallel()
	b := newBench(t, only(t, "token-revoked"))
	list := b.planner.Next(b.now, b.verdict)
	require.Len(t, list, 1)
	refused := controlled("armFault", "/x/faults", "paysandbox-observe/1.0", `{"name":"`+list[0].Fault+`"}`, "{}")
	refused.Exchange.Response.Status = 400
	b.put(refused)
	b.now = b.now.Add(6 * time.Second)
	require.Equal(t, []string{"lift token-revoked", "make token-revoked [POST]"}, b.next(), "it is tried again")
}

// TestWhatIsLeft tells two things apart: trouble that a longer session would make, and such
// as waits for what the application does not do.
func TestWhatIsLeft(t *testing.T) {
	t.Parallel()
	b := newBench(t, only(t, "token-revoked"), only(t, "failing"), only(t, "duplicate"))
	require.Equal(t, trouble.Left{
		Short: []string{"partner.token.recover"},
		Waiting: map[string]string{
			"partner.retry.pause": "a call that moves money", "partner.retry.backoff": "a call that moves money", "partner.idempotency.same-key": "a call that moves money",
			"partner.webhook.duplicate": "an event that tells Paid",
		},
		For: []string{"a POST", "a call that moves money", "an event that tells Paid"},
	}, b.planner.Left(b.verdict), "nothing was made yet: nobody knows how long it takes")
	require.Len(t, b.next(), 1)
	for range 9 {
		b.call("createPayment", "POST", 200, "")
	}
	b.deliver("e1", "", 200)
	left := b.planner.Left(b.verdict)
	require.Empty(t, left.Waiting)
	require.Len(t, left.Short, 5)
	require.Equal(t, 30, left.Traffic, "three troubles, and the first has taken ten")
	b.passes(left.Short...)
	require.Empty(t, b.planner.Left(b.verdict).Short)
}
