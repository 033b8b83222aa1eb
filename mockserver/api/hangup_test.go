package api_test

import (
	"context"
	"log/slog"
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

// TestHangupsAreOnTheTape waits in virtual time: the tape says once for each
// call how long its caller had waited.
func TestHangupsAreOnTheTape(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{})
	company, _ := s.company("a")
	hold := func(ctx context.Context, a *api.API, header string) {
		r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/Company/"+company+"/Status", http.NoBody)
		r.Header.Set("Authorization", "Bearer "+s.token)
		r.Header.Set(fault.Header, header)
		a.ServeHTTP(httptest.NewRecorder(), r)
	}
	synctest.Test(t, func(t *testing.T) {
		a := api.New(api.Options{Registry: s.reg, Log: slog.New(slog.DiscardHandler), Wall: time.Now})
		giveUp := func(after time.Duration, header string) {
			ctx, cancel := context.WithTimeout(t.Context(), after)
			defer cancel()
			hold(ctx, a, header)
		}
		hold(t.Context(), a, "latency=1m")
		giveUp(3*time.Second, "latency=30s; slow-body=30s")
		giveUp(45*time.Second, "slow-body=1m")
		giveUp(time.Minute, "latency=30s")
		time.AfterFunc(5*time.Second, a.Stop)
		giveUp(10*time.Second, "latency=20s")
		giveUp(0, "latency=20s")
	})
	exchanges, hangups := s.entries(tape.KindExchange), s.entries(tape.KindHangup)
	require.Len(t, hangups, 2)
	held := exchanges[len(exchanges)-5:]
	for n, after := range []time.Duration{3 * time.Second, 45 * time.Second} {
		require.Equal(t, int64(after), hangups[n].Hangup.After)
		require.Equal(t, held[n].Seq, hangups[n].Cause)
		require.Equal(t, held[n].Entities, hangups[n].Entities)
		require.Contains(t, hangups[n].Entities, company)
		require.Equal(t, integration.DefaultStart.UnixNano(), hangups[n].At)
	}
	require.Equal(t, jsonl(t, s.entries()), jsonl(t, replayed(t, integration.Options{}, s.entries())))
}

// TestAResetWorldHearsOfNoHangup: what was called is not there any more.
func TestAResetWorldHearsOfNoHangup(t *testing.T) {
	t.Parallel()
	s := start(t, integration.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	a := api.New(api.Options{
		Registry: s.reg, Log: slog.New(slog.DiscardHandler), Wall: time.Now,
		Pause: func(context.Context, time.Duration) { require.NoError(t, s.reg.Default().Reset()); cancel() },
	})
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, companyList, http.NoBody)
	r.Header.Set("Authorization", "Bearer "+s.token)
	r.Header.Set(fault.Header, "latency=1m")
	a.ServeHTTP(httptest.NewRecorder(), r)
	require.Empty(t, s.entries())
}
