package world_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/world"
)

// setProfile changes an endpoint's profile; next 0 is until the next change.
func setProfile(t *testing.T, w *world.World, id, profile string, next int64) delivery.EndpointView {
	t.Helper()
	v, err := w.Webhooks().SetProfile(id, delivery.NewProfile{Profile: &profile, Next: &next})
	require.NoError(t, err)
	return v
}

func profilesOf(views []delivery.View) []string {
	names := []string{}
	for _, v := range views {
		names = append(names, v.Profile.String())
	}
	return names
}

func TestAProfileForTheNextAttempts(t *testing.T) {
	t.Parallel()
	h := newHooks(t, world.Config{})
	e := addEndpoint(t, h.w, "odd-json", companyEvent)
	v := setProfile(t, h.w, e.ID, "slow-read, WRONG-SECRET", 2)
	require.Equal(t, []any{"wrong-secret,slow-read", 2}, []any{v.Profile, v.Next})
	h.companies(3)
	sent := h.sent()
	require.Equal(t, []string{"wrong-secret,slow-read", "wrong-secret,slow-read", ""}, profilesOf(sent))
	require.Equal(t, []any{"", 0}, []any{h.w.Webhooks().List()[0].Profile, h.w.Webhooks().List()[0].Next})

	h.answer(sent[0], delivery.AttemptResult{Status: 401})
	h.later(5 * time.Second)
	require.Empty(t, h.one().Profile, "the next attempt of the same event behaves")

	setProfile(t, h.w, e.ID, "extra-member", 1)
	h.answer(sent[1], delivery.AttemptResult{Status: 500})
	h.later(5 * time.Second)
	require.Empty(t, h.one().Profile, "a later attempt goes out well, and does not count")
	_, err := h.w.Webhooks().Resend(e.ID, delivery.Event{ID: uuid.New(), Name: companyEvent, Entity: uuid.New()})
	require.NoError(t, err)
	require.Empty(t, h.one().Profile, "nor does what is resent")
	h.companies(1)
	require.Equal(t, delivery.ExtraMember, h.one().Profile)

	setProfile(t, h.w, e.ID, "odd-json", 0)
	h.companies(2)
	require.Equal(t, []string{"odd-json", "odd-json"}, profilesOf(h.sent()))
	require.Zero(t, setProfile(t, h.w, e.ID, "", 7).Next)
	h.companies(1)
	require.Empty(t, h.one().Profile)
}

func TestAHeldEventTakesItsProfileAsItHappens(t *testing.T) {
	t.Parallel()
	h := newHooks(t, world.Config{})
	e := addEndpoint(t, h.w, "", companyEvent)
	setProfile(t, h.w, e.ID, "delay,slow-read", 1)
	ids := h.companies(2)
	second := h.one()
	require.Equal(t, []any{ids[1], ""}, []any{second.EventID, second.Profile.String()})
	h.later(time.Hour)
	first := h.one()
	require.Equal(t, []any{ids[0], "delay,slow-read"}, []any{first.EventID, first.Profile.String()})
	require.Equal(t, delivery.Delay, first.Applied)
	h.answer(first, delivery.AttemptResult{Status: 500})
	h.later(5 * time.Second)
	require.Empty(t, h.one().Profile)

	setProfile(t, h.w, e.ID, "reorder", 1)
	ids = h.companies(3)
	sent := h.sent()
	require.Equal(t, ids[1:], eventIDs(sent))
	h.answer(sent[0], delivered)
	require.Equal(t, ids[:1], eventIDs(h.sent()), "only the first was held back")

	setProfile(t, h.w, e.ID, "burst,reorder", 3)
	ids = h.companies(4)
	require.Equal(t, ids[3:], eventIDs(h.sent()))
	h.later(time.Minute)
	require.Equal(t, ids[1:3], eventIDs(h.sent()))
}

