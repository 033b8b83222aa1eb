package world_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/world"
)

var delivered = delivery.AttemptResult{Status: 200}

// companies makes companies and gives the ids of their events, in order.
func (h *hooks) companies(n int) []uuid.UUID {
	h.t.Helper()
	ids := []uuid.UUID{}
	for range n {
		before := len(h.w.Webhooks().Pending())
		h.company()
		pending := h.w.Webhooks().Pending()
		require.Greater(h.t, len(pending), before)
		id, err := uuid.Parse(pending[len(pending)-1].EventID)
		require.NoError(h.t, err)
		ids = append(ids, id)
	}
	return ids
}

func eventIDs(views []delivery.View) []uuid.UUID {
	ids := []uuid.UUID{}
	for _, v := range views {
		ids = append(ids, v.EventID)
	}
	return ids
}

func TestProfileDuplicate(t *testing.T) {
	t.Parallel()
	for second, status := range []int{200, 500} {
		h := newHooks(t, world.Config{})
		addEndpoint(t, h.w, "duplicate", companyEvent)
		h.company()
		v := h.one()
		require.Zero(t, v.Applied)
		h.answer(v, delivery.AttemptResult{Status: 500})
		h.later(5 * time.Second)
		out := h.answer(h.one(), delivered)
		require.Equal(t, h.w.Now().UnixNano(), out.Next)
		again := h.one()
		require.Equal(t, []any{v.ID, v.EventID, 3, delivery.Duplicate}, []any{again.ID, again.EventID, again.Attempt, again.Applied})
		require.True(t, h.answer(again, delivery.AttemptResult{Status: status}).Done, second)
		require.Empty(t, h.w.Webhooks().Pending())
	}
}

func TestProfileDelay(t *testing.T) {
	t.Parallel()
	waits := map[time.Duration]bool{}
	for seed := range uint64(40) {
		h := newHooks(t, world.Config{Seed: seed})
		addEndpoint(t, h.w, "delay", companyEvent)
		h.company()
		require.Empty(t, h.sent())
		h.later(time.Minute - 1)
		require.Empty(t, h.sent())
		due, err := time.Parse(time.RFC3339, *h.w.Webhooks().Pending()[0].Due)
		require.NoError(t, err)
		waits[due.Sub(planStart)] = true
		h.w.Advance(due.UnixNano())
		v := h.one()
		require.Equal(t, delivery.Delay, v.Applied)
		h.answer(v, delivery.AttemptResult{Status: 500})
		h.later(5 * time.Second)
		require.Zero(t, h.one().Applied, "the first attempt alone")
		require.LessOrEqual(t, due, planStart.Add(time.Hour))
	}
	require.Greater(t, len(waits), 30, "drawn from the seed")
}

func TestProfileReorder(t *testing.T) {
	t.Parallel()
	h := newHooks(t, world.Config{})
	addEndpoint(t, h.w, "reorder", paymentEvent)
	p := h.payment()
	h.move(p, "approve")
	require.Empty(t, h.sent())
	h.move(p, "pay")
	paid := h.one()
	require.Contains(t, string(paid.Body), `"Status":"Paid"`)
	require.Zero(t, paid.Applied)
	h.answer(paid, delivered)
	late := h.one()
	require.Contains(t, string(late.Body), `"Status":"Processing"`)
	require.Equal(t, delivery.Reorder, late.Applied)
	h.answer(late, delivered)
	h.later(2 * time.Minute)
	require.Empty(t, h.sent())

	h.move(p, "return")
	h.later(time.Minute - 1)
	require.Empty(t, h.sent(), "nothing came to overtake it")
	h.later(1)
	require.Contains(t, string(h.one().Body), `"Status":"Failed"`)
}

func TestProfileReorderWaitsForOneAlone(t *testing.T) {
	t.Parallel()
	h := newHooks(t, world.Config{})
	addEndpoint(t, h.w, "reorder", companyEvent)
	ids := h.companies(3)
	sent := h.sent()
	require.Equal(t, ids[1:], eventIDs(sent))
	h.answer(sent[1], delivered)
	require.Empty(t, h.sent(), "the next one has not gone yet")
	h.answer(sent[0], delivery.AttemptResult{Status: 500})
	h.later(5 * time.Second)
	h.answer(h.one(), delivery.AttemptResult{Status: 500})
	h.later(55 * time.Second)
	require.Equal(t, ids[:1], eventIDs(h.sent()), "a minute is the most")
	h.later(10 * time.Minute)
	require.Equal(t, ids[1:2], eventIDs(h.sent()))
}

func TestProfileBurst(t *testing.T) {
	t.Parallel()
	h := newHooks(t, world.Config{})
	addEndpoint(t, h.w, "burst", companyEvent)
	ids := h.companies(9)
	require.Empty(t, h.sent())
	ids = append(ids, h.companies(1)...)
	sent := h.sent()
	require.Equal(t, ids, eventIDs(sent))
	require.Equal(t, delivery.Burst, sent[9].Applied)

	ids = h.companies(1)
	h.later(30 * time.Second)
	ids = append(ids, h.companies(1)...)
	h.later(30*time.Second - 1)
	require.Empty(t, h.sent())
	h.later(1)
	require.Equal(t, ids, eventIDs(h.sent()))
	require.Len(t, h.w.Webhooks().Pending(), 12)
}

func TestProfilesCombine(t *testing.T) {
	t.Parallel()
	h := newHooks(t, world.Config{})
	addEndpoint(t, h.w, "burst,reorder,duplicate", companyEvent)
	ids := h.companies(10)
	sent := h.sent()
	require.Equal(t, ids[1:], eventIDs(sent))
	h.answer(sent[0], delivered)
	twice := h.one()
	require.Equal(t, ids[1], twice.EventID)
	h.answer(twice, delivered)
	late := h.one()
	require.Equal(t, ids[0], late.EventID)
	require.Equal(t, delivery.Reorder|delivery.Burst, late.Applied)
}

func TestAReleasedEventHasNoTimer(t *testing.T) {
	t.Parallel()
	h := newHooks(t, world.Config{})
	addEndpoint(t, h.w, "reorder", companyEvent)
	h.companies(2)
	h.answer(h.one(), delivered)
	h.one()
	h.later(2 * time.Minute)
	planUntouched(t, h.w)
}

func TestABurstStartsItsOwnMinute(t *testing.T) {
	t.Parallel()
	h := newHooks(t, world.Config{})
	addEndpoint(t, h.w, "burst", companyEvent)
	h.companies(10)
	require.Len(t, h.sent(), 10)
	h.later(30 * time.Second)
	h.companies(2)
	h.w.Take()
	h.later(59 * time.Second)
	planUntouched(t, h.w)
	h.later(time.Second)
	require.Len(t, h.sent(), 2)
}

func TestGoneForgetsWhatProfilesHold(t *testing.T) {
	t.Parallel()
	for _, profile := range []string{"burst", "reorder"} {
		h := newHooks(t, world.Config{})
		e := addEndpoint(t, h.w, profile, companyEvent)
		h.companies(1)
		_, err := h.w.Webhooks().Resend(e.ID, delivery.Event{ID: uuid.New(), Name: companyEvent, Entity: uuid.New()})
		require.NoError(t, err)
		h.answer(h.one(), delivery.AttemptResult{Status: 410})
		require.Empty(t, h.w.Webhooks().Pending())
		_, err = h.w.Webhooks().Enable(e.ID)
		require.NoError(t, err)
		ids := h.companies(10)
		if profile == "reorder" {
			ids = ids[1:]
		}
		require.Equal(t, ids, eventIDs(h.sent()))
	}
}
