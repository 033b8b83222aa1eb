package mockserver_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// approve makes n payments that settle within seconds.
func approve(tb testing.TB, i *integration.Integration, n int) {
	tb.Helper()
	amount := int64(5000)
	for k := range n {
		i.Send(i.Do(&integration.Call{Kind: tape.KindExchange}, func(w *world.World, _ *integration.Call) {
			p, err := w.CreatePayment(&world.NewPayment{Amount: &amount, ContactNumber: fmt.Sprintf("+1202555%04d", k%10000)})
			require.NoError(tb, err)
			require.NoError(tb, w.MovePayment(p.PaymentRequestID, "approve", world.PaymentMove{}))
		}))
	}
}

// BenchmarkTimers advances one world through 1,000,000 due timers, each with its
// transition and event, and through a tenth of that, for the allocations.
func BenchmarkTimers(b *testing.B) {
	perTimer := func(n int) (rate, allocs float64) {
		s := server(b, tape.Limits{})
		i := s.Registry().Default()
		fill(b, i, 1, 0)
		approve(b, i, n)
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		start := time.Now()
		_, err := i.Advance(integration.Move{By: 10 * time.Second})
		took := time.Since(start)
		require.NoError(b, err)
		runtime.ReadMemStats(&after)
		return float64(n) / took.Seconds(), float64(after.Mallocs-before.Mallocs) / float64(n)
	}
	for b.Loop() {
		_, few := perTimer(100_000)
		rate, many := perTimer(1_000_000)
		b.ReportMetric(rate, "timers/s")
		b.ReportMetric(many, "allocs/timer")
		b.ReportMetric(many/few, "alloc-ratio")
	}
}

// receiver is a local webhook receiver that counts.
func receiver(tb testing.TB) (string, *atomic.Int64) {
	tb.Helper()
	l, err := (&net.ListenConfig{}).Listen(context.WithoutCancel(tb.Context()), "tcp", "127.0.0.1:0")
	require.NoError(tb, err)
	var n atomic.Int64
	s := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		n.Add(1)
		w.WriteHeader(http.StatusOK)
	})}
	go func() { _ = s.Serve(l) }()
	tb.Cleanup(func() { _ = s.Close() })
	return "http://" + l.Addr().String() + "/hooks", &n
}

// BenchmarkDeliveries sends 100,000 webhooks through the whole house (state,
// tape, ledger, signature) to a local receiver, and the same number with a bare
// http.Client at the same concurrency.
func BenchmarkDeliveries(b *testing.B) {
	const n, lanes = 100_000, 8
	for b.Loop() {
		url, count := receiver(b)
		s, err := mockserver.New(mockserver.Options{Integration: integration.Options{
			Seed: 1, Clock: integration.Manual, ClientID: "c", ClientSecret: "s", WebhookURL: url,
		}})
		require.NoError(b, err)
		i := s.Registry().Default()
		fill(b, i, 1, 0)
		approve(b, i, n)
		_, err = i.Advance(integration.Move{By: time.Second}) // waits for what the approvals have sent
		require.NoError(b, err)
		sent := count.Load()
		start := time.Now()
		_, err = i.Advance(integration.Move{By: 10 * time.Second})
		require.NoError(b, err)
		rate := float64(count.Load()-sent) / time.Since(start).Seconds()
		require.GreaterOrEqual(b, count.Load()-sent, int64(n))
		bare := bareDeliveries(b, url, n, lanes)
		b.ReportMetric(rate, "deliveries/s")
		b.ReportMetric(bare, "bare-deliveries/s")
		b.ReportMetric(rate/bare, "ratio")
		require.NoError(b, s.Close(context.WithoutCancel(b.Context())))
	}
}

// bareDeliveries posts the same body with a plain client.
func bareDeliveries(b *testing.B, url string, n, lanes int) float64 {
	b.Helper()
	body := `{"Live":false,"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"3a311de8-5bcd-4320-bb7c-831d1c902015","Status":"Paid"}}`
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: lanes}}
	start := time.Now()
	var wg sync.WaitGroup
	for range lanes {
		wg.Go(func() {
			for range n / lanes {
				r, err := http.NewRequestWithContext(b.Context(), http.MethodPost, url, strings.NewReader(body))
				if err != nil {
					b.Error(err)
					return
				}
				res, err := client.Do(r)
				if err != nil {
					b.Error(err)
					return
				}
				_, _ = io.Copy(io.Discard, res.Body)
				_ = res.Body.Close()
			}
		})
	}
	wg.Wait()
	return float64(n) / time.Since(start).Seconds()
}
