package mockserver_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/browser"
	"paysandbox/harness/sampling"
	"paysandbox/mockserver"
	"paysandbox/mockserver/integration"
)

// openSandbox is a sandbox as a developer's machine has it: its credentials are known.
func openSandbox(t *testing.T) string {
	t.Helper()
	s, err := mockserver.New(mockserver.Options{
		Integration: integration.Options{Name: "default", Seed: 1, Clock: integration.Manual, ClientID: "sandbox-client", ClientSecret: "sandbox-secret"},
		Loopback:    true, AllowLoopback: true, Version: "test",
	})
	require.NoError(t, err)
	server := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		server.Close()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), time.Minute)
		defer cancel()
		require.NoError(t, s.Close(ctx))
	})
	return server.URL
}

func css(format string, args ...any) chromedp.CSS {
	return chromedp.CSS(fmt.Sprintf(format, args...))
}

// TestDocsInABrowser authorises by one click and tries an operation that needs others
// first; where every case is run, in each look, and axe-core looks at the page then.
func TestDocsInABrowser(t *testing.T) {
	t.Parallel()
	url := openSandbox(t)
	chromium := browser.Start(t, 1280, "the documentation")
	source := browser.Axe(t)
	for _, page := range []string{"/docs", "/_sandbox/docs"} {
		tried := map[string]string{"/docs": "refundPayment", "/_sandbox/docs": "movePayment"}[page]
		var ctx context.Context
		width := int64(0)
		for _, l := range sampling.Every(t, 4, browser.Looks()) {
			if l.Width == width { // the same page in other colours
				l.Put(ctx, t)
			} else {
				width, ctx = l.Width, browser.Tab(chromium, t, true)
				l.Put(ctx, t)
				try(ctx, t, url+page, tried)
			}
			if sampling.All() {
				require.Empty(t, l.Violations(ctx, t, source, strings.ReplaceAll(page[1:], "/", "-")))
			}
		}
	}
}

// try authorises a page, and sends one of its calls.
func try(ctx context.Context, t *testing.T, address, tried string) {
	t.Helper()
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(address+"#"+tried), chromedp.Click(css("#authorise")),
		chromedp.WaitVisible(css("#authorised:not(:empty)"))))
	_, err := chromedp.Run(ctx, chromedp.Evaluate[int](`document.querySelectorAll("#refundPayment [data-in=header]").forEach(i => { i.value = "k-1"; }); 0`))
	require.NoError(t, err)
	require.NoError(t, chromedp.Do(ctx, chromedp.Click(css("#%s [data-testid=send]", tried)),
		chromedp.WaitVisible(css("#%s button:enabled", tried))))
	require.Empty(t, shown(ctx, t, "#"+tried+" .told .badge:not(.good)"), "%s", tried)
	require.Contains(t, strings.Join(shown(ctx, t, "#"+tried+" .told p"), " "), map[string]string{"refundPayment": "payment.idempotency.ignored", "movePayment": "/approve"}[tried])
	require.Greater(t, len(shown(ctx, t, "#"+tried+" .told .badge.good")), 3, "what it needs was made first")
}

// shown are the texts of the lines that hold a selector's elements.
func shown(ctx context.Context, t *testing.T, selector string) []string {
	t.Helper()
	list, err := chromedp.Run(ctx, chromedp.Evaluate[[]string](fmt.Sprintf(`[...document.querySelectorAll(%q)].map(e => e.parentElement.textContent)`, selector)))
	require.NoError(t, err)
	return list
}

// TestEveryExampleInTheBrowser presses Send in every form of both pages, one after
// another in the same integration: what one example leaves behind spoils no other.
func TestEveryExampleInTheBrowser(t *testing.T) {
	t.Parallel()
	sampling.OnlyAll(t, "pressing Send in 95 forms takes a browser some seconds")
	url := openSandbox(t)
	chromium := browser.Start(t, 1280, "the examples of the documentation")
	const press = `(async () => { let n = 0;
		for (const f of document.querySelectorAll('form.try')) {
			f.requestSubmit(); n++;
			while (f.querySelector('button').disabled) { await new Promise(requestAnimationFrame); }
		}
		return n; })()`
	for page, want := range map[string]int{"/docs": 39, "/_sandbox/docs": 56} {
		ctx := browser.Tab(chromium, t, true)
		require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(url+page), chromedp.Click(css("#authorise")), chromedp.WaitVisible(css("#authorised:not(:empty)"))))
		n, err := chromedp.Run(ctx, chromedp.Evaluate[int](press, chromedp.EvalAwaitPromise))
		require.NoError(t, err)
		require.Equal(t, want, n)
		require.Empty(t, shown(ctx, t, ".told .badge:not(.good)"), page)
		require.GreaterOrEqual(t, len(shown(ctx, t, ".told .badge.good")), want)
	}
}

// TestDocsOfTheChosenIntegration: the page shows that integration's own document, and
// no other is there.
func TestDocsOfTheChosenIntegration(t *testing.T) {
	t.Parallel()
	c := newWitness(t)
	_, made := c.send(http.MethodPost, "/_sandbox/integrations", `{"latitude":{"response-names":"pascal"}}`)
	id := at(t, made, "id")
	_, own := c.send(http.MethodGet, "/docs", "")
	require.NotContains(t, string(own), "response-names=pascal")
	_, other := c.send(http.MethodGet, "/docs?integration="+id, "")
	require.Contains(t, string(other), "response-names=pascal")
	require.Contains(t, string(other), `data-integration="`+id+`"`)
	require.Contains(t, string(other), `href="/openapi.json?integration=`+id+`"`)
	for _, page := range []string{"/docs", "/_sandbox/docs"} {
		res, _ := c.send(http.MethodGet, page+"?integration=nobody", "")
		require.Equal(t, http.StatusNotFound, res.StatusCode)
	}
}
