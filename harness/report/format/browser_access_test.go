package format_test

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/report"
	"paysandbox/harness/report/sample"
)

// TestReportIsAccessible looks at the pages as those do who cannot see them well,
// have no mouse, a small screen, or paper.
func TestReportIsAccessible(t *testing.T) {
	t.Parallel()
	browser := browse(t)
	for name, r := range map[string]*report.Report{"acceptance": sample.Service(), "readiness": sample.Integration(), "never": sample.Silent(), "ready": sample.Ready(t)} {
		t.Run(name, func(t *testing.T) {
			b := open(browser, t, r, true)
			structure(b)
			contrasts(b)
			keyboard(b)
			paper(b)
		})
	}
	t.Run("columns", func(t *testing.T) {
		r := sample.Integration()
		for i := range r.Readiness.Missing {
			r.Readiness.Missing[i].Exercise = strings.Repeat("go on for longer than that ", 8)
			r.Readiness.Missing[i].Why = "a call that failed and was not made again at once tells nothing of an end of retries"
		}
		columns(open(browser, t, r, true))
	})
	t.Run("endless words", func(t *testing.T) { narrow(open(browser, t, endlessWords(sample.Integration()), true)) })
	t.Run("endless words about the service", func(t *testing.T) { narrow(open(browser, t, endlessWords(sample.Service()), true)) })
}

// structure holds headings, landmarks, tables and names to what a screen reader
// needs.
func structure(b *tab) {
	b.t.Helper()
	levels := evaluate[[]int](b, `[...document.querySelectorAll("h1,h2,h3,h4")].map((h) => Number(h.tagName[1]))`)
	require.Equal(b.t, 1, levels[0], "the verdict is the first heading")
	for i := 1; i < len(levels); i++ {
		require.LessOrEqual(b.t, levels[i], levels[i-1]+1, "no level is left out")
		require.Greater(b.t, levels[i], 1, "one first heading")
	}
	for complaint, selector := range map[string]string{
		"a table without a head":                `table:not(:has(thead th[scope=col]))`,
		"a head that heads nothing":             `th:not([scope])`,
		"a list with something else":            `ul > :not(li), ol > :not(li)`,
		"a field without a label":               `input:not(label input), select:not(label select)`,
		"a picture without words":               `svg:not([aria-label])`,
		"a region without a heading":            `main > section:not([aria-labelledby])`,
		"a sign that is read out":               `h1 > span:not([aria-hidden])`,
		"something interactive in a fold's lid": `summary a, summary button`,
	} {
		require.Zero(b.t, evaluate[int](b, "document.querySelectorAll(`"+selector+"`).length"), complaint)
	}
	require.Equal(b.t, "header main", evaluate[string](b, `[...document.body.children].map((e) => e.tagName.toLowerCase()).filter((n) => ["header", "main"].includes(n)).join(" ")`))
	require.True(b.t, evaluate[bool](b, `[...document.querySelectorAll("[aria-labelledby]")].every((s) => document.getElementById(s.getAttribute("aria-labelledby")).textContent.trim())`))
	require.Equal(b.t, "en", evaluate[string](b, `document.documentElement.lang`))
}

// worst is the lowest contrast of a text with what is behind it, and the text.
const worst = `(() => {
  const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const rgb = (colour) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
  const light = ([r, g, b]) => { const [x, y, z] = [r, g, b].map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4); return 0.2126 * x + 0.7152 * y + 0.0722 * z; };
  const behind = (e) => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c[3] === 255) return c; } return [255, 255, 255, 255]; };
  let least = [99, ""];
  for (const d of document.querySelectorAll("details")) d.open = true;
  for (const e of document.querySelectorAll("body *")) {
    if (![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) || !e.checkVisibility() || e.closest("svg,script,.skip")) continue;
    const [a, b] = [light(rgb(getComputedStyle(e).color)), light(behind(e))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < least[0]) least = [ratio, e.tagName + "." + e.className + " " + e.textContent.trim().slice(0, 40)];
  }
  return least[0].toFixed(2).padStart(5, "0") + " " + least[1];
})()`

// contrasts holds each text to 4.5 to 1, by day and by night.
func contrasts(b *tab) {
	b.t.Helper()
	for _, scheme := range []string{"light", "dark"} {
		media(b, "screen", scheme)
		require.GreaterOrEqual(b.t, evaluate[string](b, worst), "04.50", scheme)
	}
	media(b, "screen", "light")
}

// media changes what the page is shown on.
func media(b *tab, medium, scheme string) {
	b.t.Helper()
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Media: medium, Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
	require.NoError(b.t, err)
}

