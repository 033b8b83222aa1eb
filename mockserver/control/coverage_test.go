package control_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/control"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/openapi"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

func (s *sandbox) coverage() map[string]control.CoverageItem {
	s.t.Helper()
	var c control.Coverage
	s.get("/coverage").ok(&c)
	items := map[string]control.CoverageItem{}
	for _, p := range c.Parts {
		seen := 0
		for _, i := range p.Items {
			items[p.Part+"|"+i.Of+"|"+i.Name] = i
			if i.Count > 0 {
				seen++
			}
		}
		require.Equal(s.t, p.Seen, seen, p.Part)
		require.Len(s.t, p.Items, p.Total, p.Part)
	}
	return items
}

// TestCoverageIsAShareOfWhatIsDeclared: each row of each table stands there, seen or
// not, and counts what happens, once.
func TestCoverageIsAShareOfWhatIsDeclared(t *testing.T) {
	t.Parallel()
	s := start(t, func(o *control.Options, _ *integration.Options) {
		o.API = []openapi.Operation{{ID: "setUp", Method: http.MethodPost, Path: "/setUp", Errors: []int{http.StatusBadRequest}}}
	})
	c := s.people()
	before := s.coverage()
	approve := "moves|payment|Pending → Processing by approve"
	require.Contains(t, before, approve)
	require.Zero(t, before[approve].Count)
	require.Equal(t, "POST /_sandbox/integrations/{i}/payments/{id}/approve", before[approve].Exercise)
	require.Equal(t, 1, before["answers|setUp|200"].Count)
	require.Zero(t, before["answers|setUp|400"].Count)
	require.Positive(t, before["states|payment|Pending"].Count)
	for _, m := range world.Machines() {
		for _, state := range m.States[1:] {
			if m.Name != "webhook delivery" {
				require.Contains(t, before, "states|"+m.Name+"|"+state)
			}
		}
	}
	s.post("/payments/"+c.payment+"/approve", "{}").ok(nil)
	s.post("/payment-methods", `{"registrationId":"`+c.payer+`","card":"declined"}`).ok(nil)
	i := s.registry.Default()
	call := integration.Call{Kind: tape.KindExchange, Exchange: tape.Exchange{Operation: "setUp", Method: "POST", Path: "/setUp", Response: tape.Response{
		Status: http.StatusBadRequest, Body: []byte(`{"findings":[{"clause":"company.create.zip"}]}`),
	}}}
	i.Send(i.Do(&call, func(*world.World, *integration.Call) {}))
	for range 2 { // each entry counts once, however often one looks
		after := s.coverage()
		require.Equal(t, 1, after[approve].Count)
		require.Equal(t, 1, after["answers|setUp|400"].Count)
		require.Equal(t, 1, after["rules||company.create.zip"].Count)
		require.Equal(t, 1, after["events||PAYMENT_STATUS_CHANGED"].Count-before["events||PAYMENT_STATUS_CHANGED"].Count)
		require.Positive(t, after["data|card|visa declined"].Count)
	}
	require.NoError(t, i.Reset())
	require.Zero(t, s.coverage()[approve].Count, "another life begins with nothing")
}

// BenchmarkCoverage reads a full tape once, and then what has come since.
func BenchmarkCoverage(b *testing.B) {
	s := start(b)
	c := s.people()
	for range 5000 {
		s.do(func(w *world.World) { s.payment(w, c) })
	}
	s.coverage()
	for range b.N {
		s.coverage()
	}
}
