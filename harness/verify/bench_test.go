package verify_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkVerify plays more and more scenarios: the time of one has to stay the
// same.
func BenchmarkVerify(b *testing.B) {
	for _, n := range []int{100, 200, 400, 800, 1600} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p := target(b, "")
			p.Features = feature(n, "Given a company", "When the partner lists the companies", "Then the answer lists 1 companies")
			for b.Loop() {
				require.Zero(b, ran(b, p).ExitCode)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*n), "µs/scenario")
		})
	}
}
