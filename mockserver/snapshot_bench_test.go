package mockserver_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
)

// BenchmarkSnapshot saves, restores and forks an integration of 10,000 entities and its
// tape, and forks an empty ready world.
func BenchmarkSnapshot(b *testing.B) {
	s := server(b, tape.Limits{})
	i := s.Registry().Default()
	fill(b, i, 1_000, 4_500) // each payment brings its payer
	snapshot := i.Snapshot()
	require.GreaterOrEqual(b, snapshot.Entities, 10_000)
	b.Logf("%d entities, %d entries: %d bytes", snapshot.Entities, snapshot.Entries, len(snapshot.Bytes()))
	ready, err := s.Ready("verified-company", integration.Options{ID: integration.StandIn}, "")
	require.NoError(b, err)
	fork := func(b *testing.B, of *integration.Snapshot) {
		b.Helper()
		for n := 0; b.Loop(); n++ {
			f, err := s.Registry().Fork(of, integration.Options{Name: "fork" + strconv.Itoa(n)})
			require.NoError(b, err)
			b.StopTimer()
			_, err = s.Registry().Delete(f.ID)
			require.NoError(b, err)
			b.StartTimer()
		}
	}
	b.Run("save", func(b *testing.B) {
		for b.Loop() {
			i.Snapshot()
		}
	})
	b.Run("restore", func(b *testing.B) {
		for b.Loop() {
			require.NoError(b, i.Restore(snapshot))
		}
	})
	b.Run("fork", func(b *testing.B) { fork(b, snapshot) })
	b.Run("fork-ready", func(b *testing.B) { fork(b, ready) })
}
