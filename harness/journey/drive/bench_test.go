package drive_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/journey/drive"
)

// BenchmarkDrive plays and judges all journeys beside a baseline: as many calls
// one after the other as the journeys' tapes have exchanges, each the smallest
// that the sandbox answers.
func BenchmarkDrive(b *testing.B) {
	var played, bare time.Duration
	for b.Loop() {
		began := time.Now()
		list, _ := live(b, drive.Plan{Seed: 7})
		played += time.Since(began)
		calls := 0
		for _, d := range list {
			for i := range d.Entries {
				if d.Entries[i].Exchange != nil {
					calls++
				}
			}
		}
		b.StopTimer()
		bare += bareCalls(b, calls)
		b.StartTimer()
	}
	b.ReportMetric(played.Seconds()/float64(b.N), "s/all-journeys")
	b.ReportMetric(bare.Seconds()/float64(b.N), "s/bare-calls")
	b.ReportMetric(played.Seconds()/bare.Seconds(), "ratio")
}

// bareCalls is how long so many calls take that do nothing.
func bareCalls(b *testing.B, n int) time.Duration {
	b.Helper()
	client := sandbox(b).Client(time.Minute, false)
	defer client.CloseIdleConnections()
	began := time.Now()
	for range n {
		r, err := http.NewRequestWithContext(b.Context(), http.MethodGet, base+"/_sandbox/ready", http.NoBody)
		require.NoError(b, err)
		answer, err := client.Do(r)
		require.NoError(b, err)
		require.NoError(b, answer.Body.Close())
		require.Equal(b, http.StatusOK, answer.StatusCode)
	}
	return time.Since(began)
}
