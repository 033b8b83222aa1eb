package console_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTroubleIsArmed(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.shop()
	p := h.press(http.MethodPost, "/faults", "trouble", "effect.status:int", "429", "effect.retryAfter:int", "2", "count:int", "1")
	require.Contains(t, p.body, "status=429; retry-after=2")
	status, _ := h.call(http.MethodGet, "/Company/List", nil)
	require.Equal(t, http.StatusTooManyRequests, status)
	p = h.get("trouble")
	require.Contains(t, p.body, `<td data-label="Hits" class="number">1</td>`)
	require.Contains(t, p.body, "Nothing is armed", "what has met its one call is armed no more")
	require.NotContains(t, p.body, `data-testid="faults"`)
	require.Contains(t, p.body, `data-testid="spent"`)
	require.Contains(t, h.press(http.MethodDelete, "/faults", "trouble").body, "Nothing is armed")
}

// TestAnOutageEndsByTheClock: the screen says when, and what is left of it; a file says what was.
func TestAnOutageEndsByTheClock(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.shop()
	require.Contains(t, h.press(http.MethodPost, "/faults", "trouble", "effect.status:int", "503", "for", "1h").body, "until 18:00:00 UTC, 1 hour left")
	require.Contains(t, h.press(http.MethodPost, "/faults", "trouble", "name", "late", "match.operation", "listPlans", "effect.latency", "1s", "for", "1h").body,
		"late waits for listPlans, to meet it with latency=1s, until 2 March 2026, 18:00:00 UTC.", "what was done is said where one looks")
	h.control(http.MethodPost, "/faults", `{"name":"few","match":{"operation":"createPayment"},"effect":{"status":503},"for":"2d","count":2}`)
	h.control(http.MethodPost, "/clock/advance", `{"by":"24m30s"}`)
	status, _ := h.call(http.MethodGet, "/Company/List", nil)
	require.Equal(t, http.StatusServiceUnavailable, status)
	p := h.get("trouble")
	require.Contains(t, p.body, "until 18:00:00 UTC, 35 minutes 30 seconds left")
	require.Contains(t, p.body, "2 calls until 4 March 2026, 17:00:00 UTC, 1 day 23 hours left")
	h.control(http.MethodPost, "/clock/advance", `{"by":"1h"}`)
	status, _ = h.call(http.MethodGet, "/Company/List", nil)
	require.NotEqual(t, http.StatusServiceUnavailable, status)
	saved := h.upload(h.control(http.MethodGet, "/tape?end=true", "").body).header.Get("Location")
	for _, page := range []string{"trouble", strings.TrimSuffix(saved, "live") + "trouble"} {
		require.Contains(t, h.get(page).body, "nothing: it ended at 18:00:00 UTC", page)
	}
	require.Contains(t, h.get("trouble").body, "What is over")
}

func TestEveryRecipeCanBeArmed(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	forms := regexpRecipe.FindAllStringSubmatch(h.get("trouble").body, -1)
	require.Len(t, forms, 6)
	for _, form := range forms {
		var body []string
		for _, field := range regexpBody.FindAllStringSubmatch(form[0], -1) {
			body = append(body, field[1], field[2])
		}
		require.Contains(t, h.press(http.MethodPost, "/faults", "trouble", body...).body, "was answered 200", form[0])
	}
}

// TestARefusedFormKeepsWhatWasTyped: one mends it, and does not write it again.
func TestARefusedFormKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	p := h.press(http.MethodPost, "/faults", "trouble", "match.operation", "createPayments", "match.nth:int", "2", "effect.latency", "2s", "effect.cutConnection", "headers", "for", "1h")
	for _, want := range []string{
		"was refused: 400", `name="body.match.operation" value="createPayments"`, `name="body.match.nth:int" value="2"`,
		`name="body.effect.latency" value="2s"`, "<option selected>headers<", `name="body.for" value="1h"`, `<details class="card" open>`,
	} {
		require.Contains(t, p.body, want)
	}
	require.NotContains(t, h.get("trouble").body, "createPayments", "the next page is empty again")
	require.Contains(t, h.press(http.MethodPost, "/webhooks", "deliveries", "url", "ftp://shop.example/<hooks>").body, `value="ftp://shop.example/&lt;hooks&gt;"`)
	p = h.press(http.MethodPost, "/clock/advance", "clock", "by", "a while")
	require.Contains(t, p.body, `name="body.by" value="a while"`)
	require.Contains(t, p.body, `name="body.to" value="2026-`, "the form beside it has what it had")
	require.NotContains(t, h.press(http.MethodPost, "/clock/advance", "clock", "by", strings.Repeat("x", 40_000)).body, `value="xxxx`, "a long form is not kept")
}
