package console_test

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver"
	"paysandbox/mockserver/console/readiness"
	"paysandbox/mockserver/tape"
)

// TestAttackVerdictsOfMany: pages ask for the verdicts of a great many labels at once. So
// many wait to be judged and no more, and none of those is judged once the sandbox ends:
// it is not kept from ending by what nobody will read.
func TestAttackVerdictsOfMany(t *testing.T) {
	t.Parallel()
	const most = 16 // that wait, the one that is judged among them
	var calls atomic.Int32
	begun, release := make(chan struct{}, 100), make(chan struct{})
	h := houseWith(t, mockserver.Options{Judge: func(context.Context, tape.Meta, []tape.Entry, string) (readiness.Verdict, error) {
		calls.Add(1)
		begun <- struct{}{}
		<-release
		return readiness.Verdict{}, nil
	}})
	h.shop()
	ask := func(from, to int) {
		var all sync.WaitGroup
		for n := from; n < to; n++ {
			req := h.request(http.MethodGet, "/console/default/readiness?label=job-"+strconv.Itoa(n), "")
			all.Go(func() {
				res, err := h.client.Do(req)
				if err != nil || res.StatusCode != http.StatusOK || res.Body.Close() != nil {
					t.Errorf("%v %v", res, err)
				}
			})
		}
		all.Wait()
	}
	ask(0, most+5)
	<-begun
	for n := 1; n < most; n++ {
		release <- struct{}{}
		<-begun
	}
	require.EqualValues(t, most, calls.Load(), "the last of those that found a place is judged")
	ask(100, 103) // one is judged, three wait
	over, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	require.ErrorIs(t, h.server.Close(over), context.DeadlineExceeded, "who ends waits no longer than was said")
	close(release)
	require.NoError(t, h.server.Close(t.Context()))
	require.EqualValues(t, most, calls.Load(), "what waited is not judged any more")
}

// TestTheWholeTapeIsJudged, with the label that was asked for: what a label's verdict is
// about is the judge's to say, as it is for `observe --label`. A tape that is larger than
// what is copied at once comes whole.
func TestTheWholeTapeIsJudged(t *testing.T) {
	t.Parallel()
	var numbers []uint64
	var asked string
	h := houseWith(t, mockserver.Options{Judge: func(_ context.Context, _ tape.Meta, entries []tape.Entry, label string) (readiness.Verdict, error) {
		asked = label
		for n := range entries {
			numbers = append(numbers, entries[n].Seq)
		}
		return readiness.Verdict{}, nil
	}})
	h.fill(3_000)
	p := h.get("readiness?label=job-7")
	for p.shows("judging") {
		p = h.get("readiness?label=job-7")
	}
	require.Equal(t, "job-7", asked)
	require.Len(t, numbers, 3_000)
	for n, seq := range numbers {
		require.EqualValues(t, n+1, seq)
	}
}
