package console_test

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
)

// BenchmarkFileScreens measures each screen of an opened tape of 20,000 entries and 70 MB, in
// processor time: median-ms and the slowest look, worst-ms; the goal is a median below 100 ms.
// The first look at each is not counted: it reads what later ones know.
func BenchmarkFileScreens(b *testing.B) {
	h := houseWith(b, mockserver.Options{Integration: integration.Options{Tape: tape.Limits{Entries: 40_000, Bytes: 200 << 20}}})
	company := h.shop()
	h.hooks()
	for range 1_200 {
		id := h.pay(company, "Membership")
		h.control(http.MethodPost, "/payments/"+id+"/approve", "{}")
	}
	h.on.Settle()
	h.fillWith(18_900-int(h.newest()), 0)
	h.fillWith(1_100, 30_000)
	id := h.pay(company, "The last one")
	saved := h.control(http.MethodGet, "/tape?end=true", "").body
	file := h.upload(saved).header.Get("Location")
	require.NotEmpty(b, file)
	root := strings.TrimSuffix(file, "live")
	paths := slices.Clone(screens)
	for _, screen := range []string{"live", "problems", "entities", "deliveries", "inbox", "clock", "trouble", "settings"} {
		paths = append(paths, screen+"?q=no+such+text", screen+"?q=Nobody")
	}
	paths = append(paths, "live?q=e", "live?q=Membership&before=9000", "live?label=nobody", "live?entity="+id, "entities/"+id, "entries/300", "entries/19000", "deliveries?state=given-up", "entities?at=50", "entities?at=10000")
	for _, path := range paths {
		b.Run(strings.ReplaceAll(path, id, "ID"), func(b *testing.B) {
			h.look(b, root+path)
			var took []time.Duration
			for b.Loop() {
				begun := used(b)
				h.look(b, root+path)
				took = append(took, used(b)-begun)
			}
			slices.SortFunc(took, cmp.Compare)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1_000, "median-ms")
			b.ReportMetric(float64(took[len(took)-1].Microseconds())/1_000, "worst-ms")
		})
	}
}
