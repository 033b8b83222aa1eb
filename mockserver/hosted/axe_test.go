package hosted_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"

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
	pages := map[string]string{}
	for i, s := range scenes {
		pages[plain.ReplaceAllString(s.name, "-")] = server.URL + "/" + strconv.Itoa(i)
	}
	require.Len(t, pages, len(scenes), "each has a name of its own")
	browser.JudgeEach(chromium, t, source, pages)
}
