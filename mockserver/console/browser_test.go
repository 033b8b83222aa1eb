package console_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	browserpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/browser"
)

// tab is one tab of the browser.
type tab struct {
	t   *testing.T
	ctx context.Context
}

func testID(id string) chromedp.CSS { return chromedp.CSS(`[data-testid="` + id + `"]`) }

func (b *tab) open(address string) {
	b.t.Helper()
	require.NoError(b.t, chromedp.Do(b.ctx, chromedp.Navigate(address)))
}

func (b *tab) press(id string) {
	b.t.Helper()
	_, err := chromedp.RunResponse(b.ctx, chromedp.Click(testID(id)))
	require.NoError(b.t, err, id)
}

func (b *tab) reads(id string) string {
	b.t.Helper()
	text, err := chromedp.Run(b.ctx, chromedp.Text(testID(id)))
	require.NoError(b.t, err, id)
	return strings.TrimSpace(text)
}

// js asks the page; scripts of the page itself may be off.
func (b *tab) js(expression string) string {
	b.t.Helper()
	text, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`String(`+expression+`)`))
	require.NoError(b.t, err, expression)
	return text
}

// comes waits until an expression is what is wanted. A page that goes away while it is
// asked is asked again.
func (b *tab) comes(expression, want string) {
	b.t.Helper()
	require.EventuallyWithT(b.t, func(c *assert.CollectT) {
		text, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`String(`+expression+`)`))
		require.NoError(c, err)
		require.Equal(c, want, text)
	}, 2*time.Minute, 20*time.Millisecond, expression)
}

func (b *tab) key(keys string) {
	b.t.Helper()
	require.NoError(b.t, chromedp.Do(b.ctx, chromedp.KeyEvent(keys)))
}

// front brings a tab to the front: those behind rest, and catch up when they come.
func (b *tab) front() {
	b.t.Helper()
	_, err := chromedp.Call(b.ctx, browserpage.BringToFront, cdp.Empty{})
	require.NoError(b.t, err)
}

// TestFromTheFirstCallToPaid is what a newcomer does, with scripts and without.
func TestFromTheFirstCallToPaid(t *testing.T) {
	t.Parallel()
	chromium := browser.Start(t, 1280, "the console")
	for mode, scripts := range map[string]bool{"scripts on": true, "scripts off": false} {
		t.Run(mode, func(t *testing.T) {
			h := newHouse(t)
			b := &tab{t, browser.Tab(chromium, t, scripts)}
			b.open(h.url + "/")
			require.Contains(t, b.reads("try"), "curl -s "+h.url)
			if scripts {
				require.Equal(t, "true", b.js(`(() => { const pre = document.querySelector("pre"), r = document.createRange(); r.selectNodeContents(pre);
					return [...r.getClientRects()].every(l => l.right < pre.nextElementSibling.getBoundingClientRect().left) })()`), "a button hides what it copies")
				b.comes(`document.getElementById("live").textContent`, "live")
			}
			company := h.shop()
			id := h.fails(company, "Membership")
			if scripts {
				b.comes(`document.querySelectorAll("#rows tr.entry").length > 5`, "true")
				require.Equal(t, "null", b.js(`document.getElementById("waiting")`))
			}
			b.open(h.url + "/console/default/entities/" + id)
			require.Equal(t, "Pending", b.reads("status"))
			b.press("move-approve")
			require.Equal(t, "Processing", b.reads("status"))
			require.Contains(t, b.reads("flash"), "answered 200")
			require.Contains(t, b.reads("entity-deliveries"), "500")
			b.press("move-pay")
			require.Equal(t, "Paid", b.reads("status"))
			require.Contains(t, b.reads("why"), "Processing to Paid")
			_, err := chromedp.RunResponse(b.ctx, chromedp.Click(chromedp.CSS(`[data-testid=entity-deliveries] a[href*="/entries/"]`)))
			require.NoError(t, err)
			why := b.reads("entry")
			require.Contains(t, why, "status 500; attempt 2 of 8", "a failed delivery says why, and what comes next")
			require.Contains(t, why, "The signature is right")
		})
	}
}

