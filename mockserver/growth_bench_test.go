package mockserver_test

import (
	"fmt"
	"net/http"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
)

// The benchmarks of this file call the handler without a network: they ask how
// cost and memory change, not what a connection costs.

// BenchmarkGrowth compares a world of 100 companies and payments with one of
// 100,000 companies and 1,000,000 payments: the cost of a call must not grow.
func BenchmarkGrowth(b *testing.B) {
	small, large := server(b, tape.Limits{}), server(b, tape.Limits{})
	fill(b, small.Registry().Default(), 100, 100)
	fill(b, large.Registry().Default(), 100_000, 1_000_000)
	body := fixtures.CompanyJSON(1)
	token := []byte(`{"clientId":"sandbox-client","clientSecret":"sandbox-secret"}`)
	n := 0
	create := func(c *caller) { n++; c.call(b, http.MethodPost, "/Company/Create", numbered(body, n)) }
	for _, row := range []struct {
		name string
		call func(c *caller)
	}{
		{"create", create},
		{"read", func(c *caller) { c.call(b, http.MethodGet, "/Company/fill-77/Status", nil) }},
		{"token", func(c *caller) { c.call(b, http.MethodPost, "/Authentication/Token", token) }},
	} {
		b.Run(row.name, func(b *testing.B) {
			few, many := newCaller(small, small.Registry().Default()), newCaller(large, large.Registry().Default())
			var ratios []float64
			for b.Loop() {
				for range 5 {
					fast, slow := timeOf(200, func() { row.call(few) }), timeOf(200, func() { row.call(many) })
					ratios = append(ratios, float64(slow)/float64(fast))
				}
			}
			b.ReportMetric(median(ratios), "ratio")
		})
	}
}

// BenchmarkMemory reports what is kept for a company, a payment and a tape entry.
func BenchmarkMemory(b *testing.B) {
	const n = 50_000
	tiny := tape.Limits{Entries: 1}
	for b.Loop() {
		s := server(b, tiny)
		c := newCaller(s, s.Registry().Default())
		body := fixtures.CompanyJSON(1)
		before := heap()
		for i := range n {
			c.call(b, http.MethodPost, "/Company/Create", numbered(body, i+1))
		}
		b.ReportMetric(float64(heap()-before)/n, "B/company")
		before = heap()
		for i := range n {
			c.call(b, http.MethodPost, "/Payment/Create", fmt.Appendf(nil,
				`{"amount":5000,"contactNumber":"+1202555%04d","shortDescription":"Membership March","reference":"order-%d"}`, i%10000, i))
		}
		b.ReportMetric(float64(heap()-before)/n, "B/payment")
		runtime.KeepAlive(s)
	}
	b.ReportMetric(tapeRatio(b), "tape-ratio")
}

// tapeRatio is the memory of a tape of company creations, as a share of the
// bytes of the exchanges alone.
func tapeRatio(b *testing.B) float64 {
	b.Helper()
	s := server(b, tape.Limits{})
	i := s.Registry().Default()
	c := newCaller(s, i)
	body := fixtures.CompanyJSON(1)
	for n := range 4000 {
		c.call(b, http.MethodPost, "/Company/Create", numbered(body, n+1))
	}
	ctx, cancel := contextDone()
	defer cancel()
	only, exchanges := tape.New(tape.Limits{}), int64(0)
	for _, e := range i.Read(ctx, tape.Filter{Kinds: []tape.Kind{tape.KindExchange}}).Entries {
		require.NoError(b, only.Append(&e))
		exchanges += exchangeBytes(&e)
	}
	return float64(only.Allocated()) / float64(exchanges)
}

// exchangeBytes is the size of a request and its answer on the wire, as far as
// they are recorded.
func exchangeBytes(e *tape.Entry) int64 {
	x := e.Exchange
	n := len(x.Method) + len(x.Path) + len(x.Query) + len(x.Request.Body) + len(x.Response.Body) + len("  HTTP/1.1\r\nHTTP/1.1 200 OK\r\n\r\n\r\n")
	for _, list := range [][]tape.Header{x.Request.Header, x.Response.Header} {
		for _, h := range list {
			n += len(h.Name) + len(h.Value) + len(": \r\n")
		}
	}
	return int64(n)
}

// BenchmarkSecondHundredThousand compares the speed of the second 100,000
// creations with the first (the median of five worlds), and what 100,000 reads
// with a full tape cost in memory.
func BenchmarkSecondHundredThousand(b *testing.B) {
	const n = 100_000
	var ratios []float64
	for b.Loop() {
		for range 5 {
			c, run := creations(b, n)
			first, second := run(1), run(n+1)
			ratios = append(ratios, float64(first)/float64(second))
			before := heap()
			for range n {
				c.call(b, http.MethodGet, "/Company/bench-00000001/Status", nil)
			}
			b.ReportMetric(float64(heap()-before)/n, "B/read")
			runtime.KeepAlive(c)
		}
	}
	b.ReportMetric(median(ratios), "ratio")
}

// creations makes a fresh world, and a function that creates n companies in it
// and tells how long that took.
func creations(b *testing.B, n int) (*caller, func(from int) time.Duration) {
	b.Helper()
	s := server(b, tape.Limits{})
	c := newCaller(s, s.Registry().Default())
	body := fixtures.CompanyJSON(1)
	runtime.GC()
	return c, func(from int) time.Duration {
		start := time.Now()
		for i := range n {
			c.call(b, http.MethodPost, "/Company/Create", numbered(body, from+i))
		}
		return time.Since(start)
	}
}

// BenchmarkIntegrations compares 200 clients on 200 integrations with 200
// clients on one.
func BenchmarkIntegrations(b *testing.B) {
	const clients, each = 200, 100
	s := server(b, tape.Limits{})
	alone := make([]*caller, clients)
	shared := make([]*caller, clients)
	for n := range clients {
		i, err := s.Registry().Create(integration.Options{Name: "bench", Seed: uint64(n), Clock: integration.Manual})
		require.NoError(b, err)
		alone[n], shared[n] = newCaller(s, i), newCaller(s, s.Registry().Default())
	}
	number := 0
	run := func(list []*caller) time.Duration {
		number += clients * each
		base := number
		var wg sync.WaitGroup
		start := time.Now()
		for k, c := range list {
			wg.Go(func() {
				body := fixtures.CompanyJSON(1)
				for n := range each {
					c.call(b, http.MethodPost, "/Company/Create", numbered(body, base+k*each+n))
				}
			})
		}
		wg.Wait()
		return time.Since(start)
	}
	for b.Loop() {
		var ratios []float64
		for range 5 {
			one, many := run(shared), run(alone)
			ratios = append(ratios, float64(one)/float64(many))
		}
		b.ReportMetric(median(ratios), "ratio")
	}
}
