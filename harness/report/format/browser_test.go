package format_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/browser"
	"paysandbox/harness/report"
	"paysandbox/harness/report/sample"
)

// browse starts a browser.
func browse(t *testing.T) context.Context {
	t.Helper()
	return browser.Start(t, 1200, "the report")
}

// tab is a report in one tab of the browser.
type tab struct {
	t       *testing.T
	ctx     context.Context
	address string
}

// open shows a report, with scripts on or off.
func open(chromium context.Context, t *testing.T, r *report.Report, scripts bool) *tab {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.html")
	require.NoError(t, os.WriteFile(file, sample.Written(t, "html", r), 0o600))
	b := &tab{t, browser.Tab(chromium, t, scripts), "file://" + file}
	b.visit("")
	return b
}

func (b *tab) visit(fragment string) {
	b.t.Helper()
	require.NoError(b.t, chromedp.Do(b.ctx, chromedp.Navigate(b.address+fragment)))
}

func testID(id string) chromedp.CSS { return chromedp.CSS(`[data-testid="` + id + `"]`) }

// reads is what a person reads in an element; what is hidden is not there.
func (b *tab) reads(id string) string {
	b.t.Helper()
	text, err := chromedp.Run(b.ctx, chromedp.Text(testID(id)))
	require.NoError(b.t, err, id)
	return strings.TrimSpace(text)
}

// evaluate is what a script gives, whether the page may run its own or not.
func evaluate[T any](b *tab, script string) T {
	b.t.Helper()
	got, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](script))
	require.NoError(b.t, err, script)
	return got
}

// becomes waits until an expression is true.
func (b *tab) becomes(expression string) {
	b.t.Helper()
	_, err := chromedp.Run(b.ctx, chromedp.Poll[bool](expression, chromedp.WithPollingTimeout(10*time.Second)))
	require.NoError(b.t, err, expression)
}

// visible lists the clauses that are shown.
func (b *tab) visible() string {
	b.t.Helper()
	return evaluate[string](b, `[...document.querySelectorAll("[data-clause]")].filter((c) => c.checkVisibility()).map((c) => c.id).join(" ")`)
}

const allClauses = "company.create.zip payment.refund.limit payment.list.order payment.cancel.final-status plan.schedule.month-end wire.names"

func TestReportInABrowser(t *testing.T) {
	t.Parallel()
	chromium := browse(t)
	t.Run("filter and search", func(t *testing.T) { filterAndSearch(open(chromium, t, sample.Service(), true)) })
	t.Run("without scripts", func(t *testing.T) { withoutScripts(open(chromium, t, sample.Service(), false)) })
	t.Run("links open clauses", func(t *testing.T) { linksOpenClauses(open(chromium, t, sample.Service(), true)) })
	t.Run("copy", func(t *testing.T) { copies(open(chromium, t, sample.Service(), true)) })
	t.Run("looks", func(t *testing.T) { looks(open(chromium, t, sample.Service(), true)) })
	t.Run("hostile", func(t *testing.T) {
		b := open(chromium, t, sample.HostileService(), true)
		require.Contains(t, evaluate[string](b, `document.title`), "Gate not met")
		require.Equal(t, 6, evaluate[int](b, `document.querySelectorAll("[data-clause]").length`))
	})
}

func filterAndSearch(b *tab) {
	require.Equal(b.t, "6 of 6 clauses shown", b.reads("shown"))
	require.Equal(b.t, allClauses, b.visible())
	require.NoError(b.t, chromedp.Do(b.ctx, chromedp.SendKeys(testID("search"), "COLLECTED refund")))
	require.Equal(b.t, "payment.refund.limit", b.visible())
	require.Equal(b.t, "1 of 6 clauses shown", b.reads("shown"))
	require.Equal(b.t, 1, evaluate[int](b, `[...document.querySelectorAll("[data-area-group]")].filter((a) => a.checkVisibility()).length`))
	require.NoError(b.t, chromedp.Do(b.ctx, chromedp.Click(testID("reset"))))
	b.becomes(`document.querySelectorAll("[data-clause][hidden]").length === 0`)
	require.Equal(b.t, allClauses, b.visible())
	evaluate[bool](b, `(() => { const s = document.querySelector("[data-testid=by-verdict]"); s.value = "fail"; return s.dispatchEvent(new Event("input", {bubbles: true})) })()`)
	require.Equal(b.t, "company.create.zip payment.refund.limit", b.visible())
}

func withoutScripts(b *tab) {
	require.Contains(b.t, b.reads("verdict"), "Gate not met: 1 clause failed")
	require.Equal(b.t, allClauses, b.visible())
	require.False(b.t, evaluate[bool](b, `document.querySelector("[data-testid=filter]").checkVisibility()`), "what needs a script is not shown")
	require.False(b.t, evaluate[bool](b, `document.querySelector("[data-copy]").checkVisibility()`))
	require.True(b.t, evaluate[bool](b, `document.querySelector("#company\\.create\\.zip .expected pre").checkVisibility()`), "a failure's evidence is open")
}

func linksOpenClauses(b *tab) {
	const shown = `document.getElementById("payment.cancel.final-status").open`
	require.False(b.t, evaluate[bool](b, shown), "what passed is closed")
	b.visit("#payment.cancel.final-status")
	b.becomes(shown)
}

func copies(b *tab) {
	const button = `#company\.create\.zip [data-copy]`
	require.NoError(b.t, chromedp.Do(b.ctx, chromedp.Click(chromedp.CSS(button))))
	const says = `document.querySelector("#company\\.create\\.zip [data-copy]").textContent`
	b.becomes(says + ` !== "Copy command"`)
	if evaluate[string](b, says) != "Copied" {
		require.Equal(b.t, sample.Service().Rerun("company.create.zip"), evaluate[string](b, `getSelection().toString()`), "what cannot be copied is selected")
	}
}

func looks(b *tab) {
	const sides = `[...document.querySelectorAll("#company\\.create\\.zip .sides:first-of-type > div")].map((d) => Math.round(d.getBoundingClientRect().top)).filter((y, i, all) => y !== all[0]).length`
	require.Equal(b.t, 0, evaluate[int](b, sides), "expected and received stand side by side")
	const background = `getComputedStyle(document.body).backgroundColor`
	light := evaluate[string](b, background)
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}})
	require.NoError(b.t, err)
	require.NotEqual(b.t, light, evaluate[string](b, background), "dark mode")
	_, err = chromedp.Call(b.ctx, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: 360, Height: 800, DeviceScaleFactor: 1, Mobile: false})
	require.NoError(b.t, err)
	require.False(b.t, evaluate[bool](b, `document.documentElement.scrollWidth > innerWidth`), "nothing sticks out on a phone")
	require.Zero(b.t, evaluate[int](b, `performance.getEntriesByType("resource").length`), "no outside asset")
}
