package api_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/api"
	"paysandbox/mockserver/fault"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// rig is a sandbox whose delays are noted instead of waited for.
type rig struct {
	*sandbox
	mu       sync.Mutex
	pauses   []time.Duration
	statuses []int
}

func troubled(t *testing.T, choices ...string) *rig {
	t.Helper()
	g := &rig{sandbox: knobs(t, choices...)}
	g.api = api.New(api.Options{
		Registry: g.reg, Log: slog.New(slog.DiscardHandler), Wall: time.Now, Pause: g.pause, Observe: g.observe,
	})
	return g
}

func (g *rig) pause(_ context.Context, d time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.pauses = append(g.pauses, d)
}

func (g *rig) observe(_ string, status int, _ time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.statuses = append(g.statuses, status)
}

// arm arms a fault as the control API does.
func (g *rig) arm(f fault.Fault) {
	g.t.Helper()
	g.did(func(w *world.World) error {
		_, err := g.reg.Default().Faults().Arm(f, w.Now().UnixNano())
		return err
	})
}

// last is the newest exchange on the tape.
func (g *rig) last() *tape.Exchange {
	g.t.Helper()
	list := g.entries(tape.KindExchange)
	return list[len(list)-1].Exchange
}

// over makes a call over a real connection of its own.
func (g *rig) over(method, path, body string, header ...string) (status int, answer string, err error) {
	g.t.Helper()
	answered := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(answered)
		g.api.ServeHTTP(w, r)
	}))
	defer server.Close()
	defer func() { <-answered }()
	r, err := http.NewRequestWithContext(g.t.Context(), method, server.URL+path, strings.NewReader(body))
	require.NoError(g.t, err)
	r.Header.Set("Authorization", "Bearer "+g.token)
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(r)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = resp.Body.Close() }()
	all, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(all), err
}

// challenge is the answer's WWW-Authenticate, however its name is written.
func challenge(w *httptest.ResponseRecorder) string {
	for name, values := range w.Header() {
		if strings.EqualFold(name, "WWW-Authenticate") {
			return values[0]
		}
	}
	return ""
}

const companyList = "/Company/List"
