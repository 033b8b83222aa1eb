package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The soak: callers of several integrations in one process.
const (
	soakIntegrations = 8
	soakCallers      = 64
	soakShort        = time.Second
	soakEmptied      = 2               // of the integrations, again and again; the others when no more can be made
	soakLook         = 500             // answers, and the tape is looked through for them
	soakFlat         = 5 * time.Minute // a long one: its tapes are full before it begins
)

// TestSoak lets 64 callers call eight integrations while calls are made to fail,
// receivers are dead or slow, two integrations are reset every few seconds and tapes are
// read as they grow: every call that was answered is on its tape, and afterwards the
// process is as it was. It takes a second; `make soak FOR=30m` tells the figures of
// a long one, in which the memory is full by the second quarter and does not grow.
func TestSoak(t *testing.T) {
	t.Parallel()
	lasts, err := time.ParseDuration(os.Getenv("PAYSANDBOX_SOAK"))
	if err != nil {
		lasts = soakShort
	}
	dead, slow, good := deadAddress(t), receiver(t, time.Minute), receiver(t, 0) // they end after the sandbox
	a := attack(t, "--clock", "real", "--memory", defaultMemory, "--allow-loopback")
	a.bound, err = byteCount(defaultMemory)
	require.NoError(t, err)
	list, turn := make([]*soaked, soakIntegrations), new(atomic.Int64)
	var all sync.WaitGroup
	for n := range list {
		all.Go(func() { list[n] = newSoaked(t, a, n, turn, dead, slow, good) })
	}
	all.Wait()
	if lasts >= soakFlat {
		for _, s := range list {
			all.Go(func() { s.fill(t) })
		}
		all.Wait()
	}
	full := residentBytes(t, a.PID, "VmRSS")
	http.DefaultClient.CloseIdleConnections()
	before := a.goroutines(t)
	ctx, cancel := context.WithTimeout(t.Context(), lasts)
	defer cancel()
	for n := range soakCallers {
		all.Go(func() { list[n%len(list)].caller(ctx, t, n) })
	}
	for n, s := range list {
		all.Go(func() { s.trouble(ctx, t, n) })
	}
	var resident []int64
	all.Go(func() { resident = a.watchMemory(ctx, t, lasts/60) })
	all.Wait()
	took, told := []time.Duration{}, soaked{}
	for _, s := range list {
		s.requireTaped(t)
		told.calls, told.cut, told.refused, told.noRoom = told.calls+s.calls, told.cut+s.cut, told.refused+s.refused, told.noRoom+s.noRoom
		told.read, told.gone, told.resets = told.read+s.read, told.gone+s.gone, told.resets+s.resets
		took = append(took, s.took...)
		require.Equal(t, http.StatusOK, s.ask(t.Context(), t, http.MethodDelete, "/_sandbox/integrations/"+s.id, "", "").status)
	}
	slices.Sort(took)
	half, end := middle(resident[len(resident)/4:len(resident)/2]), middle(resident[len(resident)*3/4:])
	t.Logf("%s: %d calls, %d of them refused (%d for want of memory), %d cut; %d answers found on tapes, %d gone from them before a look, %d resets; p50 %s, p99 %s, most %s; resident %d MiB at the beginning, %d MiB in the second quarter, %d MiB in the last",
		lasts, told.calls, told.refused, told.noRoom, told.cut, told.read, told.gone, told.resets, took[len(took)/2], took[len(took)*99/100], took[len(took)-1], full>>20, half>>20, end>>20)
	require.NotZero(t, told.read, "answers were looked for")
	require.Less(t, told.noRoom, max(told.calls/2, 1), "calls that found no room: the others are what it is about")
	most := before + 4*soakIntegrations // a connection that is kept for the next event has two
	if lasts >= soakFlat {
		most = before
		require.Greater(t, told.read, told.gone, "most answers were looked for")
		require.Greater(t, full, a.bound/2, "bytes resident at the beginning: the tapes are full")
		require.Less(t, end, half*12/10, "bytes resident in the last quarter, against the second")
	}
	a.requireWithin(t)
	http.DefaultClient.CloseIdleConnections()
	require.Eventually(t, func() bool { return a.goroutines(t) <= most+8 }, time.Minute, 100*time.Millisecond, "goroutines are as many as before: %d", before)
}

// deadAddress is where nobody listens.
func deadAddress(t *testing.T) string {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close())
	return "http://" + l.Addr().String()
}

// receiver takes events, each after a while.
func receiver(t *testing.T, after time.Duration) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if after > 0 {
			<-r.Context().Done() // the sender gives up
		}
	}))
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s.URL
}

// goroutines is how many there are in the process.
func (a *attacked) goroutines(t *testing.T) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, a.BaseURL+"/metrics", http.NoBody)
	require.NoError(t, err)
	res, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(text), "\ngo_goroutines ")
	require.True(t, found)
	n, err := strconv.Atoi(strings.TrimSpace(rest[:strings.IndexByte(rest, '\n')]))
	require.NoError(t, err)
	return n
}

// watchMemory notes what is resident, in bytes.
func (a *attacked) watchMemory(ctx context.Context, t *testing.T, every time.Duration) (list []int64) {
	t.Helper()
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return list
		case <-tick.C:
			text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", a.PID))
			if err != nil {
				t.Errorf("the sandbox has gone: %v", err)
				return list
			}
			pages, _ := strconv.ParseInt(strings.Fields(string(text))[1], 10, 64)
			list = append(list, pages*int64(os.Getpagesize()))
		}
	}
}

func middle(list []int64) int64 {
	list = slices.Sorted(slices.Values(list))
	return list[len(list)/2]
}
