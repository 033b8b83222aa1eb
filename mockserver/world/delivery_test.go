package world_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/world"
)

func TestDeliveryView(t *testing.T) {
	t.Parallel()
	h := newHooks(t, world.Config{})
	e := addEndpoint(t, h.w, "odd-json,altered-byte", companyEvent)
	h.company()
	records, effects := h.w.Take()
	event := records[len(records)-2] // the mail about the verification is the last
	require.Equal(t, kernel.RecordEvent, event.Kind)
	v, ok := h.w.Webhooks().View(effects[0].ID)
	require.True(t, ok)
	endpoint, err := uuid.Parse(e.ID)
	require.NoError(t, err)
	require.Equal(t, delivery.View{
		ID: effects[0].ID, Endpoint: endpoint, EventID: event.ID, Entity: event.Entity, URL: e.URL, Secret: e.Secret,
		Event: companyEvent, Body: event.Body, Attempt: 1, Created: planStart.UnixNano(), Cause: event.Seq, Profile: delivery.AlteredByte | delivery.OddJSON,
	}, v)
	require.Equal(t, []delivery.Pending{{
		ID: v.ID.String(), Endpoint: e.ID, Event: companyEvent, EventID: event.ID.String(), Entity: event.Entity.String(),
		Stage: "in-flight", Created: "2026-01-05T15:30:00Z", Cause: event.Seq,
	}}, h.w.Webhooks().Pending())
	_, ok = h.w.Webhooks().View(uuid.New())
	require.False(t, ok)
	_, err = h.w.Webhooks().Attempted(uuid.New(), delivery.AttemptResult{Status: 200})
	planError(t, err, kernel.NotFound)
	h.answer(v, delivery.AttemptResult{Status: 500})
	_, err = h.w.Webhooks().Attempted(v.ID, delivery.AttemptResult{Status: 200})
	planError(t, err, kernel.IllegalTransition)
	due := "2026-01-05T15:30:05Z"
	require.Equal(t, &due, h.w.Webhooks().Pending()[0].Due)
}

func TestOnlyListenersHear(t *testing.T) {
	t.Parallel()
	h := newHooks(t, world.Config{})
	company, payment, all := addEndpoint(t, h.w, "", companyEvent), addEndpoint(t, h.w, "", paymentEvent), addEndpoint(t, h.w, "")
	h.company()
	h.move(h.payment(), "approve")
	sent := h.sent()
	require.Len(t, h.of(company.ID, sent), 1)
	require.Equal(t, companyEvent, h.of(company.ID, sent)[0].Event)
	require.Len(t, h.of(payment.ID, sent), 1)
	require.Equal(t, paymentEvent, h.of(payment.ID, sent)[0].Event)
	require.Len(t, h.of(all.ID, sent), 2)
	require.Same(t, &h.of(company.ID, sent)[0].Body[0], &h.of(all.ID, sent)[0].Body[0], "one body for all")
}

func TestEventsOfAnEntityKeepTheirOrder(t *testing.T) {
	t.Parallel()
	h := newHooks(t, world.Config{})
	slow, quick := addEndpoint(t, h.w, "", paymentEvent), addEndpoint(t, h.w, "", paymentEvent)
	a, b := h.payment(), h.payment()
	for _, event := range []string{"approve", "pay", "return"} {
		h.move(a, event)
	}
	h.move(b, "approve")
	sent := h.sent()
	require.Len(t, h.of(slow.ID, sent), 2, "the first of each entity")
	require.Len(t, h.of(quick.ID, sent), 2)
	stages := []string{}
	for _, p := range h.w.Webhooks().Pending() {
		stages = append(stages, p.Stage)
	}
	require.Equal(t, []string{"in-flight", "in-flight", "queued", "queued", "queued", "queued", "in-flight", "in-flight"}, stages)

	h.answer(h.of(quick.ID, sent)[0], delivery.AttemptResult{Status: 200})
	second := h.one()
	require.Equal(t, quick.ID, second.Endpoint.String())
	require.Contains(t, string(second.Body), `"Status":"Paid"`)
	h.answer(second, delivery.AttemptResult{Status: 200})
	require.Contains(t, string(h.one().Body), `"Status":"Failed"`)

	failing := h.of(slow.ID, sent)[0]
	for out := (delivery.AttemptOutcome{}); !out.Done; {
		out = h.answer(failing, delivery.AttemptResult{Status: 500})
		if !out.Done {
			require.Empty(t, h.sent())
			h.w.Advance(out.Next)
			require.Equal(t, failing.ID, h.one().ID)
		}
	}
	next := h.one()
	require.Equal(t, slow.ID, next.Endpoint.String())
	require.Contains(t, string(next.Body), `"Status":"Paid"`, "it goes on after the first was given up")
}

func TestResend(t *testing.T) {
	t.Parallel()
	h := newHooks(t, world.Config{})
	e := addEndpoint(t, h.w, "reorder,burst,delay,duplicate", paymentEvent)
	body := []byte(`{"old":true}`)
	event, entity := uuid.New(), uuid.New()
	first, err := h.w.Webhooks().Resend(e.ID, delivery.Event{ID: event, Name: paymentEvent, Entity: entity, Body: body})
	require.NoError(t, err)
	body[0] = 'x'
	second, err := h.w.Webhooks().Resend(e.ID, delivery.Event{ID: event, Name: paymentEvent, Entity: entity, Body: body})
	require.NoError(t, err)
	sent := h.sent()
	require.Equal(t, []uuid.UUID{first, second}, []uuid.UUID{sent[0].ID, sent[1].ID}, "at once, and in no line")
	require.Equal(t, []any{event, entity, paymentEvent, `{"old":true}`, 1},
		[]any{sent[0].EventID, sent[0].Entity, sent[0].Event, string(sent[0].Body), sent[0].Attempt})
	require.True(t, h.answer(sent[0], delivery.AttemptResult{Status: 200}).Done)
	h.answer(sent[1], delivery.AttemptResult{Status: 500})
	h.later(5 * time.Second)
	require.Equal(t, 2, h.one().Attempt)
	_, err = h.w.Webhooks().Resend("nothing", delivery.Event{ID: event, Name: paymentEvent, Entity: entity})
	planError(t, err, kernel.NotFound)
}

func TestAResentEventLeavesTheLineAlone(t *testing.T) {
	t.Parallel()
	h := newHooks(t, world.Config{})
	e := addEndpoint(t, h.w, "", paymentEvent)
	p := h.payment()
	h.move(p, "approve")
	first := h.one()
	_, err := h.w.Webhooks().Resend(e.ID, delivery.Event{ID: first.EventID, Name: first.Event, Entity: first.Entity, Body: first.Body})
	require.NoError(t, err)
	h.answer(h.one(), delivery.AttemptResult{Status: 200})
	h.move(p, "pay")
	require.Empty(t, h.sent(), "the first is still under way")
	h.answer(first, delivery.AttemptResult{Status: 200})
	require.Contains(t, string(h.one().Body), `"Status":"Paid"`)
}
