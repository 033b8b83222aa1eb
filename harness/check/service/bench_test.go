package service_test

import (
	"testing"
)

// BenchmarkJudge holds a session of some 540 entries to every check, with a
// description that is read once.
func BenchmarkJudge(b *testing.B) {
	f := shoot(b, rich(b).tape())
	tp := f.copy(b).tape(f.opts)
	tp.judge()
	b.ReportAllocs()
	for b.Loop() {
		tp.judge()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(tp.Entries)), "ns/entry")
}
