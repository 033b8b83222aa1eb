package console_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver"
	"paysandbox/mockserver/integration"
)

// BenchmarkScreens measures each screen with a tape of 20,000 entries; the goal is
// 100 ms.
func BenchmarkScreens(b *testing.B) {
	h := newHouse(b)
	company := h.shop()
	h.hooks()
	for range 2_000 {
		id := h.pay(company, "Membership")
		h.control(http.MethodPost, "/payments/"+id+"/approve", "{}")
	}
	h.fill(8_000)
	id := h.pay(company, "The last one")
	handler := h.server.Handler()
	paths := slices.Clone(screens)
	paths = append(paths, "entities/"+id, "entries/"+itoa(h.newest()), "live?q=no+such+text", "live?entity="+id, "deliveries?state=delivered", "entities?q=nothing")
	for _, path := range paths {
		b.Run(strings.ReplaceAll(path, id, "ID"), func(b *testing.B) {
			for b.Loop() {
				w := httptest.NewRecorder()
				r := httptest.NewRequest(http.MethodGet, "/console/default/"+path, nil)
				r.Host = "127.0.0.1"
				handler.ServeHTTP(w, r)
				if w.Code != http.StatusOK {
					b.Fatal(path, w.Code)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/page")
		})
	}
}

// BenchmarkCreateWatched measures what ten open consoles cost: the processor time of
// creating payments without them over that with them, in turns that change their
// order, with the reading of the ten counted in; the goal is 0.97. It is not the time
// of day that is measured, which on a busy machine is others'.
func BenchmarkCreateWatched(b *testing.B) {
	body := `{"amount":5000,"companyId":"COMPANY","contactNumber":"+12025550123","shortDescription":"Membership"}`
	h := houseWith(b, mockserver.Options{Integration: integration.Options{Clock: integration.Real}})
	body = strings.Replace(body, "COMPANY", h.shop(), 1)
	handler := h.server.Handler()
	create := func(n int) time.Duration {
		begun := used(b)
		for range n {
			r := httptest.NewRequest(http.MethodPost, "/Payment/Create", strings.NewReader(body))
			r.Host = "127.0.0.1"
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Authorization", "Bearer "+h.token)
			w := httptest.NewRecorder()
			if handler.ServeHTTP(w, r); w.Code != http.StatusOK {
				b.Fatal(w.Code, w.Body)
			}
		}
		return used(b) - begun
	}
	watched := func(run func()) {
		ctx, cancel := context.WithCancel(b.Context())
		var all sync.WaitGroup
		for range 10 {
			req := h.request(http.MethodGet, "/console/default/stream?screen=live", "").WithContext(ctx)
			res, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
			require.NoError(b, err)
			all.Go(func() { _, _ = io.Copy(io.Discard, res.Body); _ = res.Body.Close() })
		}
		run()
		cancel()
		all.Wait()
	}
	const calls = 4_000
	create(calls)
	var with, without []float64
	for n := 0; b.Loop(); n++ {
		if n%2 == 0 {
			without = append(without, create(calls).Seconds())
		}
		watched(func() { with = append(with, create(calls).Seconds()) })
		if n%2 == 1 {
			without = append(without, create(calls).Seconds())
		}
	}
	slices.Sort(with)
	slices.Sort(without)
	b.ReportMetric(without[len(without)/2]/with[len(with)/2], "share")
}

// used is the processor time of this process.
func used(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
