package mockserver_test

import (
	"bytes"
	"fmt"
	"net/http"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/mockserver"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// The benchmarks of this file call the handler without a network: they ask how
// cost and memory change, not what a connection costs.

// quiet is a ResponseWriter that keeps the status alone.
type quiet struct {
	header http.Header
	status int
}

func (q *quiet) Header() http.Header         { return q.header }
func (q *quiet) Write(b []byte) (int, error) { return len(b), nil }
func (q *quiet) WriteHeader(status int)      { q.status = status }

// caller makes requests of one integration to a handler.
type caller struct {
	h     http.Handler
	token string
	out   quiet
}

func newCaller(s *mockserver.Server, i *integration.Integration) *caller {
	var t world.Token
	i.Do(&integration.Call{Silent: true}, func(w *world.World, _ *integration.Call) { t = w.IssueToken() })
	signed, err := i.Sign(t)
	if err != nil {
		panic(err)
	}
	return &caller{h: s.Handler(), token: "Bearer " + signed, out: quiet{header: http.Header{}}}
}

// call sends one request and requires a 200.
func (c *caller) call(tb testing.TB, method, path string, body []byte) {
	tb.Helper()
	r, err := http.NewRequest(method, path, bytes.NewReader(body))
	require.NoError(tb, err)
	r.Header["Authorization"] = []string{c.token}
	if body != nil {
		r.Header["Content-Type"] = []string{"application/json"}
	}
	clear(c.out.header)
	c.h.ServeHTTP(&c.out, r)
	if c.out.status != http.StatusOK {
		tb.Fatalf("%s %s answered %d", method, path, c.out.status)
	}
}

// numbered gives the company body with its number put in.
func numbered(body []byte, n int) []byte {
	at := bytes.Index(body, []byte("bench-")) + len("bench-")
	copy(body[at:at+8], fmt.Appendf(nil, "%08d", n))
	return body
}

// server makes a server whose default integration has a manual clock.
func server(tb testing.TB, l tape.Limits) *mockserver.Server {
	tb.Helper()
	s, err := mockserver.New(mockserver.Options{Integration: integration.Options{
		Seed: 1, Clock: integration.Manual, ClientID: "sandbox-client", ClientSecret: "sandbox-secret", Tape: l,
	}})
	require.NoError(tb, err)
	tb.Cleanup(s.Registry().Close)
	return s
}

// fill creates companies and payments without HTTP.
func fill(tb testing.TB, i *integration.Integration, companies, payments int) {
	tb.Helper()
	amount, phone := int64(5000), ""
	for n := range companies {
		i.Send(i.Do(&integration.Call{Kind: tape.KindExchange}, func(w *world.World, _ *integration.Call) {
			_, err := w.CreateCompany(&world.NewCompany{
				CompanyReferenceID: "fill-" + strconv.Itoa(n), Name: "Gym " + strconv.Itoa(n), EmailAddress: "office@example.com",
				ContactNumber: "+12025550123", CompanyType: "LLC", ZipCode: "94610", State: "CA", TaxID: "12-3456789", TaxIDType: "EIN",
				Owner: &world.Owner{EmailAddress: "o@example.com", ContactNumber: "+12025550124", SSN: "1234", ZipCode: "94610", State: "CA"},
			})
			require.NoError(tb, err)
		}))
	}
	for n := range payments {
		phone = fmt.Sprintf("+1202555%04d", n%10000)
		i.Send(i.Do(&integration.Call{Kind: tape.KindExchange}, func(w *world.World, _ *integration.Call) {
			_, err := w.CreatePayment(&world.NewPayment{
				Amount: &amount, ContactNumber: phone, CompanyReferenceID: "fill-" + strconv.Itoa(n%companies),
				ShortDescription: "Membership", Reference: "order-" + strconv.Itoa(n),
			})
			require.NoError(tb, err)
		}))
	}
}

// heap is what is in use after a full collection, in bytes.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// timeOf gives the median time of a call over several batches.
func timeOf(batch int, call func()) time.Duration {
	var list []float64
	for range 15 {
		start := time.Now()
		for range batch {
			call()
		}
		list = append(list, float64(time.Since(start))/float64(batch))
	}
	return time.Duration(median(list))
}

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
