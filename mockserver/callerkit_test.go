package mockserver_test

import (
	"bytes"
	"fmt"
	"net/http"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

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
	// A busy machine is no receiver that hangs: its attempts would be made again.
	s, err := mockserver.New(mockserver.Options{AllowLoopback: true, WebhookTimeout: time.Minute, Integration: integration.Options{
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
				Purpose: world.Purpose{ShortDescription: "Membership", Reference: "order-" + strconv.Itoa(n)},
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