// keyboard goes through the page with the tabulator: the way past what comes before
// the clauses is the first stop, and each stop shows where one is.
func keyboard(b *tab) {
	b.t.Helper()
	const at = `document.activeElement`
	for i := range 12 {
		require.NoError(b.t, chromedp.Do(b.ctx, chromedp.KeyEvent("\t")))
		if i == 0 {
			require.Equal(b.t, "#clauses", evaluate[string](b, at+`.getAttribute("href")`))
			require.True(b.t, evaluate[bool](b, at+`.getBoundingClientRect().left >= 0`), "it is seen when it is reached")
		}
		if evaluate[bool](b, at+` === document.body`) {
			return // the page has no more stops
		}
		require.NotEqual(b.t, "none", evaluate[string](b, `getComputedStyle(`+at+`).outlineStyle`), "stop %d", i)
	}
}

// paper shows what is folded, leaves out what cannot be used, and is not dark where
// the screen is.
func paper(b *tab) {
	b.t.Helper()
	media(b, "print", "dark")
	require.False(b.t, evaluate[bool](b, `document.querySelector("[data-filter]").checkVisibility()`))
	require.Equal(b.t, "rgb(26, 34, 51)", evaluate[string](b, `getComputedStyle(document.body).color`), "dark ink")
	require.True(b.t, evaluate[bool](b, `(() => { for (const d of document.querySelectorAll("details")) d.open = false; return [...document.querySelectorAll("details .body")].every((e) => e.checkVisibility({contentVisibilityAuto: true})) })()`), "what is folded is printed")
	media(b, "screen", "light")
}

// endlessWords makes texts of a report that have no place to break.
func endlessWords(r *report.Report) *report.Report {
	long := strings.Repeat("endless", 60)
	r.Target, r.Observed, r.Version, r.Notes, r.Reason = long, long, long, []string{long}, long
	for i := range r.Clauses {
		c := &r.Clauses[i]
		c.Title, c.Source, c.Reason, c.Area = long, long, long, long+c.Area
		c.Evidence = []report.Evidence{{Entries: []uint64{1}, Expected: long, Received: long, Hint: long, Request: long, Response: long}}
	}
	for i := range r.Scenarios {
		r.Scenarios[i].Name, r.Scenarios[i].Feature, r.Scenarios[i].Error, r.Scenarios[i].Tags = long, long, long, []string{long}
	}
	if r.Readiness == nil {
		return r
	}
	r.Readiness.Sentence = long
	for i := range r.Readiness.Missing {
		r.Readiness.Missing[i].Exercise, r.Readiness.Missing[i].Why = long, long
	}
	r.Readiness.Digests[0].Name, r.Readiness.Digests[0].SHA256 = long, long
	return r
}

// columns sees that the requirement has its room beside long advices, also on paper.
func columns(b *tab) {
	_, err := chromedp.Call(b.ctx, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: 768, Height: 800, DeviceScaleFactor: 1, Mobile: false})
	require.NoError(b.t, err)
	evaluate[bool](b, `(() => { for (const d of document.querySelectorAll("details")) d.open = true; return true })()`)
	const least = `Math.min(...[...document.querySelectorAll("[data-testid=missing] table")].map((t) => t.querySelector("td").offsetWidth / t.offsetWidth))`
	require.GreaterOrEqual(b.t, evaluate[float64](b, least), 0.35)
}

// narrow sees that nothing sticks out, on a phone, a tablet and a desk, and that no
// table has to be pushed aside on a phone.
func narrow(b *tab) {
	for _, width := range []int64{320, 360, 768, 1280} {
		_, err := chromedp.Call(b.ctx, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: 800, DeviceScaleFactor: 1, Mobile: false})
		require.NoError(b.t, err)
		evaluate[bool](b, `(() => { for (const d of document.querySelectorAll("details")) d.open = true; return true })()`)
		const out = `[...document.querySelectorAll("main *, header *")].filter((e) => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.tagName + "." + e.className + " in " + e.parentElement.className).slice(0, 3).join(" ")`
		require.Empty(b.t, evaluate[string](b, out), "%d pixels", width)
		require.False(b.t, evaluate[bool](b, `document.documentElement.scrollWidth > innerWidth`), "%d pixels", width)
		const broken = `[...document.querySelectorAll("thead th")].filter((th) => { const r = new Range(); r.selectNodeContents(th); return !/\s/.test(th.textContent) && r.getClientRects().length > 1 }).map((th) => th.textContent).join(" ")`
		require.Empty(b.t, evaluate[string](b, broken), "%d pixels", width)
	}
}
