package openapi_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/browser"
	"paysandbox/mockserver/openapi"
)

// TestOneClickAuthorises presses the page's button in a browser.
func TestOneClickAuthorises(t *testing.T) {
	t.Parallel()
	ctx := browser.Tab(browser.Start(t, 1280, "the documentation"), t, true)
	_, _, ops := partner(t)
	docs := openapi.Handler(openapi.Info{TryID: "c", TrySecret: "s"}, ops)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && r.URL.Path == "/Authentication/Token" {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"accessToken":"t-1"}`))
			return
		}
		docs.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	css := func(s string) chromedp.CSS { return chromedp.CSS(s) }
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(server.URL+"/docs"), chromedp.WaitVisible(css(".auth-wrapper")),
		chromedp.Click(css("#authorise")), chromedp.WaitVisible(css("button.authorize.locked"))))
}
