package mockserver_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver"
	"paysandbox/mockserver/durable"
	"paysandbox/mockserver/integration"
)

// wallless is a sandbox whose wall clock tells one time: it is told how long a caller
// waited who hung up.
func wallless(seed uint64) mockserver.Options {
	o := rehearsalOptions(seed)
	o.Wall = func() time.Time { return integration.DefaultStart }
	return o
}

// kept opens a sandbox on a folder.
func kept(t *testing.T, dir string, seed uint64) *mockserver.Server {
	t.Helper()
	log, err := durable.OpenFolder(t.Context(), dir, durable.SyncInterval, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	o := wallless(seed)
	o.Inputs = log
	s, err := mockserver.New(o)
	require.NoError(t, err)
	return s
}

// TestKeptSessionsComeBack: after a restart there is the same tape, byte for byte, and
// the session goes on as in a sandbox that was never stopped.
func TestKeptSessionsComeBack(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	list := moves()
	memory, err := mockserver.New(wallless(5))
	require.NoError(t, err)
	defer memory.Registry().Close()
	unbroken := newDriver(memory)
	s := kept(t, dir, 5)
	d := newDriver(s)
	for n := range 300 {
		if n%100 == 60 {
			_, _ = tapeOf(t, memory) // who reads lets what is under way land
			before, _ := tapeOf(t, s)
			require.NoError(t, s.Close(t.Context()))
			s = kept(t, dir, 5)
			d.h = s.Handler()
			after, _ := tapeOf(t, s)
			if before != after {
				require.Empty(t, firstDifference(before, after))
			}
		}
		list[n%len(list)](d, n)
		list[n%len(list)](unbroken, n)
	}
	want, _ := tapeOf(t, memory)
	got, _ := tapeOf(t, s)
	if want != got {
		require.Empty(t, firstDifference(want, got))
	}
	require.NoError(t, s.Close(t.Context()))
}