func TestAProfileThatEndsLetsGo(t *testing.T) {
	t.Parallel()
	for _, holding := range []string{"reorder", "burst", "burst,reorder"} {
		h := newHooks(t, world.Config{})
		e := addEndpoint(t, h.w, holding, companyEvent)
		h.companies(1)
		require.Empty(t, h.sent(), holding)
		setProfile(t, h.w, e.ID, holding+",odd-json", 0)
		require.Empty(t, h.sent(), "still held: "+holding)
		setProfile(t, h.w, e.ID, "odd-json", 0)
		require.Equal(t, delivery.OddJSON, h.one().Profile, holding)
		h.later(2 * time.Minute)
		require.Empty(t, h.sent(), "it went once")
	}
}

func TestADuplicateCountsOnce(t *testing.T) {
	t.Parallel()
	for _, profile := range []string{"duplicate,slow-read", "parallel-duplicate,slow-read"} {
		h := newHooks(t, world.Config{})
		e := addEndpoint(t, h.w, "", companyEvent)
		setProfile(t, h.w, e.ID, profile, 2)
		h.companies(3)
		attempts := 0
		for sent := h.sent(); len(sent) > 0; sent = h.sent() {
			for _, v := range sent {
				if v.Profile != 0 {
					attempts++
				}
				h.answer(v, delivered)
			}
		}
		require.Equal(t, 4, attempts, profile)
	}
}

func TestSetEndpointProfileRefuses(t *testing.T) {
	t.Parallel()
	w := world.New(world.Config{})
	e := addEndpoint(t, w, "delay")
	unknown, many := "late", int64(1_000_001)
	_, err := w.Webhooks().SetProfile(e.ID, delivery.NewProfile{Profile: &unknown, Next: &many})
	found := planError(t, err, kernel.Invalid).Findings
	require.Equal(t, []string{"/profile", "/next"}, []string{found[0].Pointer, found[1].Pointer})
	_, err = w.Webhooks().SetProfile(e.ID, delivery.NewProfile{Profile: &e.Profile, ForStatus: "Settled"})
	found = planError(t, err, kernel.Invalid).Findings
	require.Equal(t, "/forStatus", found[0].Pointer)
	require.Contains(t, found[0].Expected, ": Scheduled, Queued, InReview, Processing, Paid, Failed, Denied, Canceled, Verified, Rejected")
	_, err = w.Webhooks().SetProfile(e.ID, delivery.NewProfile{Profile: &e.Profile, ForStatus: "Pending"})
	require.Equal(t, "/forStatus", planError(t, err, kernel.Invalid).Findings[0].Pointer, "no event tells it")
	_, err = w.Webhooks().SetProfile(e.ID, delivery.NewProfile{})
	require.Equal(t, "/profile", planError(t, err, kernel.Invalid).Findings[0].Pointer)
	_, err = w.Webhooks().SetProfile(uuid.NewString(), delivery.NewProfile{Profile: &unknown})
	planError(t, err, kernel.NotFound)
	require.Equal(t, e, w.Webhooks().List()[0])
}

func TestTheLedgersOrderOutlastsAProfile(t *testing.T) {
	t.Parallel()
	h := newHooks(t, world.Config{Settings: latitude.Settings{}.Choose(latitude.EventOrderDuplicated)})
	e := addEndpoint(t, h.w, "", companyEvent)
	require.Equal(t, "duplicate,slow-read", setProfile(t, h.w, e.ID, "slow-read", 1).Profile)
	h.companies(1)
	h.one()
	require.Equal(t, "duplicate", h.w.Webhooks().List()[0].Profile)
}

