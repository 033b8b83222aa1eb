package mockserver_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paysandbox/harness/sampling"
	"paysandbox/mockserver"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
)

// tapeOf writes the default integration's tape as JSON lines, without the one that
// ends a file: it has the digest of the lines before it, which are compared where
// they may differ by the time that a receiver took.
func tapeOf(tb require.TestingT, s *mockserver.Server) (string, []tape.Entry) {
	ctx, cancel := contextDone()
	defer cancel()
	r := s.Registry().Default().Read(ctx, tape.Filter{})
	var b bytes.Buffer
	require.NoError(tb, tape.Write(&b, r.Meta, slices.Values(r.Entries)))
	text := b.String()
	return text[:strings.LastIndex(text, `{"end":`)], r.Entries
}

// requireReplay feeds a server's tape to a fresh one and compares the tapes.
func requireReplay(tb require.TestingT, recorded *mockserver.Server, seed uint64) {
	want, entries := tapeOf(tb, recorded)
	fresh, err := mockserver.New(rehearsalOptions(seed))
	require.NoError(tb, err)
	ctx, cancel := contextDone()
	defer cancel()
	require.NoError(tb, fresh.Replay(ctx, fresh.Registry().Default(), entries))
	got, _ := tapeOf(tb, fresh)
	if want != got {
		require.Equal(tb, firstDifference(want, got), "", "the replayed tape differs")
	}
	fresh.Registry().Close()
}

// firstDifference shows where two tapes part.
func firstDifference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] == y[i] {
			continue
		}
		at := 0
		for at < min(len(x[i]), len(y[i])) && x[i][at] == y[i][at] {
			at++
		}
		from := max(0, at-200)
		return fmt.Sprintf("line %d at %d\nrecorded %s\nreplayed %s", i+1, at, x[i][from:min(len(x[i]), at+200)], y[i][from:min(len(y[i]), at+200)])
	}
	return fmt.Sprintf("%d lines against %d", len(x), len(y))
}

// TestReplayGivesTheSameBytes feeds the inputs of random sessions to a fresh
// world: the whole tape comes out again, byte for byte.
func TestReplayGivesTheSameBytes(t *testing.T) {
	t.Parallel()
	list := moves()
	sampling.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		s, err := mockserver.New(rehearsalOptions(seed))
		require.NoError(t, err)
		defer s.Registry().Close()
		d := newDriver(s)
		list[0](d, 0)
		for _, n := range rapid.SliceOfN(rapid.IntRange(0, 1<<20), 1, 120).Draw(t, "session") {
			list[n%len(list)](d, n/len(list))
		}
		requireReplay(t, s, seed)
	})
}

// TestReplayAfterParallelCallers records callers that get in each other's way;
// the tape has brought them into an order, and replaying it needs no luck.
func TestReplayAfterParallelCallers(t *testing.T) {
	t.Parallel()
	s, err := mockserver.New(rehearsalOptions(11))
	require.NoError(t, err)
	list := moves()
	d := newDriver(s)
	list[0](d, 0)
	var wg sync.WaitGroup
	for worker := range 8 {
		wg.Go(func() {
			for n := range 150 {
				list[(n*7+worker*13)%len(list)](d, n*31+worker)
			}
		})
	}
	wg.Wait()
	requireReplay(t, s, 11)
	s.Registry().Close()
}

// TestSameCallsGiveTheSameTape runs one session twice.
func TestSameCallsGiveTheSameTape(t *testing.T) {
	t.Parallel()
	var tapes [2]string
	for i := range tapes {
		o := rehearsalOptions(5)
		o.Wall = func() time.Time { return integration.DefaultStart } // it tells how long a caller waited who hung up
		s, err := mockserver.New(o)
		require.NoError(t, err)
		d := newDriver(s)
		for n := range 600 {
			moves()[n%len(moves())](d, n)
		}
		tapes[i], _ = tapeOf(t, s)
		s.Registry().Close()
	}
	require.Equal(t, "", firstDifferenceOrNone(tapes[0], tapes[1]))
	require.Contains(t, tapes[0], `"kind":"attempt"`)
	require.NotContains(t, tapes[0], "tookNanos", "wall time means nothing under a manual clock")
}

func firstDifferenceOrNone(a, b string) string {
	if a == b {
		return ""
	}
	return firstDifference(a, b)
}

// TestReplayOfARealClock records under a real clock.
func TestReplayOfARealClock(t *testing.T) {
	t.Parallel()
	o := rehearsalOptions(3)
	o.Integration.Clock = integration.Real
	s, err := mockserver.New(o)
	require.NoError(t, err)
	t.Cleanup(s.Registry().Close)
	d := newDriver(s)
	for n := range 300 {
		moves()[n%len(moves())](d, n)
	}
	text, _ := tapeOf(t, s)
	require.Contains(t, text, `"tookNanos":12345`)
	requireReplayStandingStill(t, o, s)
}

// requireReplayStandingStill plays a tape, whatever its clock, into an integration
// whose clock stands still at the moment when the tape began.
func requireReplayStandingStill(t *testing.T, o mockserver.Options, recorded *mockserver.Server) {
	t.Helper()
	ctx, cancel := contextDone()
	defer cancel()
	began := recorded.Registry().Default().Read(ctx, tape.Filter{Limit: 1}).Meta.Start
	want, entries := tapeOf(t, recorded)
	o.Integration.Clock, o.Integration.Start = integration.Manual, time.Unix(0, began)
	fresh, err := mockserver.New(o)
	require.NoError(t, err)
	t.Cleanup(fresh.Registry().Close)
	require.NoError(t, fresh.Replay(ctx, fresh.Registry().Default(), entries))
	got, _ := tapeOf(t, fresh)
	_, want, _ = strings.Cut(want, "\n") // the first line tells the mode of the clock
	_, got, _ = strings.Cut(got, "\n")
	require.Empty(t, firstDifferenceOrNone(want, got))
}
