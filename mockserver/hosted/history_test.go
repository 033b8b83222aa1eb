package hosted_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/tape"
)

// TestEachFlowWalkedBackAndForth does each journey, walks its whole history back and
// forward again, and finds a page everywhere, and nothing done twice.
func TestEachFlowWalkedBackAndForth(t *testing.T) {
	t.Parallel()
	chromium := browse(t)
	for name, journey := range journeys() {
		t.Run(name, func(t *testing.T) {
			h, b := newHouse(t), newTab(chromium, t, true)
			journey(h, b, partner(t))
			did := h.posted()
			require.NotZero(t, did)
			steps := b.historyLength() - 1
			require.Positive(t, steps)
			for n := range steps - 1 { // the first page is the tab's own
				b.turn(chromedp.NavigateBack(), -1)
				require.NotContains(t, b.shown(), "ERR_", "back %d", n+1)
			}
			for n := range steps - 1 {
				b.turn(chromedp.NavigateForward(), 1)
				require.NotContains(t, b.shown(), "ERR_", "forward %d", n+1)
			}
			require.Equal(t, did, h.posted(), "walking has done nothing")
		})
	}
}

// posted is how many forms were posted.
func (h *house) posted() (n int) {
	h.on.Look(tape.Filter{Kinds: []tape.Kind{tape.KindPage}}, func(e tape.Entry) bool {
		if e.Exchange.Method == "POST" {
			n++
		}
		return true
	})
	return n
}

// historyLength is how many pages the tab has been on.
func (b *tab) historyLength() int {
	b.t.Helper()
	history, err := chromedp.Run(b.ctx, chromedp.NavigationEntries())
	require.NoError(b.t, err)
	return int(history.CurrentIndex) + 1
}

// turn goes a page back or forward, and waits until it is there.
func (b *tab) turn(step chromedp.Action[chromedp.Void], by int) {
	b.t.Helper()
	history, err := chromedp.Run(b.ctx, chromedp.NavigationEntries())
	require.NoError(b.t, err)
	want := history.Entries[int(history.CurrentIndex)+by].URL
	require.NoError(b.t, chromedp.Do(b.ctx, step))
	at, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`location.href`))
	require.NoError(b.t, err)
	require.Equal(b.t, strings.TrimSuffix(want, "#"), strings.TrimSuffix(at, "#"))
}

// shown is the text of the page, which is not empty.
func (b *tab) shown() string {
	b.t.Helper()
	text, err := chromedp.Run(b.ctx, chromedp.Text("body"))
	require.NoError(b.t, err)
	require.NotEmpty(b.t, strings.TrimSpace(text))
	return text
}