func TestProfileParallelDuplicate(t *testing.T) {
	t.Parallel()
	failed := delivery.AttemptResult{Status: 500}
	for _, c := range []struct {
		results [2]delivery.AttemptResult
		next    bool
	}{
		{[2]delivery.AttemptResult{delivered, delivered}, false},
		{[2]delivery.AttemptResult{delivered, failed}, false},
		{[2]delivery.AttemptResult{failed, delivered}, false},
		{[2]delivery.AttemptResult{failed, failed}, true},
	} {
		h := newHooks(t, world.Config{})
		addEndpoint(t, h.w, "parallel-duplicate", paymentEvent)
		p := h.payment()
		h.move(p, "approve")
		h.move(p, "pay")
		_, effects := h.w.Take()
		require.Len(t, effects, 2)
		require.Equal(t, effects[0].ID, effects[1].ID)
		require.Equal(t, []bool{false, true}, []bool{effects[0].Second, effects[1].Second})
		v, _ := h.w.Webhooks().View(effects[0].ID)
		require.Equal(t, delivery.ParallelDuplicate, v.Applied)
		require.Zero(t, h.answer(v, c.results[0]).Next, "the second decides")
		require.Empty(t, h.sent())
		out := h.answer(v, c.results[1])
		require.Equal(t, c.next, out.Next != 0, out.Reason)
		if !c.next {
			require.Len(t, h.sent(), 2, "the next event goes out twice too")
			continue
		}
		h.later(5 * time.Minute)
		again := h.sent()
		require.Len(t, again, 2)
		require.Equal(t, 3, again[0].Attempt)
	}
}

func TestGoneInTheMidstOfParallelDuplicates(t *testing.T) {
	t.Parallel()
	for first, second := range map[int]int{410: 200, 411: 410} {
		h := newHooks(t, world.Config{})
		e := addEndpoint(t, h.w, "parallel-duplicate", companyEvent)
		h.company()
		v := h.sent()[0]
		h.answer(v, delivery.AttemptResult{Status: first})
		h.answer(v, delivery.AttemptResult{Status: second})
		require.Empty(t, h.w.Webhooks().Pending())
		require.Equal(t, "Disabled", h.w.Webhooks().List()[0].Status)
		_, err := h.w.Webhooks().Enable(e.ID)
		require.NoError(t, err)
	}
}

// profileFor sets a profile for the next events that tell a status.
func profileFor(t *testing.T, w *world.World, id, profile, status string, next int64) delivery.EndpointView {
	t.Helper()
	v, err := w.Webhooks().SetProfile(id, delivery.NewProfile{Profile: &profile, Next: &next, ForStatus: status})
	require.NoError(t, err)
	return v
}

func TestAProfileForAStatus(t *testing.T) {
	t.Parallel()
	h := newHooks(t, world.Config{})
	e := addEndpoint(t, h.w, "", paymentEvent)
	v := profileFor(t, h.w, e.ID, "missing-signature", "paid", 1)
	require.Equal(t, []any{"missing-signature", 1, "Paid"}, []any{v.Profile, v.Next, v.ForStatus})
	p := h.payment()
	h.move(p, "approve")
	processing := h.one()
	require.Empty(t, processing.Profile, "it is Processing")
	h.answer(processing, delivered)
	h.move(p, "pay")
	require.Equal(t, delivery.MissingSignature, h.one().Profile)
	v = h.w.Webhooks().List()[0]
	require.Equal(t, []any{"", 0, ""}, []any{v.Profile, v.Next, v.ForStatus}, "it is used up")
}

// TestReorderForAStatus holds an event until the next one about the same payment
// has gone, and lets those about others by.
func TestReorderForAStatus(t *testing.T) {
	t.Parallel()
	h := newHooks(t, world.Config{})
	e := addEndpoint(t, h.w, "", paymentEvent, companyEvent)
	p := h.payment()
	profileFor(t, h.w, e.ID, "reorder", "Processing", 1)
	h.move(p, "approve")
	require.Empty(t, h.sent())
	h.companies(1)
	h.answer(h.one(), delivered)
	require.Empty(t, h.sent(), "that was about somebody else")
	h.move(p, "pay")
	paid := h.one()
	require.Contains(t, string(paid.Body), `"Status":"Paid"`)
	h.answer(paid, delivered)
	late := h.one()
	require.Contains(t, string(late.Body), `"Status":"Processing"`)
	require.Equal(t, delivery.Reorder, late.Profile)
	h.answer(late, delivered)
	h.later(2 * time.Minute)
	require.Empty(t, h.sent())
}
