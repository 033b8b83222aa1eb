package replay_test

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"

	"paysandbox/harness/replay"
)

// handled carries calls to a handler without a socket.
type handled struct{ http.Handler }

func (h handled) RoundTrip(r *http.Request) (*http.Response, error) {
	call := r.Clone(r.Context())
	call.RequestURI, call.RemoteAddr, call.Host = r.URL.RequestURI(), "127.0.0.1:0", r.URL.Host
	if call.Body == nil {
		call.Body = http.NoBody
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, call)
	return w.Result(), nil
}

func inProcess(h http.Handler) *http.Client { return &http.Client{Transport: handled{h}} }

func text(n int) string { return strconv.Itoa(n) }

func differences(c *replay.Case) string {
	var b strings.Builder
	for i := range c.Differences {
		b.WriteString("    " + string(c.Differences[i].Class) + ": " + c.Differences[i].Text() + "\n")
	}
	return b.String()
}
