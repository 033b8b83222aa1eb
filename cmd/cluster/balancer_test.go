package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBalancer: what nobody has heard goes to the next sandbox, with its body; what one
// has heard and not answered only when it reads.
func TestBalancer(t *testing.T) {
	t.Parallel()
	var heard atomic.Int64
	breaks := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		heard.Add(1)
		panic(http.ErrAbortHandler)
	}))
	defer breaks.Close()
	good := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, _ = w.Write([]byte(r.Host + " " + string(body)))
	}))
	defer good.Close()
	call := func(method, body string, sandboxes ...string) *httptest.ResponseRecorder {
		b := balancer{sandboxes: sandboxes}
		b.next.Store(uint64(len(sandboxes) - 1)) // the first is the next
		r := httptest.NewRequestWithContext(t.Context(), method, "http://partner.example/x", strings.NewReader(body))
		w := httptest.NewRecorder()
		b.proxy().ServeHTTP(w, r)
		return w
	}
	const down = "127.0.0.1:1" // nobody may listen there
	broken, well := breaks.Listener.Addr().String(), good.Listener.Addr().String()
	w := call(http.MethodPost, "hello", down, well)
	require.Equal(t, "partner.example hello", w.Body.String())
	w = call(http.MethodPost, "hello", broken, well)
	require.Equal(t, http.StatusBadGateway, w.Code, "it may have been done")
	require.Equal(t, "1", w.Header().Get("Retry-After"))
	require.EqualValues(t, 1, heard.Load())
	w = call(http.MethodGet, "", broken, well)
	require.Equal(t, http.StatusOK, w.Code)
	require.EqualValues(t, 2, heard.Load())
	w = call(http.MethodPost, "hello", down, down)
	require.Equal(t, http.StatusBadGateway, w.Code)
}
