package mockserver_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/sampling"
	"paysandbox/mockserver"
	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/durable"
	"paysandbox/mockserver/durable/natslog"
	"paysandbox/mockserver/tape"
)

// logServers starts three servers of NATS that keep one log.
func logServers(t *testing.T) *natslog.Servers {
	t.Helper()
	servers, err := natslog.StartServers(t.Context(), t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, servers.Close()) })
	return servers
}

// deaf is a carrier that answers only once it hears.
type deaf struct {
	mu    sync.Mutex
	hears bool
	sent  []string
}

func (d *deaf) Deliver(_ string, v delivery.View, done func(tape.Attempt, string)) {
	d.mu.Lock()
	d.sent = append(d.sent, v.EventID.String())
	d.mu.Unlock()
	if d.hears {
		done(tape.Attempt{Delivery: v.ID.String(), Endpoint: v.Endpoint.String(), Event: v.EventID.String(), Number: v.Attempt, Status: http.StatusOK}, "")
	}
}

// events are the ids of the events that were to be sent so far.
func (d *deaf) events() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.sent)
}

func subset(some, of []string) bool {
	return !slices.ContainsFunc(some, func(id string) bool { return !slices.Contains(of, id) })
}

func (*deaf) Fetch(string, func(tape.Fetch)) {}
func (*deaf) Forget(string)                  {}

