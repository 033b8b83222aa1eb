package world_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/world"
)

const (
	companyEvent = "COMPANY_VERIFICATION_STATUS_CHANGED"
	paymentEvent = "PAYMENT_STATUS_CHANGED"
)

// addEndpoint registers an endpoint with a profile and events.
func addEndpoint(t *testing.T, w *world.World, profile string, events ...string) delivery.EndpointView {
	t.Helper()
	e, err := w.Webhooks().Add(delivery.NewEndpoint{URL: "https://p.example.com/hooks", Profile: profile, Events: events})
	require.NoError(t, err)
	return e
}

func TestEventNames(t *testing.T) {
	t.Parallel()
	names := world.EventNames()
	require.Equal(t, []string{companyEvent, paymentEvent}, names[:2])
	seen := map[string]bool{}
	for _, name := range names {
		require.False(t, seen[name], name)
		seen[name] = true
	}
}

func TestEndpointURLs(t *testing.T) {
	t.Parallel()
	w := world.New(world.Config{})
	for url, ok := range map[string]bool{
		"https://partner.example.com/hooks?a=b": true, "http://127.0.0.1:9/": true, "HTTP://[::1]:8080": true, "http://localhost": true,
		"": false, "/hooks": false, "partner.example.com": false, "ftp://partner.example.com": false, "https://": false, "https:partner": false,
		"http://:80/": false, "https://u:p@partner.example.com": false, "https://u@partner.example.com": false, "https://partner.example.com/#top": false,
		"https://partner.example.com/#": false, "http://partner.example.com:0": false, "http://partner.example.com:65536": false,
		"http://partner.example.com:port": false, "http://a b": false, "http://a/\n": false,
		"https://a.example/" + strings.Repeat("x", 2048-19): true, "https://a.example/" + strings.Repeat("x", 2048-17): false,
	} {
		e, err := w.Webhooks().Add(delivery.NewEndpoint{URL: url})
		if ok {
			require.NoError(t, err, url)
			require.Equal(t, url, e.URL)
			continue
		}
		found := planError(t, err, kernel.Invalid).Findings
		require.Equal(t, []string{"/url", "control.webhook.url"}, []string{found[0].Pointer, found[0].Clause}, url)
		require.NotContains(t, found[0].Received, "u:p")
	}
}

func TestEndpointFindings(t *testing.T) {
	t.Parallel()
	w := world.New(world.Config{})
	_, err := w.Webhooks().Add(delivery.NewEndpoint{Events: []string{"payment_status_changed", "PAID"}, Profile: "delay, late,burst,,never"})
	found := planError(t, err, kernel.Invalid).Findings
	require.Len(t, found, 3)
	require.Equal(t, "/events/1", found[1].Pointer)
	require.Equal(t, `"PAID"`, found[1].Received)
	require.Contains(t, found[1].Expected, companyEvent+", "+paymentEvent)
	require.Equal(t, "/profile", found[2].Pointer)
	require.Equal(t, `"late,never"`, found[2].Received)
	require.Contains(t, found[2].Expected, strings.Join(delivery.ProfileNames(), ", "))
	planUntouchedBut(t, w)
	require.Empty(t, w.Webhooks().List())
}

// planUntouchedBut requires that nothing has moved; what was found may be sent.
func planUntouchedBut(t *testing.T, w *world.World) {
	t.Helper()
	records, effects := w.Take()
	require.Empty(t, effects)
	for _, r := range records {
		require.Empty(t, r.Machine+r.Name)
	}
}

func TestEndpointView(t *testing.T) {
	t.Parallel()
	w := world.New(world.Config{Seed: 5})
	planAt(w, planStart)
	secret := "s3cret"
	e, err := w.Webhooks().Add(delivery.NewEndpoint{
		URL: "https://p.example.com/hooks", Secret: &secret, Events: []string{"payment_status_changed"}, Profile: " slow-read,DELAY,delay ",
	})
	require.NoError(t, err)
	require.Equal(t, delivery.EndpointView{
		ID: e.ID, URL: "https://p.example.com/hooks", Secret: "s3cret", Events: []string{paymentEvent}, Profile: "delay,slow-read",
		Status: "Enabled", Created: "2026-01-05T15:30:00Z",
	}, e)
	all := addEndpoint(t, w, "")
	require.Equal(t, world.EventNames(), all.Events)
	require.Equal(t, []delivery.EndpointView{e, all}, w.Webhooks().List())
	everything := addEndpoint(t, w, strings.Join(delivery.ProfileNames(), ","))
	require.Equal(t, strings.Join(delivery.ProfileNames(), ","), everything.Profile)
	require.Len(t, delivery.ProfileNames(), 19)

	require.NoError(t, w.Webhooks().Remove(e.ID))
	planError(t, w.Webhooks().Remove(e.ID), kernel.NotFound)
	require.Equal(t, []delivery.EndpointView{all, everything}, w.Webhooks().List())
	next := addEndpoint(t, w, "")
	require.Equal(t, []delivery.EndpointView{all, everything, next}, w.Webhooks().List(), "a freed place does not change the order")
}

