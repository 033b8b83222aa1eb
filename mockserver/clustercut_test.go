package mockserver_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/sampling"
	"paysandbox/mockserver"
	"paysandbox/mockserver/durable/natslog"
)

// dozer is a log whose reader can be let sleep: nothing of it comes meanwhile.
type dozer struct {
	*natslog.Stream
	mu    sync.Mutex
	awake chan struct{} // nil while it is
}

var errDozes = errors.New("it sleeps")

func (d *dozer) doze() (wake func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	awake := make(chan struct{})
	d.awake = awake
	return func() {
		d.mu.Lock()
		d.awake = nil
		d.mu.Unlock()
		close(awake)
	}
}

func (d *dozer) sleeps() chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.awake
}

func (d *dozer) Follow(ctx context.Context, after uint64, fn func(shard int, seq uint64, data []byte) error, caughtUp func()) error {
	if awake := d.sleeps(); awake != nil {
		select {
		case <-awake:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return d.Stream.Follow(ctx, after, func(shard int, seq uint64, data []byte) error {
		if d.sleeps() != nil {
			return errDozes
		}
		return fn(shard, seq, data)
	}, caughtUp)
}

// first is the number of the oldest message that the log holds.
func first(t *testing.T, log *natslog.Stream) uint64 {
	t.Helper()
	n, _, err := log.Held(t.Context())
	require.NoError(t, err)
	return n
}

// TestALogOfSeveralIsCut: snapshots are kept by one sandbox or the other and the log is cut
// behind them; one that has slept meanwhile goes on from a snapshot, with what another has
// deleted gone, and a new one begins with it. All come to the same, and what the sleeper
// owed is done.
func TestALogOfSeveralIsCut(t *testing.T) {
	t.Parallel()
	sampling.OnlyAll(t, "a sandbox that says nothing is silent after five seconds")
	servers := logServers(t)
	late := &dozer{Stream: dials(t, servers)}
	owes, hears := &deaf{}, &deaf{hears: true}
	boxes := []*mockserver.Server{shares(t, servers, hears), sharesBy(t, late, late.Stream, owes)}
	list, drivers := moves(), []*driver{newDriver(boxes[0]), newDriver(boxes[1])}
	said := &noted{Handler: drivers[0].h}
	drivers[0].h = said
	ask := func(method, path, body string) {
		drivers[0].call(method, "/_sandbox/integrations"+path, body)
		require.Contains(t, said.answers[len(said.answers)-1], " 20")
	}
	ask(http.MethodPost, "", `{"name":"deleted","clientId":"deleted","clientSecret":"s"}`)
	ask(http.MethodPost, "", `{"name":"kept","clientId":"kept","clientSecret":"s"}`)
	var gone, stays string
	for _, i := range boxes[0].Registry().List()[1:] {
		if gone, stays = stays, i.ID; gone == "" {
			gone = i.ID
		}
	}
	list[0](drivers[1], 0)
	require.NotEmpty(t, drivers[1].token)
	drivers[0].token = drivers[1].token
	list[2](drivers[1], 0)
	for _, id := range drivers[1].ids { // which causes events, and no receiver answers
		drivers[1].call(http.MethodPost, "/_sandbox/integrations/default/companies/"+id+"/kyb", `{"outcome":"verified"}`)
	}
	require.Eventually(t, func() bool { return len(owes.events()) > 0 }, time.Minute, 10*time.Millisecond)
	require.Eventually(t, func() bool { return boxes[1].Registry().Get(stays) != nil }, time.Minute, 10*time.Millisecond, "what another has made has not come")
	before, main := boxes[1].Registry().Get(stays), boxes[1].Registry().Default()
	wake, owed := late.doze(), owes.events()
	slept := first(t, late.Stream)
	list[2](drivers[0], 1)
	_, read, err := late.Held(t.Context())
	require.NoError(t, err)
	ask(http.MethodDelete, "/"+gone, "")
	n := 2
	require.Eventually(t, func() bool { // until what the sleeper is to read next is gone
		for range 10 {
			list[2](drivers[0], n)
			n++
		}
		return first(t, late.Stream) > max(slept, read)
	}, time.Minute, 10*time.Millisecond, "the log is not cut")
	wake()
	// The sleeper has it all, by the same pointers, and takes calls; a new one begins with the snapshot.
	same := func(one, other *mockserver.Server) func() bool {
		return func() bool {
			for _, b := range []*mockserver.Server{one, other} {
				w := httptest.NewRecorder()
				b.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1/_sandbox/integrations/default/clock", http.NoBody))
			}
			return one.Registry().Default().Hash() == other.Registry().Default().Hash()
		}
	}
	require.Eventually(t, same(boxes[0], boxes[1]), 2*time.Minute, 50*time.Millisecond, "the sleeper has not come to the same")
	require.Same(t, main, boxes[1].Registry().Default())
	require.Same(t, before, boxes[1].Registry().Get(stays))
	require.Nil(t, boxes[1].Registry().Get(gone))
	awake := &noted{Handler: drivers[1].h}
	drivers[1].h = awake
	require.Eventually(t, func() bool {
		list[2](drivers[1], 0)
		return !strings.Contains(awake.answers[len(awake.answers)-1], "/Company/Create 503")
	}, time.Minute, 50*time.Millisecond)
	next := shares(t, servers, hears)
	require.Eventually(t, same(boxes[1], next), 2*time.Minute, 50*time.Millisecond, "who begins with a snapshot has not come to the same")
	require.Regexp(t, `"snapshotPosition":[1-9]\d*,"snapshotAge":\d+`, page(t, next, "/_sandbox/ready"))
	require.Eventually(t, func() bool { return subset(owed, append(hears.events(), owes.events()[len(owed):]...)) }, 2*time.Minute, 50*time.Millisecond,
		"nobody has taken over what the sleeper owed in its former life")
	for _, b := range append(boxes, next) {
		require.NoError(t, b.Close(t.Context()))
	}
}
