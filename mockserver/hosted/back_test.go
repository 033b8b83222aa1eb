package hosted_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/hosted"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/world"
)

// TestBackAndForwardOnlyLook walks back and forward over posted forms, one with a
// mistake among them: each page is shown again, and nothing is done twice.
func TestBackAndForwardOnlyLook(t *testing.T) {
	t.Parallel()
	chromium := browse(t)
	for name, scripts := range map[string]bool{"scripts on": true, "scripts off": false} {
		t.Run(name, func(t *testing.T) {
			h, b := newHouse(t), newTab(chromium, t, scripts)
			id := h.payer(world.NewRegistration{RedirectURL: partner(t)})
			b.open(h.address("register", id))
			b.press("continue")
			b.sees("error-bank")
			b.choose("bank-slow")
			b.press("continue")
			b.sees("page-kyc")
			b.write("name", "Pat Lee")
			b.press("finish")
			b.sees("error-born")
			b.walk(chromedp.NavigateBack(), "chosen-bank")
			b.walk(chromedp.NavigateBack(), "error-bank")
			b.walk(chromedp.NavigateBack(), "page-register")
			b.walk(chromedp.NavigateForward(), "error-bank")
			b.walk(chromedp.NavigateForward(), "chosen-bank")
			require.Equal(t, "Pending", h.registration(id).State)
		})
	}
}

// walk goes back or forward and waits for a page with this.
func (b *tab) walk(step chromedp.Action[chromedp.Void], id string) {
	b.t.Helper()
	require.NoError(b.t, chromedp.Do(b.ctx, step))
	b.sees(id)
}

// TestWaitingPagesLookAgain: a page that waits says for what and looks again, ever
// more rarely, and in the end leaves it to the visitor.
func TestWaitingPagesLookAgain(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	id := h.payment(world.NewPayment{})
	r := h.follow(h.address("pay", id), "answer", "approve", "bank", "under-review")
	require.Contains(t, r.body, "It waits for the end of the review. The sandbox&#39;s clock is at March 2, 2026, 17:00 UTC")
	seen := map[string]bool{}
	for looks := 0; r.header.Get("Refresh") != ""; looks++ {
		require.Less(t, looks, 9)
		require.False(t, seen[r.header.Get("Refresh")])
		seen[r.header.Get("Refresh")] = true
		_, address, _ := strings.Cut(r.header.Get("Refresh"), "url=")
		r = h.get(h.url + address)
	}
	require.Len(t, seen, 8)
	require.True(t, r.shows("link-again"))
	_, err := h.on.Advance(integration.Move{To: integration.DefaultStart.AddDate(0, 1, 0)})
	require.NoError(t, err)
	r = h.get(h.address("pay", id))
	require.Contains(t, r.body, ">Paid<")
	require.Empty(t, r.header.Get("Refresh"))
}

// TestDeclinedCardSaysWhy reads the page behind each card that is declined.
func TestDeclinedCardSaysWhy(t *testing.T) {
	t.Parallel()
	for number, why := range map[string]string{
		"4000000000000002": "gave no reason", "4000000000009995": "not enough money", "4000000000000069": "it has expired", "4000000000000127": "its code is wrong",
	} {
		h := newHouse(t)
		page := h.address("card", h.card(world.NewCardAuthorisation{}))
		require.Contains(t, h.follow(page, "answer", "card", "number", number, "expiry", "12/28", "code", "123").body, why)
	}
}

// TestPagesLeadToWhatTheyDid: where there is a console, the page behind a posted
// form leads to that form's entry, and no other page does.
func TestPagesLeadToWhatTheyDid(t *testing.T) {
	t.Parallel()
	for _, console := range []bool{true, false} {
		h := housePages(t, integration.Options{Seed: 7, Clock: integration.Manual}, hosted.Options{Console: console})
		page := h.address("pay", h.payment(world.NewPayment{}))
		require.False(t, h.get(page).shows("did"))
		posted := h.post(page, "answer", "deny")
		require.Equal(t, http.StatusSeeOther, posted.status)
		r := h.get(h.url + posted.location())
		require.Equal(t, console, r.shows("did"))
		if console {
			require.Contains(t, r.body, `href="/console/default/entries/`+posted.header.Get("Sandbox-Exchange")+`"`)
		}
		require.False(t, h.get(page+"?did=%22x").shows("did"))
	}
}
