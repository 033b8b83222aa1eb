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
		var b balancer
		for _, addr := range sandboxes {
			b.sandboxes = append(b.sandboxes, newSandbox(addr))
		}
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

// TestWhoIsSilentIsPassedOver: a sandbox that is paused listens and says nothing. Calls go to
// the others, and those that it has not answered end.
func TestWhoIsSilentIsPassedOver(t *testing.T) {
	t.Parallel()
	heard, woken := make(chan struct{}, 1), make(chan struct{})
	paused := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/x" {
			heard <- struct{}{}
		}
		<-woken
	}))
	defer paused.Close()
	defer close(woken)
	good := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("good")) }))
	defer good.Close()
	b := balancer{sandboxes: []*sandbox{newSandbox(paused.Listener.Addr().String()), newSandbox(good.Listener.Addr().String())}}
	b.next.Store(1) // the paused one is the next
	call := func(method string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		b.proxy().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), method, "http://partner.example/x", http.NoBody))
		return w
	}
	under := make(chan *httptest.ResponseRecorder)
	go func() { under <- call(http.MethodPost) }()
	<-heard
	for _, box := range b.sandboxes {
		box.is(box.ask(t.Context()))
	}
	w := <-under
	require.Equal(t, http.StatusBadGateway, w.Code)
	require.Contains(t, w.Body.String(), errSilent.Error())
	for range 4 {
		require.Equal(t, "good", call(http.MethodPost).Body.String())
	}
}
