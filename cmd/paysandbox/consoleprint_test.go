package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/browser"
	"paysandbox/mockserver"
	"paysandbox/mockserver/console/readiness"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
)

var sheets = regexp.MustCompile(`/Type /Pages\s[^>]*/Count (\d+)`)

// TestReadinessPrintsOnOneSheet prints the real verdict on a session with two refusals, of
// which stored reports are known: A4 and Letter.
func TestReadinessPrintsOnOneSheet(t *testing.T) {
	t.Parallel()
	chromium := browser.Start(t, 1280, "the printed verdict")
	verdict := readiness.Verdict{Word: "not ready", Tone: "bad"}
	stored := func() []*readiness.Stored {
		return []*readiness.Stored{{ID: "1", Name: "monday.json", Kind: "Integration readiness", Verdict: verdict}}
	}
	s, err := mockserver.New(mockserver.Options{Integration: integration.Options{Clock: integration.Manual}, Judge: judgeTape, Report: storedReport, Reports: stored})
	require.NoError(t, err)
	front := httptest.NewServer(s.Handler())
	t.Cleanup(func() { front.Close(); require.NoError(t, s.Close(context.WithoutCancel(t.Context()))) })
	for _, body := range []string{`{"clientId":"sandbox-client","clientSecret":"wrong"}`, `{"clientId":1}`} {
		r := httptest.NewRequest(http.MethodPost, "/Authentication/Token", strings.NewReader(body))
		r.Host = "127.0.0.1"
		r.Header.Set("Content-Type", "application/json")
		s.Handler().ServeHTTP(httptest.NewRecorder(), r)
	}
	tab := browser.Tab(chromium, t, true)
	text := ""
	require.NoError(t, chromedp.Do(tab, chromedp.Navigate(front.URL+"/console/default/readiness")))
	require.Eventually(t, func() bool { // the page shows the verdict when it is there
		text, err = chromedp.Run(tab, chromedp.Evaluate[string](`document.querySelector("main").textContent`))
		return err == nil && strings.Contains(text, "Every clause")
	}, 40*time.Second, 100*time.Millisecond)
	require.Contains(t, text, "monday.json")
	onOneSheet(tab, t)
	verdict, err = judgeTape(t.Context(), tape.Meta{Version: tape.Version, Environment: "sandbox"}, s.Registry().Default().Seek(tape.Filter{}).Entries, "")
	require.NoError(t, err)
	require.NoError(t, chromedp.Do(tab, chromedp.Navigate(front.URL+"/console/-/reports/1")))
	text, err = chromedp.Run(tab, chromedp.Evaluate[string](`document.querySelector("main").textContent`))
	require.NoError(t, err)
	require.Contains(t, text, "A stored report: monday.json")
	require.Contains(t, text, "Every clause")
	onOneSheet(tab, t)
}

// onOneSheet prints what a tab shows.
func onOneSheet(tab context.Context, t *testing.T) {
	t.Helper()
	for name, paper := range map[string][2]float64{"A4": {8.27, 11.69}, "Letter": {8.5, 11}} {
		printed, err := chromedp.Call(tab, page.PrintToPDF, page.PrintToPDFParams{PaperWidth: paper[0], PaperHeight: paper[1]})
		require.NoError(t, err)
		m := sheets.FindSubmatch(printed.Data)
		require.NotNil(t, m, "the PDF says how many pages it has")
		require.Equal(t, "1", string(m[1]), "sheets of %s", name)
	}
}
