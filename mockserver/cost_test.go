package mockserver_test

import (
	"bytes"
	"net/http"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/mockserver"
	"paysandbox/mockserver/integration"
)

// nowhere is a http.ResponseWriter that keeps no body.
type nowhere struct {
	header http.Header
	status int
}

func (n *nowhere) Header() http.Header         { return n.header }
func (n *nowhere) Write(b []byte) (int, error) { return len(b), nil }
func (n *nowhere) WriteHeader(status int)      { n.status = status }

// TestWhatACallTakes bounds the allocations and the bytes of a call, in memory and without
// a network: what is a little for each call is found by no timing on a busy machine.
//
//nolint:paralleltest // it counts what the whole process allocates
func TestWhatACallTakes(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector allocates, too")
	}
	s, err := mockserver.New(mockserver.Options{Integration: integration.Options{Seed: 1, ClientID: "c", ClientSecret: "s"}})
	require.NoError(t, err)
	h, header := s.Handler(), http.Header{"Authorization": {"Bearer " + tokenOf(s)}, "Content-Type": {"application/json"}}
	ask := func(method, path string, body []byte, want int) {
		r, _ := http.NewRequestWithContext(t.Context(), method, path, bytes.NewReader(body))
		r.Header = header
		w := nowhere{header: http.Header{}}
		if h.ServeHTTP(&w, r); w.status != want {
			require.Equal(t, want, w.status)
		}
	}
	const calls = 1000
	bodies := make([][]byte, 2*calls+2)
	for n := range bodies {
		bodies[n] = fixtures.CompanyJSON(n)
	}
	n := 0
	ask(http.MethodPost, "/Company/Create", bodies[0], http.StatusOK)
	for _, c := range []struct {
		name          string
		one           func()
		allocs, bytes float64
	}{
		{"create a company", func() {
			n++
			ask(http.MethodPost, "/Company/Create", bodies[n], http.StatusOK)
		}, 62, 11_100},
		{"read its status", func() {
			ask(http.MethodGet, "/Company/bench-00000000/Status", nil, http.StatusOK)
		}, 17, 1550},
	} {
		allocs := testing.AllocsPerRun(calls-1, c.one)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range calls {
			c.one()
		}
		runtime.ReadMemStats(&after)
		size := float64(after.TotalAlloc-before.TotalAlloc) / calls
		t.Logf("%s: %.1f allocations, %.0f bytes", c.name, allocs, size)
		require.LessOrEqual(t, allocs, c.allocs, c.name)
		require.LessOrEqual(t, size, c.bytes, c.name)
	}
}
