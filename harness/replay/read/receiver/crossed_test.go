package receiver_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/receiver"
	"paysandbox/harness/replay/recording"
)

// TestCrossed: what came within a call came before its answer, but for the time that the answer was on its way.
func TestCrossed(t *testing.T) {
	t.Parallel()
	begin := time.Date(2026, time.March, 2, 17, 0, 0, 0, time.UTC)
	x := recording.Exchange{Begin: begin, End: begin.Add(1500 * time.Millisecond)}
	for after, want := range map[time.Duration]bool{
		-time.Millisecond: false, time.Millisecond: true, 1400 * time.Millisecond: true, 1450 * time.Millisecond: false, 1600 * time.Millisecond: false,
		time.Second: false, // a whole second may have been any moment of it
		0:           true,
	} {
		require.Equal(t, want, receiver.Crossed(&recording.Received{At: begin.Add(after)}, &x), after)
	}
	require.False(t, receiver.Crossed(&recording.Received{}, &x), "no time is told")
	require.False(t, receiver.Crossed(&recording.Received{At: begin}, &recording.Exchange{Begin: begin}), "nor when the answer came")
}

// TestOneClock: two files can be compared as long as the clock of none had to be set.
func TestOneClock(t *testing.T) {
	t.Parallel()
	w, x := recording.Received{Place: recording.Place{Source: "a"}}, recording.Exchange{Place: recording.Place{Source: "b"}}
	r := recording.Recording{Sources: []recording.Source{{Name: "a"}, {Name: "b"}}}
	require.True(t, receiver.OneClock(&r, &w, &x))
	r.Sources[1].Offsets = []recording.Offset{{By: time.Minute}}
	require.False(t, receiver.OneClock(&r, &w, &x))
	w.Place.Source = "b"
	require.True(t, receiver.OneClock(&r, &w, &x))
}
