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

// TestAttackControlFromOutside: a web page that a developer looks at
// must not be able to empty the sandbox, or read its secrets.
func TestAttackControlFromOutside(t *testing.T) {
	t.Parallel()
	open := start(t)
	closed := start(t, func(o *control.Options, _ *integration.Options) { o.Token = "hush" })
	for _, row := range []struct {
		host, origin, site string
		want               int
	}{
		{"127.0.0.1:8484", "", "", http.StatusOK},
		{"localhost", "", "", http.StatusOK},
		{"[::1]:1", "", "", http.StatusOK},
		{"paysandbox.localhost:1", "", "", http.StatusOK},
		{"127.0.0.1", "http://localhost:3000", "same-site", http.StatusOK},
		{"evil.example:8484", "", "", http.StatusForbidden},
		{"192.0.2.7:8484", "", "", http.StatusForbidden},
		{"127.0.0.1", "http://evil.example", "", http.StatusForbidden},
		{"127.0.0.1", "null", "", http.StatusForbidden},
		{"127.0.0.1", "", "cross-site", http.StatusForbidden},
		{"127.0.0.1", "", "Cross-Site", http.StatusForbidden},
		{"127.0.0.1", "", "same-origin, cross-site", http.StatusForbidden},
		{"127.0.0.1", "http://localhost:3000 http://evil.example", "", http.StatusForbidden},
	} {
		for path, method := range map[string]string{at("/reset"): http.MethodPost, at(""): http.MethodGet, control.Prefix + "/openapi.json": http.MethodGet} {
			r := httptest.NewRequestWithContext(t.Context(), method, path, http.NoBody)
			r.Host = row.host
			r.Header["Origin"] = strings.Fields(row.origin)
			r.Header.Set("Sec-Fetch-Site", row.site)
			w := httptest.NewRecorder()
			open.control.ServeHTTP(w, r)
			require.Equal(t, row.want, w.Code, "%+v %s", row, path)
			r.Header.Set("Authorization", "Bearer hush")
			w = httptest.NewRecorder()
			closed.control.ServeHTTP(w, r)
			require.Equal(t, http.StatusOK, w.Code, "the token is enough: %+v %s", row, path)
		}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, control.Prefix+"/ready", http.NoBody)
		r.Host = row.host
		w := httptest.NewRecorder()
		open.control.ServeHTTP(w, r)
		require.Equal(t, http.StatusOK, w.Code, "whether it serves anybody may ask: %+v", row)
	}
}
