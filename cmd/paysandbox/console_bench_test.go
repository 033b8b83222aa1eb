package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
)

// BenchmarkReadiness looks at the verdict on a live tape of 20,000 entries that nobody has
// looked at: how long the first and the second look take, and how much of the processors'
// time it takes until the page shows the verdict.
func BenchmarkReadiness(b *testing.B) {
	h := openShop(b)
	var err error
	h.s, err = mockserver.New(mockserver.Options{Carrier: noCarrier{}, Loopback: true, Judge: judgeTape})
	require.NoError(b, err)
	b.Cleanup(h.s.Registry().Close)
	used := func() time.Duration {
		var u syscall.Rusage
		require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	look := func() (took time.Duration, judged bool) {
		begun, w := time.Now(), httptest.NewRecorder()
		h.s.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://127.0.0.1/console/"+h.at.ID+"/readiness", nil))
		require.Equal(b, http.StatusOK, w.Code)
		return time.Since(begun), strings.Contains(w.Body.String(), "Every clause")
	}
	var first, second, cpu time.Duration
	for b.Loop() {
		b.StopTimer()
		h.at, err = h.s.Registry().Create(integration.Options{Clock: integration.Manual, Tape: tape.Limits{Entries: 1 << 20, Bytes: 1 << 30}})
		require.NoError(b, err)
		h.trade(20_000)
		begun := used()
		b.StartTimer()
		one, judged := look()
		b.StopTimer()
		other, again := look()
		for judged = judged || again; !judged; {
			_, judged = look()
		}
		first, second, cpu = first+one, second+other, cpu+used()-begun
		_, err = h.s.Registry().Delete(h.at.ID)
		require.NoError(b, err)
		b.StartTimer()
	}
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1_000 / float64(b.N) }
	b.ReportMetric(ms(first), "first-ms")
	b.ReportMetric(ms(second), "second-ms")
	b.ReportMetric(ms(cpu), "cpu-ms")
}
