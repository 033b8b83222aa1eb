package hosted_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/browser"
	"paysandbox/mockserver/world"
)

// browse starts a browser as wide as a phone.
func browse(t *testing.T) context.Context {
	t.Helper()
	return browser.Start(t, 390, "the pages")
}

// tab is one tab of the browser on the pages of a house.
type tab struct {
	t   *testing.T
	ctx context.Context
}

// newTab opens a tab, with scripts on or off.
func newTab(chromium context.Context, t *testing.T, scripts bool) *tab {
	t.Helper()
	b := &tab{t, browser.Tab(chromium, t, scripts)}
	b.open(`data:text/html,<p data-testid="scripts">false</p><script>document.querySelector("p").textContent=true</script>`)
	require.Equal(t, fmt.Sprint(scripts), b.reads("scripts"))
	return b
}

func testID(id string) chromedp.CSS { return chromedp.CSS(`[data-testid="` + id + `"]`) }

func (b *tab) open(address string) {
	b.t.Helper()
	require.NoError(b.t, chromedp.Do(b.ctx, chromedp.Navigate(address)))
}

func (b *tab) choose(id string) {
	b.t.Helper()
	require.NoError(b.t, chromedp.Do(b.ctx, chromedp.Click(testID(id))), id)
}

func (b *tab) write(id, text string) {
	b.t.Helper()
	require.NoError(b.t, chromedp.Do(b.ctx, chromedp.SendKeys(testID(id), text)), id)
}

// press clicks what leads to another page and waits for it.
func (b *tab) press(id string) {
	b.t.Helper()
	_, err := chromedp.RunResponse(b.ctx, chromedp.Click(testID(id)))
	require.NoError(b.t, err, id)
}

func (b *tab) sees(id string) {
	b.t.Helper()
	require.NoError(b.t, chromedp.Do(b.ctx, chromedp.WaitVisible(testID(id))), id)
}

func (b *tab) reads(id string) string {
	b.t.Helper()
	text, err := chromedp.Run(b.ctx, chromedp.Text(testID(id)))
	require.NoError(b.t, err, id)
	return strings.TrimSpace(text)
}

// partner is a partner's site, which leads on to its other name.
func partner(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/back" {
			http.Redirect(w, r, "http://localhost:"+r.Host[strings.LastIndex(r.Host, ":")+1:]+"/welcome", http.StatusFound)
			return
		}
		_, _ = fmt.Fprint(w, `<!doctype html><title>Partner</title><p data-testid="partner">Welcome back</p>`)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/back"
}

// journeys are what people do on the pages, by clicking.
func journeys() map[string]func(h *house, b *tab, back string) {
	return map[string]func(h *house, b *tab, back string){
		"register":           browseRegistration,
		"pay":                browsePayment,
		"authorise a card":   browseCard,
		"accept a consent":   browseConsent,
		"authorise debits":   browseDebit,
		"link a bank":        browseBankLink,
		"refund in portal":   browsePortal,
		"register, corrects": browseCorrection,
	}
}

func TestJourneysInABrowser(t *testing.T) {
	t.Parallel()
	chromium := browse(t)
	for name, journey := range journeys() {
		for mode, scripts := range map[string]bool{"scripts on": true, "scripts off": false} {
			t.Run(name+", "+mode, func(t *testing.T) {
				journey(newHouse(t), newTab(chromium, t, scripts), partner(t))
			})
		}
	}
}

func browseRegistration(h *house, b *tab, back string) {
	id := h.payer(world.NewRegistration{RedirectURL: back, Amount: ptr[int64](4900), ShortDescription: "Membership for March"})
	b.open(h.address("register", id))
	require.Equal(b.t, "$49.00", b.reads("amount"))
	b.choose("bank-good")
	b.press("continue")
	b.write("name", "Pat Lee")
	b.write("born", "02281990")
	b.write("ssn", "1234")
	b.press("finish")
	b.sees("partner")
	require.Equal(b.t, "Registered", h.registration(id).State)
	b.open(h.address("register", id))
	b.sees("notice-registered")
}

