package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/browser"
)

// TestTheWrittenPage opens the page of a tape as a file: it says what it has left out, is
// searched, shows what no filter hides without scripts, and axe finds nothing in it.
func TestTheWrittenPage(t *testing.T) {
	t.Parallel()
	chromium, source := browser.Start(t, 1280, "the written page of a tape"), browser.Axe(t)
	a := started(t)
	ask := func(method, address, body string) string {
		req, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/json")
		res, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		defer func() { _ = res.Body.Close() }()
		text, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		return string(text)
	}
	for _, client := range []string{"anna-of-one", "bob-of-two", "<b>eve</b>"} {
		ask(http.MethodPost, a.BaseURL+"/Authentication/Token", `{"clientId":"`+client+`","clientSecret":"wrong"}`)
	}
	at := filepath.Join(t.TempDir(), "session")
	require.NoError(t, os.WriteFile(at+".tape", []byte(ask(http.MethodGet, a.ControlURL+"/integrations/default/tape?end=true", "")), 0o600))
	code, said := command(t, "tape", "show", at+".tape", "--format", "html="+at+".html", "--most", "2")
	require.Zero(t, code, said)

	for mode, scripts := range map[string]bool{"scripts on": true, "scripts off": false} {
		t.Run(mode, func(t *testing.T) {
			tab := browser.Tab(chromium, t, scripts)
			js := func(expression string) string {
				text, err := chromedp.Run(tab, chromedp.Evaluate[string](`String(`+expression+`)`))
				require.NoError(t, err, expression)
				return text
			}
			require.NoError(t, chromedp.Do(tab, chromedp.Navigate("file://"+at+".html")))
			require.Contains(t, js(`document.body.innerText`), "2 of the file's 3 entries are on this page, 1 other is left out")
			const shown = `[...document.querySelectorAll("#live ~ details")].filter(d => d.offsetParent).length`
			require.Equal(t, "2", js(shown))
			if !scripts {
				return
			}
			for text, want := range map[string]string{"EVE</B>": "1 found", "anna-of-one": "none on this page"} {
				js(`document.getElementById("q").value = ""`)
				require.NoError(t, chromedp.Do(tab, chromedp.SendKeys(chromedp.CSS("#q"), text)))
				require.Eventually(t, func() bool { return strings.Contains(js(`document.body.innerText`), want) }, 2*time.Minute, 20*time.Millisecond, text)
				require.Equal(t, strings.TrimSuffix(want, " found") == "1", js(shown) == "1", text)
			}
			require.NoError(t, chromedp.Do(tab, chromedp.Reload()))
			for _, l := range browser.Looks() {
				l.Put(tab, t)
				require.Empty(t, l.Violations(tab, t, source, "written"))
			}
		})
	}
}
