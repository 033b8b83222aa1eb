package console_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/browser"
)

// submit presses what a selector finds, and waits for the page that follows.
func (b *tab) submit(selector string) {
	b.t.Helper()
	_, err := chromedp.RunResponse(b.ctx, chromedp.Click(chromedp.CSS(selector)))
	require.NoError(b.t, err, selector)
}

// fill writes into a field.
func (b *tab) fill(id, text string) {
	b.t.Helper()
	require.NoError(b.t, chromedp.Do(b.ctx, chromedp.SendKeys(chromedp.CSS("#"+id), text)), id)
}

// TestEveryScreenWithoutScripts: a reload shows what is new, each form works, each way is in
// view, and nothing is offered that scripts alone can do.
func TestEveryScreenWithoutScripts(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	company := h.shop()
	id := h.fails(company, "Without scripts")
	h.press(http.MethodPost, "/payments/"+id+"/approve", "live")
	h.get("entities")
	b := &tab{t, browser.Tab(browser.Start(t, 1280, "every screen without scripts"), t, false)}
	const cut = `[...document.querySelectorAll("header a")].filter(a => a.checkVisibility()).filter(a => { const r = a.getBoundingClientRect(), at = document.elementFromPoint(r.right - 2, r.top + r.height / 2); return !a.contains(at) && a !== at }).map(a => a.textContent).join()`
	for _, screen := range screens {
		b.open(h.url + "/console/default/" + screen)
		require.Empty(t, b.js(cut), "each way is in view: %s", screen)
		require.Empty(t, b.js(`[...document.querySelectorAll("button[type=button], [data-range], #keys, #palette")].filter(e => e.checkVisibility()).map(e => e.textContent).join()`), "what scripts alone can do: %s", screen)
		require.Equal(t, "false", b.js(`document.querySelector("#detail > .empty")?.checkVisibility() ?? false`), screen)
	}
	b.open(h.url + "/console/default/live")
	h.fill(3)
	const first = `document.querySelector("#rows tr").dataset.seq`
	require.NotEqual(t, itoa(h.newest()), b.js(first))
	require.NoError(t, chromedp.Do(b.ctx, chromedp.Reload()))
	require.Equal(t, itoa(h.newest()), b.js(first))
	b.fill("q", "Without SCRIPTS")
	b.submit(`.filter button:not([type])`)
	require.Equal(t, "true", b.js(`document.querySelectorAll("#rows tr").length > 0 && [...document.querySelectorAll("#rows tr")].every(r => !r.textContent.includes("getPaymentStatus"))`))
	b.submit(`#rows a.open`)
	require.Equal(t, "true", b.js(`location.pathname.includes("/entries/")`))

	for _, step := range []struct{ screen, field, text, press, shows string }{
		{"deliveries", "url", h.receiver.URL + "/more", "[data-testid=register]", h.receiver.URL + "/more"},
		{"deliveries?state=failing", "", "", "[data-testid=deliveries] td form button", "was answered 200"},
		{"clock", "preview", "24h", "form[method=get] button", "What 24h would bring"},
		{"clock", "by", "24h", `form:has(#by) button`, "2026-03-03 17:00:00"},
		{"trouble", "", "", "[data-testid=arm-too-many-requests]", "status=429"},
		{"trouble?q=429", "", "", "[data-testid=faults] button", "was answered 200"},
		{"problems", "q", "500", ".filter button", "The receiver answered 500"},
		{"inbox", "q", "no such text", ".filter button", "No message passes the filter"},
		{"entities", "q", "without scripts", ".filter button", id[:8]},
		{"entities/" + id, "", "", "[data-testid=move-return]", "Paid to Failed"},
		{"entities?at=4", "", "", ".then a[rel=next]", "As it stood at entry #5"},
		{"settings", "snap", "before", "[data-testid=snapshot-save]", "before"},
		{"entries/1", "note", "seen by hand", "form:has(#note) button", "seen by hand"},
		{"readiness", "", "", "nav a[href$=settings]", "Choices of the ledger"},
	} {
		b.open(h.url + "/console/default/" + step.screen)
		if step.field != "" {
			b.fill(step.field, step.text)
		}
		b.js(`document.querySelectorAll("details").forEach(d => { d.open = true })`)
		b.submit(step.press)
		require.Contains(t, b.js(`document.body.innerText`), step.shows, step.screen)
	}
}

