package check_test

import (
	"testing"

	"paysandbox/harness/check"
)

// BenchmarkJudge holds a session of some 540 entries to every check, with a
// description that is read once.
func BenchmarkJudge(b *testing.B) {
	f := shoot(b, rich(b).tape())
	tp := f.copy(b).tape(f.opts)
	check.Judge(tp)
	b.ReportAllocs()
	for b.Loop() {
		check.Judge(tp)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(tp.Entries)), "ns/entry")
}
