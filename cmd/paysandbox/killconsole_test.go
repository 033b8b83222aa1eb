package main

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/browser"
)

// TestAnOpenPageGoesOnAfterAKill: of a sandbox that keeps its data the page goes on by the
// numbers of the tape, and says how much came while it was away; kept is what was on it.
func TestAnOpenPageGoesOnAfterAKill(t *testing.T) {
	t.Parallel()
	chromium := browser.Start(t, 1280, "a page of a sandbox that is killed")
	dir := t.TempDir()
	p := spawn(t, "--data", dir)
	var at atomic.Pointer[url.URL] // nil while it cannot be reached
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		to := at.Load()
		if to == nil {
			panic(http.ErrAbortHandler)
		}
		(&httputil.ReverseProxy{FlushInterval: -1, ErrorLog: log.New(io.Discard, "", 0), Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) }}).ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	reach := func(p *sandboxProcess) {
		to, err := url.Parse(p.BaseURL)
		require.NoError(t, err)
		at.Store(to)
	}
	call := func(p *sandboxProcess, path string) {
		status, _ := p.ask(http.MethodGet, path, "", "")
		require.NotZero(t, status)
	}
	call(p, "/Company/Before")
	reach(p)
	tab := browser.Tab(chromium, t, true)
	comes := func(expression, want string) {
		t.Helper()
		got := ""
		require.Eventually(t, func() bool {
			var err error
			got, err = chromedp.Run(tab, chromedp.Evaluate[string](`String(`+expression+`)`))
			return err == nil && got == want
		}, 40*time.Second, 50*time.Millisecond, "%s is not %s", expression, want)
	}
	const state = `document.getElementById("live").textContent`
	require.NoError(t, chromedp.Do(tab, chromedp.Navigate(front.URL+"/console/default/live")))
	comes(state, "live")
	comes(`document.querySelectorAll("#rows tr.entry").length`, "1")

	at.Store(nil)
	p.kill()
	comes(`/^not live since \d\d:\d\d$/.test(`+state+`)`, "true")
	again := spawn(t, "--data", dir)
	for n := range 3 {
		call(again, "/Company/Meanwhile-"+strconv.Itoa(n))
	}
	reach(again)
	comes(state, "live")
	comes(`[...document.querySelectorAll("#rows tr")].map(r => r.dataset.seq ?? r.textContent).join()`, "3 while you were away,4,3,2,1")
	call(again, "/Company/After")
	comes(`document.querySelector("#rows tr").dataset.seq`, "5")
}