func browseCorrection(h *house, b *tab, back string) {
	id := h.payer(world.NewRegistration{RedirectURL: back})
	b.open(h.address("register", id))
	b.press("continue")
	b.sees("error-bank")
	b.choose("bank-own")
	b.write("routing", "110000000")
	b.write("account", "123412345678")
	b.press("continue")
	require.Equal(b.t, "Another account *5678", b.reads("chosen-bank"))
	b.press("change-bank")
	b.choose("bank-slow")
	b.press("continue")
	b.press("finish")
	b.sees("error-born")
	b.write("name", "Pat Lee")
	b.write("born", "02281990")
	b.write("ssn", "1234\r")
	b.sees("partner")
	require.Equal(b.t, "*3333", *h.registration(id).AccountMask)
}

func browsePayment(h *house, b *tab, back string) {
	id := h.payment(world.NewPayment{FeePayer: "ask", ReturnURL: back})
	b.open(h.address("pay", id))
	require.Equal(b.t, "$1,234.50", b.reads("amount"))
	b.choose("bank-good")
	b.choose("fee-client")
	b.press("approve")
	b.sees("partner")
	require.Equal(b.t, "Processing", h.status(id))

	payer := h.payer(world.NewRegistration{})
	h.link(payer)
	id = h.payment(world.NewPayment{RegistrationID: payer})
	b.open(h.address("pay", id))
	b.press("deny")
	require.Equal(b.t, "Denied", b.reads("status"))
}

func browseCard(h *house, b *tab, back string) {
	id := h.card(world.NewCardAuthorisation{ReturnURL: back})
	b.open(h.address("card", id))
	b.write("number", "4000 0000 0000 3220")
	b.write("expiry", "12/28")
	b.write("code", "123")
	b.press("pay")
	b.write("challenge", b.reads("test-code"))
	b.press("confirm")
	b.sees("partner")
	require.Equal(b.t, "Authorised", h.status(id))
}

func browseConsent(h *house, b *tab, _ string) {
	b.open(h.address("consent", h.consent()))
	b.press("accept")
	require.Equal(b.t, "Accepted", b.reads("status"))
	b.press("withdraw")
	require.Equal(b.t, "Revoked", b.reads("status"))
}

func browseDebit(h *house, b *tab, _ string) {
	b.open(h.address("debit", h.debit(h.payer(world.NewRegistration{}))))
	require.Equal(b.t, "$100.00", b.reads("limit"))
	b.press("accept")
	require.Equal(b.t, "Accepted", b.reads("status"))
	b.press("withdraw")
	require.Equal(b.t, "Disabled", b.reads("status"))
}

func browseBankLink(h *house, b *tab, _ string) {
	page := h.address("bank-link", h.bankLink())
	b.open(page)
	b.choose("bank-good")
	b.press("connect")
	require.Equal(b.t, "*1111", b.reads("account-mask"))
	b.press("link-portal")
	b.sees("page-portal")
	b.open(page)
	b.sees("notice-link-used")
}

func browsePortal(h *house, b *tab, _ string) {
	_, page := h.paid("%PDF-1.4")
	b.open(page)
	b.write("amount", "12.50")
	b.write("reason", "Two classes")
	b.press("refund")
	require.Contains(b.t, b.reads("refunds"), "$12.50")
}

// TestStyleAndKeyboardInABrowser sees that the policy lets the page's own style
// through, and walks through a form with the keyboard alone.
func TestStyleAndKeyboardInABrowser(t *testing.T) {
	t.Parallel()
	h, b := newHouse(t), newTab(browse(t), t, true)
	id := h.payment(world.NewPayment{FeePayer: "ask"})
	b.open(h.address("pay", id))
	colour, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`getComputedStyle(document.querySelector("main")).backgroundColor`))
	require.NoError(t, err)
	require.Equal(t, "rgb(255, 255, 255)", colour)
	wide, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](`document.documentElement.scrollWidth > innerWidth`))
	require.NoError(t, err)
	require.False(t, wide, "nothing sticks out on a phone")

	var order []string
	for range 4 {
		require.NoError(t, chromedp.Do(b.ctx, chromedp.KeyEvent("\t")))
		at, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`document.activeElement.dataset.testid`))
		require.NoError(t, err)
		if order = append(order, at); len(order) < 3 {
			require.NoError(t, chromedp.Do(b.ctx, chromedp.KeyEvent(" ")))
		}
	}
	require.Equal(t, []string{"bank-good", "fee-client", "approve", "deny"}, order)
	_, err = chromedp.RunResponse(b.ctx, chromedp.KeyEvent("\r"))
	require.NoError(t, err)
	require.Equal(t, "Denied", b.reads("status"))
	require.Equal(t, "Denied", h.status(id))
}