// TestLiveDoesNotJump: what comes while one reads waits, a choice stays, keys work.
func TestLiveDoesNotJump(t *testing.T) {
	t.Parallel()
	chromium := browser.Start(t, 1280, "the list of entries")
	h := newHouse(t)
	company := h.shop()
	h.fill(60)
	b := &tab{t, browser.Tab(chromium, t, true)}
	b.open(h.url + "/console/default/live")
	b.comes(`document.getElementById("live").textContent`, "live")
	const first = `document.querySelector("#rows tr").dataset.seq`
	const stands = `document.querySelector("#rows tr").getBoundingClientRect().top`
	seq, top := b.js(first), b.js(stands)
	b.key("p")
	h.fill(5)
	b.comes(`document.getElementById("new").textContent`, "5 new")
	require.Equal(t, seq, b.js(first), "nothing has come in between")
	require.Equal(t, top, b.js(stands), "nothing has moved")
	require.NoError(t, chromedp.Do(b.ctx, chromedp.Click(testID("new"))))
	b.comes(first, itoa(h.newest()))
	b.key("j")
	b.key("j")
	b.key("\r")
	const opened, focused = `document.querySelector("#detail #entry h1")?.textContent.includes("#`, `document.activeElement.id || document.activeElement.textContent`
	b.comes(opened+itoa(h.newest()-1)+`")`, "true")
	b.comes(focused, "detail")
	require.Equal(t, top, b.js(stands), "what is opened by keys moves nothing")
	b.key("?")
	b.comes(`document.getElementById("keys").hidden`, "false")
	b.key("\u001b")
	b.comes(`document.getElementById("keys").hidden`, "true")
	b.comes(opened+itoa(h.newest()-1)+`")`, "true")
	b.open("about:blank")
	require.NoError(t, chromedp.Do(b.ctx, chromedp.NavigateBack()))
	b.comes(opened+itoa(h.newest()-1)+`")`, "true")
	b.key("\u001b")
	b.comes(`document.querySelector("#detail #entry")`, "null")
	b.comes(focused, "#"+itoa(h.newest()-1))
	b.key("\u001b")
	require.Equal(t, "null", b.js(`document.querySelector("tr.on")`))
	b.key("/")
	b.comes(`document.activeElement.id`, "q")
	b.key("\u001b")
	b.key("g")
	b.key("e")
	b.comes(`location.pathname`, "/console/default/entities")
	h.call(http.MethodPost, "/Payment/Create", map[string]any{"amount": "x"})
	b.open(h.url + "/console/default/live")
	b.comes(`(() => { const note = document.querySelector("#rows .bad-row .note"); return note.scrollWidth <= note.clientWidth && note.textContent.length > 40 })()`, "true")
	id := h.pay(company, "On a phone")
	h.press(http.MethodPost, "/payments/"+id+"/approve", "live")
	require.NoError(t, chromedp.Do(b.ctx, chromedp.EmulateViewport(390, 900)))
	b.open(h.url + "/console/default/entities/" + id)
	b.comes(`(() => { const at = document.querySelector(".node.now").getBoundingClientRect(); return at.left > 0 && at.right < innerWidth })()`, "true")
}

// TestWhatWaitsIsWhole: what comes one by one while one reads is all there afterwards.
func TestWhatWaitsIsWhole(t *testing.T) {
	t.Parallel()
	b := &tab{t, browser.Tab(browser.Start(t, 1280, "what waits"), t, true)}
	h := newHouse(t)
	h.shop()
	b.open(h.url + "/console/default/live")
	b.comes(`document.getElementById("live").textContent`, "live")
	b.key("p")
	b.js(`[...Array(300).keys()].forEach(n => document.dispatchEvent(new CustomEvent("htmx:sse:before:message",
		{ cancelable: true, detail: { message: { data: "<tr class=entry id=e" + (n + 100) + "><td>x</td></tr>" } } })))`)
	require.Equal(t, "300 new", b.js(`document.getElementById("new").textContent`))
	b.key("p")
	b.comes(`document.querySelectorAll("#rows tr").length - `+itoa(h.newest()), "300")
}

// TestTwoTabsFollowEachOther: what is pressed in one is seen in the other.
func TestTwoTabsFollowEachOther(t *testing.T) {
	t.Parallel()
	chromium := browser.Start(t, 1280, "two tabs")
	h := newHouse(t)
	id := h.pay(h.shop(), "Two tabs")
	one, two := &tab{t, browser.Tab(chromium, t, true)}, &tab{t, browser.Tab(chromium, t, true)}
	one.open(h.url + "/console/default/entities/" + id)
	one.comes(`document.getElementById("live").textContent`, "live")
	two.open(h.url + "/console/default/entities/" + id)
	two.press("move-approve")
	one.front()
	one.comes(`document.querySelector("[data-testid=status]").textContent`, "Processing")
	one.press("move-pay")
	two.front()
	two.comes(`document.querySelector("[data-testid=status]").textContent`, "Paid")
	one.open(h.url + "/console/default/live?operation=createPayment")
	one.comes(`document.getElementById("live").textContent`, "live")
	require.Equal(t, http.StatusOK, h.control(http.MethodPost, "/clock/advance", `{"by":"24h"}`).status)
	for _, b := range []*tab{one, two} {
		b.front()
		b.comes(`document.getElementById("now").textContent`, "2026-03-03 17:00:00") // the frame's clock, too
	}
}

// TestNothingLeavesThePage: no request goes elsewhere, and no script breaks.
func TestNothingLeavesThePage(t *testing.T) {
	t.Parallel()
	chromium := browser.Start(t, 1280, "what the console loads")
	h := newHouse(t)
	id := h.pay(h.shop(), `<script>document.title="broken"</script>`)
	b := &tab{t, browser.Tab(chromium, t, true)}
	for _, path := range append([]string{"entities/" + id, "entries/1"}, screens...) {
		b.open(h.url + "/console/default/" + path)
		b.comes(`document.getElementById("live").textContent`, "live")
		require.Equal(t, "true", b.js(`performance.getEntriesByType("resource").every(r => r.name.startsWith(location.origin))`), path)
		require.NotEqual(t, "broken", b.js("document.title"), path)
	}
}
