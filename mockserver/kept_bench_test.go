package mockserver_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/mockserver"
	"paysandbox/mockserver/durable"
	"paysandbox/mockserver/durable/natslog"
	"paysandbox/mockserver/durable/shelf"
	"paysandbox/mockserver/integration"
)

// onDisk opens a sandbox on a folder as serve --data does.
func onDisk(b *testing.B, sync natslog.Sync) *mockserver.Server {
	b.Helper()
	log, err := natslog.OpenFolder(b.Context(), b.TempDir(), sync, slog.New(slog.DiscardHandler))
	require.NoError(b, err)
	o := mockserver.Options{Inputs: log, Images: durable.NewImages(log.Folder().Images()), SleepAfter: time.Hour, Integration: integration.Options{Seed: 1, Clock: integration.Manual}}
	o.Shelf, err = shelf.Open(log.Folder().Sleeping())
	require.NoError(b, err)
	s, err := mockserver.New(o)
	require.NoError(b, err)
	b.Cleanup(func() { _ = s.Close(b.Context()) })
	return s
}

// create makes companies by 16 callers, and gives how many a second.
func create(b *testing.B, s *mockserver.Server, round, each int) float64 {
	b.Helper()
	token, h := tokenOf(s), s.Handler()
	var callers sync.WaitGroup
	began := time.Now()
	for caller := range 16 {
		callers.Go(func() {
			for n := range each {
				r := httptest.NewRequestWithContext(b.Context(), http.MethodPost, "http://127.0.0.1/Company/Create", strings.NewReader(string(fixtures.CompanyJSON((round*16+caller)*each+n+1))))
				r.Header.Set("Authorization", "Bearer "+strings.TrimPrefix(token, "Bearer "))
				r.Header.Set("Content-Type", "application/json")
				w := httptest.NewRecorder()
				h.ServeHTTP(w, r)
				if w.Code != http.StatusOK {
					b.Error(w.Body)
				}
			}
		})
	}
	callers.Wait()
	return float64(16*each) / time.Since(began).Seconds()
}

// BenchmarkKept creates companies by 16 callers: in memory, with --data, and with --sync
// always, in turn. The ratios are to memory.
func BenchmarkKept(b *testing.B) {
	memory, err := mockserver.New(mockserver.Options{Integration: integration.Options{Seed: 1, Clock: integration.Manual}})
	require.NoError(b, err)
	defer memory.Registry().Close()
	data, always := onDisk(b, natslog.SyncInterval), onDisk(b, natslog.SyncAlways)
	var interval, flushed []float64
	round := 0
	for b.Loop() {
		for range 5 {
			base := create(b, memory, round, 100)
			interval = append(interval, create(b, data, round, 100)/base)
			flushed = append(flushed, create(b, always, round, 100)/base)
			round++
		}
	}
	b.ReportMetric(median(interval), "data-ratio")
	b.ReportMetric(median(flushed), "always-ratio")
}

// BenchmarkSleep puts PAYSANDBOX_SLEEPERS integrations to sleep (2,000), but for 100, and
// wakes some: what one that sleeps takes, what is resident then, and how long waking takes.
func BenchmarkSleep(b *testing.B) {
	many := 2_000
	if n, err := strconv.Atoi(os.Getenv("PAYSANDBOX_SLEEPERS")); err == nil {
		many = n
	}
	s := onDisk(b, natslog.SyncInterval)
	before := heap()
	var makers sync.WaitGroup
	for maker := range 64 {
		makers.Go(func() {
			for n := maker; n < many; n += 64 {
				for again := 0; ; again++ { // a busy machine makes some wait for too long
					_, err := s.Registry().Create(integration.Options{Name: fmt.Sprint(n), Clock: integration.Manual, Seed: 1})
					if err == nil {
						break
					}
					if again == 100 || !strings.HasSuffix(err.Error(), "nothing was done; call again in a moment") {
						b.Error(err)
						break
					}
				}
			}
		})
	}
	makers.Wait()
	list := s.Registry().List()
	for range 6 {
		for _, i := range list[:100] {
			i.Seq()
		}
		_, err := s.Registry().Doze()
		require.NoError(b, err)
	}
	require.Equal(b, len(list)-100, s.Registry().Sleeping())
	each := float64(heap()-before) / float64(many)
	debug.FreeOSMemory()
	var all, resident float64 // in pages
	if statm, err := os.ReadFile("/proc/self/statm"); err == nil {
		_, _ = fmt.Sscan(string(statm), &all, &resident)
	}
	n := 100
	for b.Loop() {
		list[n%len(list)].Seq()
		n++
	}
	b.ReportMetric(each, "B/sleeper")
	b.ReportMetric(resident*float64(os.Getpagesize())/(1<<20), "MiB-resident")
}