func TestEndpointSecrets(t *testing.T) {
	t.Parallel()
	secrets := map[string]int{}
	for range 2 {
		w := world.New(world.Config{Seed: 5})
		for range 2 {
			e := addEndpoint(t, w, "")
			require.Regexp(t, "^whsec_[A-Za-z0-9_-]{32}$", e.Secret)
			secrets[e.Secret]++
		}
	}
	require.Len(t, secrets, 2, "the same from the same seed, each endpoint its own")

	w := world.New(world.Config{})
	none, own := "", "own"
	e, err := w.Webhooks().Add(delivery.NewEndpoint{URL: "http://a.example", Secret: &none})
	require.NoError(t, err)
	require.Empty(t, e.Secret)
	e, err = w.Webhooks().RotateSecret(e.ID, &own)
	require.NoError(t, err)
	require.Equal(t, "own", e.Secret)
	drawn, err := w.Webhooks().RotateSecret(e.ID, nil)
	require.NoError(t, err)
	require.Regexp(t, "^whsec_", drawn.Secret)
	require.Equal(t, drawn, w.Webhooks().List()[0])
	_, err = w.Webhooks().RotateSecret("nothing", nil)
	planError(t, err, kernel.NotFound)
}

func TestEndpointCount(t *testing.T) {
	t.Parallel()
	w := world.New(world.Config{})
	for i := range 10_000 {
		_, err := w.Webhooks().Add(delivery.NewEndpoint{URL: "http://a.example/" + strconv.Itoa(i)})
		require.NoError(t, err)
		w.Take()
	}
	_, err := w.Webhooks().Add(delivery.NewEndpoint{URL: "http://a.example"})
	require.Equal(t, "control.webhook.count", planError(t, err, kernel.Invalid).Findings[0].Clause)
	require.NoError(t, w.Webhooks().Remove(w.Webhooks().List()[77].ID))
	addEndpoint(t, w, "")
}

func TestEndpointMachine(t *testing.T) {
	t.Parallel()
	h := newHooks(t, world.Config{})
	e := addEndpoint(t, h.w, "")
	_, err := h.w.Webhooks().Enable(e.ID)
	planError(t, err, kernel.IllegalTransition)
	_, err = h.w.Webhooks().Enable("nothing")
	planError(t, err, kernel.NotFound)

	h.company()
	sent := h.one()
	out := h.answer(sent, delivery.AttemptResult{Status: 410})
	require.True(t, out.Done)
	require.Equal(t, "Disabled", h.w.Webhooks().List()[0].Status)
	h.company()
	require.Empty(t, h.sent(), "a disabled endpoint hears nothing")
	_, err = h.w.Webhooks().Resend(e.ID, delivery.Event{ID: sent.EventID, Name: sent.Event, Entity: sent.Entity, Body: sent.Body})
	require.Equal(t, "resend", planError(t, err, kernel.IllegalTransition).Event)
	view, err := h.w.Webhooks().Enable(e.ID)
	require.NoError(t, err)
	require.Equal(t, "Enabled", view.Status)
	h.company()
	h.one()
}

func TestGoneGivesUpWhatWaits(t *testing.T) {
	t.Parallel()
	h := newHooks(t, world.Config{})
	e, other := addEndpoint(t, h.w, "", paymentEvent), addEndpoint(t, h.w, "", paymentEvent)
	first, second := h.payment(), h.payment()
	h.move(first, "approve")
	h.move(first, "pay")
	h.move(second, "approve")
	flying := h.of(e.ID, h.sent())
	require.Len(t, flying, 2)
	out := h.answer(flying[0], delivery.AttemptResult{Status: 410})
	require.Equal(t, "status 410 disabled the endpoint; waiting deliveries given up with it: 1", out.Reason)
	require.Len(t, h.w.Webhooks().Pending(), 4, "the one that is under way, and the other endpoint's")
	_, err := h.w.Webhooks().Enable(e.ID)
	require.NoError(t, err)
	h.w.Take()
	h.move(first, "return")
	require.Len(t, h.of(e.ID, h.sent()), 1, "what was given up holds nothing up")
	out = h.answer(flying[1], delivery.AttemptResult{Status: 500})
	require.False(t, out.Done, "enabled again")
	views := h.w.Webhooks().List()
	require.Equal(t, []any{e.ID, 2, other.ID, 4}, []any{views[0].ID, views[0].Pending, views[1].ID, views[1].Pending})
}

func TestADisabledEndpointIsNotTriedAgain(t *testing.T) {
	t.Parallel()
	h := newHooks(t, world.Config{})
	addEndpoint(t, h.w, "", companyEvent)
	h.company()
	h.company()
	sent := h.sent()
	require.True(t, h.answer(sent[0], delivery.AttemptResult{Status: 410}).Done)
	out := h.answer(sent[1], delivery.AttemptResult{Status: 500})
	require.True(t, out.Done)
	require.Contains(t, out.Reason, "disabled")
	require.Empty(t, h.w.Webhooks().Pending())
}

func TestRemoveEndpointForgetsItsDeliveries(t *testing.T) {
	t.Parallel()
	h := newHooks(t, world.Config{})
	e := addEndpoint(t, h.w, "")
	kept := addEndpoint(t, h.w, "")
	h.company()
	sent := h.sent()
	require.NoError(t, h.w.Webhooks().Remove(e.ID))
	_, err := h.w.Webhooks().Attempted(h.of(e.ID, sent)[0].ID, delivery.AttemptResult{Status: 200})
	planError(t, err, kernel.NotFound)
	_, ok := h.w.Webhooks().View(h.of(e.ID, sent)[0].ID)
	require.False(t, ok)
	require.True(t, h.answer(h.of(kept.ID, sent)[0], delivery.AttemptResult{Status: 200}).Done)
	h.company()
	require.Len(t, h.sent(), 1)
}
