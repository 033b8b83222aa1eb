package join_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/source"
)

// TestTwoFilesOfTheSameCalls: their clocks are put together by answers that show the same ids, of several calls that are all as far apart.
func TestTwoFilesOfTheSameCalls(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 10, 20, 8, 58, 5, 0, time.UTC)
	lines := func(skew time.Duration, ids ...int) string {
		var b strings.Builder
		for n, id := range ids {
			at := start.Add(time.Duration(n)*time.Minute + skew)
			fmt.Fprintf(&b, `{"time":%q,"method":"POST","url":"https://api.a.example/Payment/Create","body":{"amount":500},"status":200,"answer":{"paymentRequestId":"8e40a866-8b1a-4b18-9e40-%012d"}}`+"\n", at.Format(time.RFC3339Nano), id)
		}
		return b.String()
	}
	for name, c := range map[string]struct {
		one, other string
		calls      int
	}{
		"half a minute apart": {lines(0, 1, 2, 3), lines(30*time.Second, 1, 2, 3), 3},
		"and more of one":     {lines(0, 1, 2), lines(30*time.Second, 1, 2, 3), 3},
		"other calls":         {lines(0, 1, 2, 3), lines(30*time.Second, 4, 5, 6), 6},
		"one is no clock":     {lines(0, 1, 2, 3), lines(30*time.Second, 1, 5, 6), 6},
		"not all as far":      {lines(0, 1, 2, 3), lines(30*time.Second, 2, 3, 1), 6},
	} {
		r := readAll(t, source.File{Name: "a.jsonl", Data: []byte(c.one)}, source.File{Name: "b.jsonl", Data: []byte(c.other)})
		require.Len(t, r.Exchanges, c.calls, name)
	}
}