// dials reaches the log.
func dials(t *testing.T, servers *natslog.Servers) *natslog.Stream {
	t.Helper()
	log, err := natslog.Dial(t.Context(), natslog.Cluster{URLs: servers.URLs(), Replicas: 3, Patience: time.Minute}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	return log
}

// shares opens a sandbox on the log.
func shares(t *testing.T, servers *natslog.Servers, c *deaf) *mockserver.Server {
	t.Helper()
	log := dials(t, servers)
	return sharesBy(t, log, log, c)
}

// sharesBy is shares, where the log is read by another's word.
func sharesBy(t *testing.T, by durable.Log, log *natslog.Stream, c *deaf) *mockserver.Server {
	t.Helper()
	o := rehearsalOptions(3)
	o.Inputs, o.Shared, o.Patience, o.Carrier = by, true, time.Minute, c
	o.Images, o.ImageEvery = durable.SharedImages(log.Snapshots()), 10
	s, err := mockserver.New(o)
	require.NoError(t, err)
	return s
}

// TestThreeSandboxesShareALog: what one is told all know; a log server that ends takes
// nothing with it; what a sandbox owes that falls silent another one does.
func TestThreeSandboxesShareALog(t *testing.T) {
	t.Parallel()
	servers := logServers(t)
	var boxes []*mockserver.Server
	var carriers []*deaf
	for n := range 3 {
		c := &deaf{hears: n > 0}
		boxes, carriers = append(boxes, shares(t, servers, c)), append(carriers, c)
	}
	drivers := []*driver{newDriver(boxes[0]), newDriver(boxes[1]), newDriver(boxes[2])}
	list := moves()
	list[0](drivers[0], 0)
	require.NotEmpty(t, drivers[0].token)
	drivers[1].token, drivers[2].token = drivers[0].token, drivers[0].token
	var callers sync.WaitGroup
	for n, d := range drivers {
		callers.Go(func() {
			for k := range 60 {
				list[2+(k*7+n*13)%20](d, k*31+n)
				if n == 1 && k == 20 { // the log goes on with two
					servers[2].Shutdown()
				}
			}
		})
	}
	callers.Wait()
	// The first one has heard no answer of its receivers, and ends.
	owed := len(carriers[0].events())
	list[2](drivers[0], 30)
	for _, id := range drivers[0].ids {
		drivers[0].call(http.MethodPost, "/_sandbox/integrations/default/companies/"+id+"/kyb", `{"outcome":"verified"}`)
	}
	require.Eventually(t, func() bool { return len(carriers[0].events()) > owed }, 2*time.Minute, 100*time.Millisecond, "the first has sent nothing")
	ended, cancel := contextDone()
	defer cancel()
	_ = boxes[0].Close(ended)
	require.Eventually(t, func() bool {
		return subset(carriers[0].events()[owed:], append(carriers[1].events(), carriers[2].events()...))
	}, 2*time.Minute, 100*time.Millisecond, "nobody has taken over what the first one owes")
	// Both that are left have come to the same.
	same := func() bool {
		for _, b := range boxes[1:] {
			w := httptest.NewRecorder()
			b.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1/_sandbox/integrations/default/clock", http.NoBody))
			if w.Code != http.StatusOK {
				return false
			}
		}
		return boxes[1].Registry().Default().Hash() == boxes[2].Registry().Default().Hash()
	}
	require.Eventually(t, same, 2*time.Minute, 100*time.Millisecond, "two sandboxes have come to different states")
	for _, b := range boxes[1:] {
		require.NoError(t, b.Close(t.Context()))
	}
}

// TestAllLogServersAreGoneAndComeBack: calls are answered 503 meanwhile and nothing of them
// is done; then the sandbox goes on by itself, and the log holds all that was answered.
func TestAllLogServersAreGoneAndComeBack(t *testing.T) {
	t.Parallel()
	sampling.OnlyAll(t, "three servers choose a leader twice")
	servers := logServers(t)
	s := shares(t, servers, &deaf{hears: true})
	x := &noted{Handler: s.Handler()}
	d := newDriver(s)
	d.h = x
	said := func(path string) string {
		require.Contains(t, x.answers[len(x.answers)-1], path)
		return x.answers[len(x.answers)-1]
	}
	moves()[0](d, 0)
	moves()[2](d, 0)
	require.Contains(t, said("/Company/Create"), " 200")
	before, made := s.Registry().Default().Hash(), s.Registry().Default().Seq()

	again, err := servers.Stop()
	require.NoError(t, err)
	moves()[2](d, 1)
	require.Contains(t, said("/Company/Create"), " 503")
	require.Contains(t, said("/Company/Create"), "Retry-After")
	d.call(http.MethodGet, "/_sandbox/ready", "")
	require.Contains(t, said("/_sandbox/ready"), " 503")
	require.Equal(t, before, s.Registry().Default().Hash())

	require.NoError(t, again(t.Context()))
	n := 1
	require.Eventually(t, func() bool {
		n++
		moves()[2](d, n)
		return strings.Contains(said("/Company/Create"), " 200")
	}, time.Minute, 100*time.Millisecond)
	d.call(http.MethodGet, "/_sandbox/ready", "")
	require.Contains(t, said("/_sandbox/ready"), " 200")
	require.Greater(t, s.Registry().Default().Seq(), made)
	next := shares(t, servers, &deaf{})
	require.Eventually(t, func() bool { return next.Registry().Default().Hash() == s.Registry().Default().Hash() }, time.Minute, 100*time.Millisecond)
	require.NoError(t, errors.Join(next.Close(t.Context()), s.Close(t.Context())))
}

// TestSnapshotsAreShared: what one sandbox has saved another one restores, and a third one
// forks; all know the fork, and answer the same of it.
func TestSnapshotsAreShared(t *testing.T) {
	t.Parallel()
	sampling.OnlyAll(t, "three servers choose a leader")
	servers := logServers(t)
	var drivers []*driver
	var said []*noted
	for range 3 {
		s := shares(t, servers, &deaf{hears: true})
		t.Cleanup(func() { _ = s.Close(context.WithoutCancel(t.Context())) })
		d := newDriver(s)
		x := &noted{Handler: d.h}
		d.h = x
		drivers, said = append(drivers, d), append(said, x)
	}
	ask := func(box int, method, path, body string) string {
		drivers[box].call(method, "/_sandbox/integrations"+path, body)
		answer := said[box].answers[len(said[box].answers)-1]
		require.Contains(t, strings.SplitN(answer, "\n", 2)[0], " 20", answer)
		return answer
	}
	moves()[0](drivers[0], 0)
	moves()[2](drivers[0], 0)
	ask(0, http.MethodPost, "/default/snapshots", `{"name":"one"}`)
	moves()[2](drivers[0], 1)
	later := ask(1, http.MethodGet, "/default/clock", "") + ask(1, http.MethodGet, "/default/snapshots", "")
	require.Contains(t, later, `"one"`)
	ask(1, http.MethodPost, "/default/snapshots/one/restore", "")
	fork := ask(2, http.MethodPost, "", `{"name":"fork","from":"default/one"}`)
	id := regexp.MustCompile(`"id":"([^"]+)"`).FindStringSubmatch(fork)
	require.NotNil(t, id, fork)
	tapes := map[string]bool{}
	for box := range drivers {
		require.Contains(t, ask(box, http.MethodGet, "/"+id[1], ""), `"fork"`)
		tapes[ask(box, http.MethodGet, "/"+id[1]+"/tape", "")] = true
	}
	require.Len(t, tapes, 1)
}