// TestTheFirstPaymentIsOfferedOnAPhone, where no entry is shown beside the list.
func TestTheFirstPaymentIsOfferedOnAPhone(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	b := &tab{t, browser.Tab(browser.Start(t, 1280, "the first payment on a phone"), t, true)}
	for _, width := range []int64{390, 1000} {
		require.NoError(t, chromedp.Do(b.ctx, chromedp.EmulateViewport(width, 844)))
		b.open(h.url + "/console/default/live")
		require.Equal(t, "true", b.js(`document.querySelector("[data-testid=make-first]").checkVisibility()`))
		require.Equal(t, "false", b.js(`document.querySelector("#detail > .empty").checkVisibility()`), "nothing opens beside the list")
	}
	b.press("make-first")
	require.Equal(t, "Pending", b.reads("status"))
	b.open(h.url + "/console/default/live")
	require.Equal(t, "false", b.js(`document.querySelector("#detail").checkVisibility()`))
}

// TestLongNamesTakeNoRoom: a label, a client and an id that strangers choose widen no list, and
// leave room for what happened; each has its whole text on hover or behind its link.
func TestLongNamesTakeNoRoom(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	company := h.shop()
	h.hooks()
	h.answers <- http.StatusInternalServerError
	label, client := `"><img src=x onerror=alert(1)>`+strings.Repeat("W", 70), "<script>alert(2)</script>/"+strings.Repeat("X", 200)
	for _, body := range []string{`{"amount":5000,"companyId":"` + company + `","contactNumber":"+12025550123","shortDescription":"` + strings.Repeat("V", 60) + `"}`, `{"amount":"x"}`} {
		h.send(h.request(http.MethodPost, "/Payment/Create", body, "Content-Type", "application/json", "Authorization", "Bearer "+h.token, "Sandbox-Label", label, "User-Agent", client))
	}
	h.send(h.request(http.MethodGet, "/Payment/%3Cscript%3E"+strings.Repeat("U", 80)+"/Status", "", "Authorization", "Bearer "+h.token, "Sandbox-Label", label))
	b := &tab{t, browser.Tab(browser.Start(t, 1280, "long names"), t, true)}
	for _, screen := range append([]string{"live?label=" + url.QueryEscape(label)}, screens...) {
		b.open(h.url + "/console/default/" + screen)
		require.Equal(t, "", b.js(`[...document.querySelectorAll(".scroll, html")].filter(e => e.scrollWidth > e.clientWidth).map(e => e.ariaLabel).join()`), screen)
		require.Equal(t, "true", b.js(`[...document.querySelectorAll("#rows .what .text")].every(e => e.clientWidth > 90)`), screen)
	}
	b.open(h.url + "/console/default/live")
	b.fill("label", label)
	b.submit(".filter button:not([type])")
	require.Equal(t, "true", b.js(`document.querySelectorAll("#rows tr").length > 1`), "the whole label can be written")
}

// TestATapeIsDroppedOnAnyPage, and a text that is moved goes where it is put.
func TestATapeIsDroppedOnAnyPage(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.shop()
	saved := h.control(http.MethodGet, "/tape?end=true", "").body
	b := &tab{t, browser.Tab(browser.Start(t, 1280, "a file that is dropped"), t, true)}
	const drop = `(() => { const d = new DataTransfer(); d.items.add(new File([%s], "case.tape")); dispatchEvent(new DragEvent("drop", { dataTransfer: d, cancelable: true })) })()`
	for n, page := range []string{"default/problems", "-/file", "-/integrations"} {
		b.open(h.url + "/console/" + page)
		require.Equal(t, "true", b.js(`(() => { const d = new DataTransfer(); d.setData("text/plain", "x"); return dispatchEvent(new DragEvent("drop", { dataTransfer: d, cancelable: true })) })()`))
		b.js(fmt.Sprintf(drop, strconv.Quote(saved)))
		b.comes(`location.pathname + " " + document.readyState`, fmt.Sprintf("/console/file-%d/live complete", n+1))
		require.Equal(t, "Read-only: case.tape", b.reads("read-only"))
	}
	b.js(fmt.Sprintf(drop, strconv.Quote(saved)))
	b.comes(`location.pathname`, "/console/file-4/live")
}
