package hosted_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/browser"
	"paysandbox/mockserver/theme"
)

// TestAxeFindsNothing looks at every page in every state, on a desk and on a
// phone, light and dark.
func TestAxeFindsNothing(t *testing.T) {
	t.Parallel()
	chromium := browser.Start(t, 1280, "every page with axe-core")
	source := browser.Axe(t)
	scenes := gallery(t)
	look := theme.Handler()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, theme.Prefix) {
			look.ServeHTTP(w, r)
			return
		}
		at, err := strconv.Atoi(r.URL.Path[1:])
		if err != nil || at >= len(scenes) {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", scenes[at].header.Get("Content-Security-Policy"))
		_, _ = w.Write([]byte(scenes[at].body))
	}))
	t.Cleanup(server.Close)
	plain := regexp.MustCompile(`[^a-z0-9]+`)
	for _, l := range browser.Looks() {
		t.Run(l.String(), func(t *testing.T) {
			var ctx context.Context
			for i, s := range scenes {
				if i%10 == 0 { // a tab lives for a minute
					ctx = browser.Tab(chromium, t, true)
					l.Put(ctx, t)
				}
				require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(server.URL+"/"+strconv.Itoa(i))))
				name := plain.ReplaceAllString(s.name, "-")
				require.Empty(t, l.Violations(ctx, t, source, name), name)
			}
		})
	}
}
