package format_test

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/report/sample"
)

func TestReadinessInABrowser(t *testing.T) {
	t.Parallel()
	browser := browse(t)
	t.Run("verdict first", func(t *testing.T) { verdictFirst(open(browser, t, sample.Integration(), true)) })
	t.Run("without scripts", func(t *testing.T) { readinessWithoutScripts(open(browser, t, sample.Integration(), false)) })
	t.Run("links", func(t *testing.T) { readinessLinks(open(browser, t, sample.Integration(), true)) })
	t.Run("looks", func(t *testing.T) { readinessLooks(open(browser, t, sample.Integration(), true)) })
	t.Run("no evidence", func(t *testing.T) { noEvidence(open(browser, t, sample.Silent(), true)) })
	t.Run("hostile", func(t *testing.T) {
		b := open(browser, t, sample.HostileIntegration(), true)
		require.NotEqual(t, "taken", evaluate[string](b, `document.title`))
		require.Equal(t, 9, evaluate[int](b, `document.querySelectorAll("[data-clause]").length`))
	})
}

// verdictFirst sees the sentence large on top, and what blocks on the first
// screen.
func verdictFirst(b *tab) {
	require.Contains(b.t, b.reads("verdict"), "Not ready for production\n\n2 requirements are broken, and 1 has not been seen.")
	size := `parseFloat(getComputedStyle(document.querySelector("h1")).fontSize)`
	require.GreaterOrEqual(b.t, evaluate[float64](b, size), 36.0)
	require.True(b.t, evaluate[bool](b, `document.querySelector("[data-testid=blocking] li").getBoundingClientRect().bottom < innerHeight`))
	require.Contains(b.t, b.reads("blocking"), "Keep the token until shortly before it expires.")
	require.Contains(b.t, b.reads("missing"), "Let a payment fail after it was paid")
	require.Equal(b.t, "9 of 9 clauses shown", b.reads("shown"))
	require.NoError(b.t, chromedp.Do(b.ctx, chromedp.SendKeys(testID("search"), "no evidence late")))
	require.Equal(b.t, "partner.return.late", b.visible())
}

func readinessWithoutScripts(b *tab) {
	require.Contains(b.t, b.reads("verdict"), "Not ready for production")
	require.Contains(b.t, b.reads("blocking"), "An altered delivery is refused")
	require.True(b.t, evaluate[bool](b, `document.querySelector("#partner\\.token\\.reuse .expected pre").checkVisibility()`), "what blocks is open")
	require.False(b.t, evaluate[bool](b, `document.querySelector("[data-testid=attempts] table").checkVisibility()`))
	require.NoError(b.t, chromedp.Do(b.ctx, chromedp.Click(chromedp.CSS(`[data-testid=attempts] summary`))))
	b.becomes(`document.querySelector("[data-testid=attempts] table").checkVisibility()`)
	require.Contains(b.t, b.reads("basis"), "SHA-256 of the tape")
}

// readinessLinks follows the link of what is missing: its clause opens, although
// the filter hides it.
func readinessLinks(b *tab) {
	const opened = `document.getElementById("partner.return.late").open`
	require.False(b.t, evaluate[bool](b, opened))
	require.NoError(b.t, chromedp.Do(b.ctx, chromedp.SendKeys(testID("search"), "nothing at all")))
	require.Empty(b.t, b.visible())
	require.NoError(b.t, chromedp.Do(b.ctx, chromedp.Click(chromedp.CSS(`[data-testid=missing] a[href="#partner.return.late"]`))))
	b.becomes(opened)
	require.Contains(b.t, b.visible(), "partner.return.late")
}

func readinessLooks(b *tab) {
	const colour = `getComputedStyle(document.querySelector(".verdict")).backgroundColor`
	light := evaluate[string](b, colour)
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}})
	require.NoError(b.t, err)
	require.NotEqual(b.t, light, evaluate[string](b, colour), "dark mode")
	_, err = chromedp.Call(b.ctx, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: 360, Height: 800, DeviceScaleFactor: 1, Mobile: false})
	require.NoError(b.t, err)
	require.False(b.t, evaluate[bool](b, `document.documentElement.scrollWidth > innerWidth`), "nothing sticks out on a phone")
	require.True(b.t, evaluate[bool](b, `document.querySelector("[data-testid=missing] table").scrollWidth <= document.querySelector("[data-testid=missing] .scroll").clientWidth`), "the table is stacked on a phone")
	require.Zero(b.t, evaluate[int](b, `performance.getEntriesByType("resource").length`), "no outside asset")
}

// noEvidence is grey: neither good nor bad.
func noEvidence(b *tab) {
	require.Contains(b.t, b.reads("tally"), every()+" no evidence")
	const is = `getComputedStyle(document.querySelector(".verdict")).backgroundColor === getComputedStyle(document.querySelector(".badge.none")).backgroundColor`
	require.True(b.t, evaluate[bool](b, is))
	require.Contains(b.t, b.reads("blocking"), "Nothing that was seen so far.")
}
