package diagnose_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/diagnose"
	"paysandbox/harness/replay/recording"
)

// TestAReceiverThatIsShutOut: from a request on nothing that came was taken, and no file shows what it was. One that takes again, refuses
// for a signature, or never took anything is told by other means.
func TestAReceiverThatIsShutOut(t *testing.T) {
	t.Parallel()
	begin := time.Date(2026, 10, 20, 9, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		statuses []int
		heard    time.Duration
		told     bool
	}{
		"redirected":         {[]int{200, 301, 301, 301}, time.Hour, true},
		"not found":          {[]int{200, 200, 404, 404}, time.Hour, true},
		"taken again":        {[]int{200, 301, 301, 200}, time.Hour, false},
		"once":               {[]int{200, 200, 301}, time.Hour, false},
		"never taken":        {[]int{301, 301, 301}, time.Hour, false},
		"refused":            {[]int{200, 401, 401}, time.Hour, false},
		"what came is shown": {[]int{200, 500, 500}, 2 * time.Minute, false},
		"no status":          {[]int{0, 0, 0}, time.Hour, false},
	} {
		in := newInput()
		s := recording.Source{Name: "a.log"}
		for i, status := range c.statuses {
			s.Arrivals = append(s.Arrivals, recording.Arrival{At: begin.Add(time.Duration(i) * time.Minute), Line: i + 1, Status: status})
		}
		in.Recording.Sources = append(in.Recording.Sources, s)
		in.Recording.Received = []recording.Received{{At: begin.Add(c.heard), Body: []byte(`{}`)}}
		told := false
		for _, f := range diagnose.Of(&in.Input).Faults {
			told = told || f.Call == "what came to the receiver" && f.Side == diagnose.Partner && f.Place.Line > 1
		}
		require.Equal(t, c.told, told, name)
	}
}
