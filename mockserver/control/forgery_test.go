package control_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/control"
	"paysandbox/mockserver/integration"
)

// TestAttackEveryCall: what a web page has a browser send to any call of the control API,
// or somebody who has not the control token, is refused before anything is looked at.
func TestAttackEveryCall(t *testing.T) {
	t.Parallel()
	open := start(t)
	closed := start(t, func(o *control.Options, _ *integration.Options) { o.Token, o.ReadToken = "hush", "look" })
	before := [2]uint64{open.registry.Default().Seq(), closed.registry.Default().Seq()}
	ask := func(c *control.Control, method, path, host string, header ...string) int {
		r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(`{}`))
		r.Host = host
		r.Header.Set("Content-Type", "application/json")
		for n := 0; n < len(header); n += 2 {
			r.Header.Set(header[n], header[n+1])
		}
		w := httptest.NewRecorder()
		c.ServeHTTP(w, r)
		return w.Code
	}
	calls := 0
	for _, op := range open.control.Operations() {
		if op.ID == "ready" {
			continue
		}
		calls++
		path := strings.NewReplacer("{i}", "default", "{id}", "3f0c4a53-9d3e-4f1f-8e9d-8c117b0c5b0e", "{s}", "x", "{event}", "pay", "{seq}", "1", "{entity}", "x").Replace(op.Path)
		for _, header := range [][]string{
			{"Origin", "https://evil.example"},
			{"Origin", "null"},
			{"Origin", "http://localhost.evil.example"},
			{"Origin", "http://127.0.0.1@evil.example"},
			{"Sec-Fetch-Site", "cross-site"},
			{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"},
			{"Origin", "https://evil.example", "Sec-Fetch-Site", "same-origin"},
		} {
			require.Equal(t, http.StatusForbidden, ask(open.control, op.Method, path, "127.0.0.1", header...), "%s %v", op.ID, header)
		}
		for _, host := range []string{"evil.example", "127.0.0.1.evil.example", "169.254.169.254", "[::ffff:10.0.0.1]"} {
			require.Equal(t, http.StatusForbidden, ask(open.control, op.Method, path, host), "%s under %s", op.ID, host)
		}
		for _, header := range [][]string{
			nil,
			{"Authorization", "Bearer "},
			{"Authorization", "Bearer hush2"},
			{"Authorization", "Basic aHVzaDpodXNo"},
			{"Authorization", "hush"},
			{"Cookie", "token=hush"},
			{"X-Http-Method-Override", "GET"},
		} {
			require.Equal(t, http.StatusUnauthorized, ask(closed.control, op.Method, path+"?token=hush&access_token=hush", "127.0.0.1", header...), "%s %v", op.ID, header)
		}
		if op.Method != http.MethodGet {
			require.Equal(t, http.StatusForbidden, ask(closed.control, op.Method, path, "127.0.0.1", "Authorization", "Bearer look"), "%s by who only looks", op.ID)
		}
		if op.Request != nil {
			for _, media := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"} {
				require.Equal(t, http.StatusUnsupportedMediaType, ask(open.control, op.Method, path, "127.0.0.1", "Content-Type", media), "%s as %s", op.ID, media)
			}
		}
	}
	require.Greater(t, calls, 40)
	require.Equal(t, before, [2]uint64{open.registry.Default().Seq(), closed.registry.Default().Seq()}, "nothing of it came to a world")
}
