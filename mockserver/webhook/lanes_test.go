package webhook_test

import (
	"context"
	"encoding/binary"
	"io"
	"net/http"
	"strconv"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/webhook"
)

// TestLaneWidths watches how many work: eight for a lane at most, the shared
// ones besides, and one for each lane whatever the others do.
func TestLaneWidths(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		lanes := webhook.NewLanes(t.Context())
		var running atomic.Int32
		gate := make(chan struct{})
		stuck := func(context.Context) bool {
			running.Add(1)
			<-gate
			running.Add(-1)
			return true
		}
		const crowd = 1000
		for i := range crowd {
			for range 20 {
				require.True(t, lanes.Put(strconv.Itoa(i), stuck))
			}
			if i == 0 {
				synctest.Wait()
				require.EqualValues(t, webhook.LaneWidth, running.Load(), "one lane alone")
			}
		}
		synctest.Wait()
		require.EqualValues(t, crowd+webhook.SharedWorkers, running.Load())
		require.Equal(t, webhook.Load{Pending: 20 * crowd, Lanes: crowd}, lanes.Load())
		done := false
		lanes.Put("another", func(context.Context) bool { done = true; return true })
		synctest.Wait()
		require.True(t, done, "the crowd does not hold it up")
		close(gate)
		synctest.Wait()
		require.Equal(t, webhook.Load{}, lanes.Load(), "idle lanes vanish")
		require.Equal(t, webhook.SharedWorkers, lanes.Spare(), "and give back what they had")
	})
}

// TestSilentLane: a lane that hears nothing goes on with one worker, until it
// hears something.
func TestSilentLane(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		lanes := webhook.NewLanes(t.Context())
		var running atomic.Int32
		answers := make(chan bool)
		for range 100 {
			lanes.Put("dead", func(context.Context) bool {
				running.Add(1)
				defer running.Add(-1)
				return <-answers
			})
		}
		synctest.Wait()
		require.EqualValues(t, webhook.LaneWidth, running.Load())
		for range webhook.LaneWidth {
			answers <- false
			synctest.Wait()
		}
		require.EqualValues(t, 1, running.Load())
		require.Equal(t, webhook.SharedWorkers, lanes.Spare())
		for range webhook.LaneWidth {
			answers <- true
			synctest.Wait()
		}
		require.EqualValues(t, webhook.LaneWidth, running.Load(), "it is heard again")
		for lanes.Load().Pending > 0 {
			answers <- true
			synctest.Wait()
		}
	})
}

// TestDeadReceiversDelayNobody keeps a hundred receivers hanging while another
// one is served.
func TestDeadReceiversDelayNobody(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	dead := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-release
	})
	url, _ := receiver(t)
	s := newSender(t, webhook.Options{Timeout: time.Minute})
	ended := make(chan tape.Attempt, 2000)
	for i := range 2000 {
		d := view(dead)
		d.Attempt = i
		d.Endpoint[0] = byte(i % 100)
		s.Deliver("scope", d, func(a tape.Attempt, _ string) { ended <- a })
	}
	for i := range 50 {
		d := view(url)
		d.Endpoint[1], d.Attempt = 0xFF, i
		a, _ := deliver(s, d)
		require.Equal(t, 200, a.Status)
	}
	require.Empty(t, ended)
	require.Equal(t, 2000, s.Load().Pending)
	close(release)
	for range 2000 {
		require.Equal(t, 200, (<-ended).Status)
	}
}

// TestCrowd: a thousand endpoints, ten thousand attempts at once, each ended
// exactly once.
func TestCrowd(t *testing.T) {
	t.Parallel()
	var got atomic.Int64
	url := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		got.Add(1)
	})
	s := newSender(t, webhook.Options{Timeout: time.Minute})
	const endpoints, each = 1000, 10
	ended := make(chan tape.Attempt, endpoints*each+1)
	for i := range endpoints * each {
		d := view(url)
		binary.BigEndian.PutUint16(d.Endpoint[:], uint16(i%endpoints))
		d.Attempt = i
		s.Deliver("scope", d, func(a tape.Attempt, _ string) { ended <- a })
	}
	seen := map[int]bool{}
	for range endpoints * each {
		a := <-ended
		require.Equal(t, 200, a.Status, a.Error)
		require.False(t, seen[a.Number])
		seen[a.Number] = true
	}
	require.EqualValues(t, endpoints*each, got.Load())
}

// TestCloseLetsAllLeave: what is due leaves, and what follows from it too.
func TestCloseLetsAllLeave(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	url := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-release
	})
	s := webhook.New(webhook.Options{AllowLoopback: true})
	ended := make(chan tape.Attempt, 40)
	for range 20 {
		s.Deliver("scope", view(url), func(a tape.Attempt, _ string) {
			ended <- a
			s.Deliver("scope", view(url), func(a tape.Attempt, _ string) { ended <- a })
		})
	}
	closed := make(chan error, 1)
	go func() { closed <- s.Close(t.Context()) }()
	close(release)
	for range 40 {
		require.Equal(t, 200, (<-ended).Status)
	}
	require.NoError(t, <-closed)

	a, _ := deliver(s, view(url))
	require.Equal(t, "cancelled: the sandbox is shutting down", a.Error, "after Close nothing leaves")
	require.Equal(t, a.Error, fetch(s, url).Error)
	require.NoError(t, s.Close(t.Context()), "closing twice does no harm")
}

// TestCloseCutShort: when the time is up the rest is cancelled, and told.
func TestCloseCutShort(t *testing.T) {
	t.Parallel()
	arrived := make(chan struct{}, 100)
	url := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		arrived <- struct{}{}
		<-r.Context().Done()
	})
	s := webhook.New(webhook.Options{AllowLoopback: true})
	ended := make(chan tape.Attempt, 101)
	for range 100 {
		s.Deliver("scope", view(url), func(a tape.Attempt, _ string) { ended <- a })
	}
	<-arrived
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, s.Close(ctx), context.Canceled)
	require.Len(t, ended, 100, "done is called for all before Close ends")
	for range 100 {
		require.Equal(t, "cancelled: the sandbox is shutting down", (<-ended).Error)
	}
	require.Equal(t, webhook.Load{}, s.Load())
}

// TestForgottenScope: what waits for a receiver that hangs does not outlive whose it was,
// and what is put for the same name afterwards is not held up by it.
func TestForgottenScope(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		lanes := webhook.NewLanes(t.Context())
		var ended atomic.Int64
		hangs := func(ctx context.Context) bool {
			select {
			case <-ctx.Done():
				ended.Add(1)
			case <-time.After(time.Hour):
			}
			return false
		}
		lanes.Put("other", hangs)
		for range 100 {
			lanes.Put("gone", hangs)
		}
		synctest.Wait()
		lanes.Forget("gone")
		served := false
		lanes.Put("gone", func(ctx context.Context) bool { served = ctx.Err() == nil; return true })
		synctest.Wait()
		require.True(t, served)
		require.EqualValues(t, 100, ended.Load())
		require.Equal(t, webhook.Load{Pending: 1, Lanes: 1}, lanes.Load(), "the other's is still under way")
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		require.Equal(t, webhook.Load{}, lanes.Load())
		require.Equal(t, webhook.SharedWorkers, lanes.Spare())
	})
}
