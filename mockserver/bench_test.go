package mockserver_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/mockserver"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/world"
)

// TestMain lets the test binary serve as the other process of a benchmark.
func TestMain(m *testing.M) {
	if kind := os.Getenv(envServer); kind != "" {
		os.Exit(serveAs(kind))
	}
	os.Exit(m.Run())
}

// serveAs runs one server until standard input closes.
func serveAs(kind string) int {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 1
	}
	handler, token := bareServer(kind), "-"
	if strings.HasPrefix(kind, "sandbox") {
		s, err := mockserver.New(mockserver.Options{Integration: integration.Options{
			Seed: 1, ClientID: "sandbox-client", ClientSecret: "sandbox-secret",
		}})
		if err != nil {
			return 1
		}
		handler, token = s.Handler(), tokenOf(s)
	}
	fmt.Println(l.Addr(), token)
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(l) }()
	_, _ = io.Copy(io.Discard, os.Stdin)
	return 0
}

// tokenOf grants a token of the default integration.
func tokenOf(s *mockserver.Server) string {
	i := s.Registry().Default()
	var t world.Token
	i.Do(&integration.Call{Silent: true}, func(w *world.World, _ *integration.Call) { t = w.IssueToken() })
	signed, err := i.Sign(t)
	if err != nil {
		panic(err)
	}
	return signed
}

func newUUID() string { return uuid.NewString() }

const bareToken = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJwYXlzYW5kYm94Iiwic3ViIjoic2FuZGJveC1jbGllbnQifQ.c2lnbmF0dXJlc2lnbmF0dXJlc2lnbmF0dXJlc2lnbmF0dXI"

type bareCompany struct{ fixtures.CompanyBody }

// bareLocations is the body that a list of two locations has.
func bareLocations() world.LocationList {
	entry := world.LocationEntry{ID: "0d9b6f9e-6a0a-4a53-8d3e-6f1f0e9d8c22", Name: "Downtown", Address: world.Address{
		StreetNumberAndName: "100 Main St", ApartmentNumber: "Floor 1", City: "Oakland", ZipCode: "94607", State: "CA", Country: "US",
	}}
	return world.LocationList{Locations: []world.LocationEntry{entry, entry}}
}

const (
	connections = 16
	rounds      = 9
	round       = 400 * time.Millisecond
)

// pair runs one comparison and reports it.
func pair(b *testing.B, sandbox, bare *target, mine, theirs request) (rateBare float64) {
	b.Helper()
	runtime.GOMAXPROCS(1)
	var rate, ratio float64
	for b.Loop() {
		rate, rateBare, ratio = compare(b, open(b, sandbox, mine), open(b, bare, theirs), rounds, round)
	}
	b.ReportMetric(rate, "req/s")
	b.ReportMetric(rateBare, "bare-req/s")
	b.ReportMetric(ratio, "ratio")
	return rateBare
}

// BenchmarkCreateCompany compares the creation of a company, everything on,
// with a bare handler, and then the 99th percentile at half of that load.
func BenchmarkCreateCompany(b *testing.B) {
	sandbox, bare := startTarget(b, "sandbox"), startTarget(b, "bare-create")
	body := fixtures.CompanyJSON(1)
	mine := newRequest(sandbox, http.MethodPost, "/Company/Create", body)
	theirs := newRequest(bare, http.MethodPost, "/", body)
	rate := pair(b, sandbox, bare, mine, theirs)
	a, o := open(b, sandbox, mine), open(b, bare, theirs)
	var p99s []float64
	for range 5 {
		x, y := pace(b, a, rate/2, time.Second), pace(b, o, rate/2, time.Second)
		p99s = append(p99s, float64(x[len(x)*99/100])/float64(y[len(y)*99/100]))
	}
	b.ReportMetric(median(p99s), "p99-ratio")
}

// BenchmarkToken compares the token call.
func BenchmarkToken(b *testing.B) {
	sandbox, bare := startTarget(b, "sandbox"), startTarget(b, "bare-token")
	body := []byte(`{"clientId":"sandbox-client","clientSecret":"sandbox-secret"}`)
	pair(b, sandbox, bare, newRequest(sandbox, http.MethodPost, "/Authentication/Token", body), newRequest(bare, http.MethodPost, "/", body))
}

// BenchmarkCompanyStatus compares reading a company's status.
func BenchmarkCompanyStatus(b *testing.B) {
	sandbox, bare := startTarget(b, "sandbox"), startTarget(b, "bare-status")
	createOne(b, sandbox)
	pair(b, sandbox, bare, newRequest(sandbox, http.MethodGet, "/Company/bench-company/Status", nil), newRequest(bare, http.MethodGet, "/", nil))
}

// BenchmarkListLocations compares the list of a company's two locations.
func BenchmarkListLocations(b *testing.B) {
	sandbox, bare := startTarget(b, "sandbox"), startTarget(b, "bare-locations")
	createOne(b, sandbox)
	pair(b, sandbox, bare, newRequest(sandbox, http.MethodGet, "/Company/bench-company/Locations", nil), newRequest(bare, http.MethodGet, "/", nil))
}

// createOne creates the company bench-company.
func createOne(b *testing.B, t *target) {
	b.Helper()
	body := bytes.Replace(fixtures.CompanyJSON(1), []byte("bench-00000001"), []byte("bench-company"), 1)
	require.NoError(b, dial(b, t, newRequest(t, http.MethodPost, "/Company/Create", body)).once())
}

// BenchmarkSecondHundredThousandServed compares the speed of the second 100,000
// creations with the first as a client sees it; the median of three servers.
func BenchmarkSecondHundredThousandServed(b *testing.B) {
	const n = 100_000
	runtime.GOMAXPROCS(1)
	var ratios []float64
	for b.Loop() {
		for range 3 {
			t := startTarget(b, "sandbox")
			conns := open(b, t, newRequest(t, http.MethodPost, "/Company/Create", fixtures.CompanyJSON(1)))
			first := driveCount(b, conns, n)
			ratios = append(ratios, driveCount(b, conns, n)/first)
		}
	}
	b.ReportMetric(median(ratios), "ratio")
}
