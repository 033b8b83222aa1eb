package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/api"
	"paysandbox/mockserver/fault"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
)

func TestLatencyAndSlowBody(t *testing.T) {
	t.Parallel()
	g := troubled(t)
	status, _, err := g.over(http.MethodGet, companyList, "", fault.Header, "latency=20s")
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, []time.Duration{20 * time.Second}, g.pauses)
	status, body, err := g.over(http.MethodGet, "/nowhere", "", fault.Header, "slow-body=30s; latency=1s")
	require.NoError(t, err)
	require.Equal(t, http.StatusNotFound, status, "the header counts for any call")
	require.True(t, json.Valid([]byte(body)))
	require.Equal(t, time.Second, g.pauses[1])
	require.Len(t, g.pauses, 12)
	require.Equal(t, 3*time.Second, g.pauses[11])
}

// TestLatencyEndsEarly waits in virtual time: for the client, and for the stop.
func TestLatencyEndsEarly(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{})
	hold := func(ctx context.Context, a *api.API) {
		r := httptest.NewRequestWithContext(ctx, http.MethodGet, companyList, http.NoBody)
		r.Header.Set("Authorization", "Bearer "+s.token)
		r.Header.Set(fault.Header, "latency=1m")
		a.ServeHTTP(httptest.NewRecorder(), r)
	}
	synctest.Test(t, func(t *testing.T) {
		a := api.New(api.Options{Registry: s.reg, Log: slog.New(slog.DiscardHandler), Wall: time.Now})
		began := time.Now()
		hold(t.Context(), a)
		require.Equal(t, time.Minute, time.Since(began))
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		hold(ctx, a)
		require.Equal(t, time.Minute+3*time.Second, time.Since(began), "the client has gone away")
		time.AfterFunc(5*time.Second, a.Stop)
		hold(t.Context(), a)
		require.Equal(t, time.Minute+8*time.Second, time.Since(began), "the server stops")
		hold(t.Context(), a)
		require.Equal(t, time.Minute+8*time.Second, time.Since(began), "and holds nothing back any more")
	})
}

// TestLatencyEndsWhenTheClientHangsUp goes over a real connection.
func TestLatencyEndsWhenTheClientHangsUp(t *testing.T) {
	t.Parallel()
	g := troubled(t)
	held, over := make(chan struct{}), make(chan struct{})
	g.api = api.New(api.Options{
		Registry: g.reg, Log: slog.New(slog.DiscardHandler), Wall: time.Now,
		Pause: func(ctx context.Context, _ time.Duration) { close(held); <-ctx.Done(); close(over) },
	})
	server := httptest.NewServer(g.api)
	defer server.Close()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
	require.NoError(t, err)
	_, err = fmt.Fprintf(conn, "POST /Company/Create HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nSandbox-Fault: latency=60s\r\nContent-Length: 2\r\n\r\n{}", g.token)
	require.NoError(t, err)
	<-held
	require.NoError(t, conn.Close())
	<-over
}

func TestReplayIsNeitherHeldUpNorCut(t *testing.T) {
	t.Parallel()
	g := troubled(t)
	i := g.reg.Default()
	for _, header := range []string{"latency=20s", "slow-body=20s", "latency=1s; commit-then-drop", "latency=1s; cut-connection=body"} {
		ctx := integration.WithAgain(t.Context(), &integration.Again{Integration: i, At: integration.DefaultStart.UnixNano(), Auth: tape.AuthValid})
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { g.api.ServeHTTP(w, r.WithContext(ctx)) }))
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+companyList, http.NoBody)
		require.NoError(t, err)
		r.Header.Set(fault.Header, header)
		resp, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		server.Close()
		require.EqualValues(t, "header: "+header, g.last().Fault)
	}
	require.Empty(t, g.pauses)
}
