package webhook_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/webhook"
)

// BenchmarkDeliver compares deliveries through a Sender (queued, signed,
// recorded) with a bare http.Client that posts the same bytes, both eight at a
// time in turns of 1,000 to the same local receiver. One operation is one
// delivery and one bare post.
func BenchmarkDeliver(b *testing.B) {
	var sink atomic.Int64
	srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		n, _ := io.Copy(io.Discard, r.Body)
		sink.Add(n)
	}))
	b.Cleanup(srv.Close)
	s := newSender(b, webhook.Options{})
	transport := &http.Transport{MaxIdleConnsPerHost: webhook.LaneWidth}
	b.Cleanup(transport.CloseIdleConnections)
	client := &http.Client{Transport: transport}
	ours(b, s, srv.URL, 1000)
	bare(b, client, srv.URL, 1000)
	var tookOurs, tookBare time.Duration
	b.ResetTimer()
	for left := b.N; left > 0; left -= 1000 {
		n := min(left, 1000)
		began := time.Now()
		ours(b, s, srv.URL, n)
		half := time.Now()
		bare(b, client, srv.URL, n)
		tookOurs += half.Sub(began)
		tookBare += time.Since(half)
	}
	b.ReportMetric(float64(b.N)/tookOurs.Seconds(), "deliveries/s")
	b.ReportMetric(float64(b.N)/tookBare.Seconds(), "bare/s")
	b.ReportMetric(tookBare.Seconds()/tookOurs.Seconds(), "ratio")
}

func ours(b *testing.B, s *webhook.Sender, url string, n int) {
	b.Helper()
	var wg sync.WaitGroup
	wg.Add(n)
	for i := range n {
		d := view(url)
		binary.BigEndian.PutUint32(d.ID[:], uint32(i))
		s.Deliver("scope", d, func(a tape.Attempt, _ string) {
			if a.Status != 200 {
				b.Error(a.Error)
			}
			wg.Done()
		})
	}
	wg.Wait()
}

func bare(b *testing.B, client *http.Client, url string, n int) {
	b.Helper()
	var wg sync.WaitGroup
	var next atomic.Int64
	for range webhook.LaneWidth {
		wg.Go(func() {
			for next.Add(1) <= int64(n) {
				resp, err := client.Post(url, "application/json", bytes.NewReader([]byte(body)))
				if err != nil {
					b.Error(err)
					return
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				_ = resp.Body.Close()
			}
		})
	}
	wg.Wait()
}

// BenchmarkCrowd is 10,000 attempts to 1,000 endpoints at once.
func BenchmarkCrowd(b *testing.B) {
	srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }))
	b.Cleanup(srv.Close)
	s := newSender(b, webhook.Options{Timeout: time.Minute})
	for b.Loop() {
		var wg sync.WaitGroup
		wg.Add(10_000)
		for i := range 10_000 {
			d := view(srv.URL)
			binary.BigEndian.PutUint16(d.Endpoint[:], uint16(i%1000))
			s.Deliver("scope", d, func(a tape.Attempt, _ string) {
				if a.Status != 200 {
					b.Error(a.Error)
				}
				wg.Done()
			})
		}
		wg.Wait()
	}
	require.Equal(b, webhook.Load{}, s.Load())
	b.ReportMetric(10_000*float64(b.N)/b.Elapsed().Seconds(), "deliveries/s")
}
