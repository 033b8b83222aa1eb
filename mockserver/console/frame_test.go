package console_test

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/browser"
)

// TestTheFrameStaysOneLine: on a desk, also when a label is looked at alone, when the page is
// not live, and for who has signed in to look; nothing moves because of it, and nothing is
// wider than its window.
func TestTheFrameStaysOneLine(t *testing.T) {
	t.Parallel()
	b := &tab{t, browser.Tab(browser.Start(t, 1280, "the frame"), t, true)}
	mine, theirs := newHouse(t), outside(t)
	b.open(theirs.url + "/console")
	require.NoError(t, chromedp.Do(b.ctx, chromedp.SendKeys(chromedp.CSS("#token"), readToken)))
	_, err := chromedp.RunResponse(b.ctx, chromedp.Click(chromedp.CSS("main button")))
	require.NoError(t, err)
	require.Equal(t, "read-only", b.reads("looks-only"))
	const one, stops = `document.querySelector(".top").offsetHeight < 60`, `document.dispatchEvent(new CustomEvent("htmx:sse:error"))`
	const wider = `document.documentElement.scrollWidth - innerWidth`
	for _, width := range []int64{1024, 1100, 1280, 1440} {
		require.NoError(t, chromedp.Do(b.ctx, chromedp.EmulateViewport(width, 900)))
		for _, address := range []string{
			mine.url + "/console/default/live", mine.url + "/console/default/readiness?label=anna", mine.url + "/console/default/settings?label=feature/a-branch-with-a-long-name",
			theirs.url + "/console/default/live", theirs.url + "/console/default/settings?label=feature/a-branch-with-a-long-name",
		} {
			b.open(address)
			b.comes(`document.getElementById("live").textContent`, "live")
			require.Equal(t, "true", b.js(one), "%s at %d", address, width)
			require.Equal(t, "true", b.js(`(() => { const a = document.querySelector("nav [aria-current]").getBoundingClientRect(), n = document.querySelector("nav").getBoundingClientRect(); return a.left >= n.left && a.right <= n.right })()`), "where one is is in view: %s at %d", address, width)
			b.js(stops)
			require.Equal(t, "true", b.js(one), "not live: %s at %d", address, width)
			require.Equal(t, "0", b.js(wider), "%s at %d", address, width)
		}
	}
}
