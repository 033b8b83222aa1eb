package main

import (
	"log/slog"
	"net/http"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/sampling"
	"paysandbox/mockserver/durable/natslog"
)

// endLeader ends the server that leads, and no other: one that is slow to end sees the next
// leader elected meanwhile, and one server alone of three serves nobody.
func endLeader(servers *natslog.Servers) {
	for _, s := range servers {
		if s.JetStreamIsLeader() {
			s.Shutdown()
			return
		}
	}
}

// play lets 16 clients race for a payment; one of them kills a sandbox in the last round
// but one.
func (r *race) play(id string, round, rounds int, live []int, kill func()) {
	var clients sync.WaitGroup
	for n := range 16 {
		clients.Go(func() {
			switch {
			case n == 15 && round == rounds-2:
				kill()
			case n == 14 && round >= rounds/2: // one waits in vain, or not at all in the last round
				r.note(inVain, 2, id, "status")
				return
			}
			r.client(n, round, id, live...)
		})
	}
	clients.Wait()
}

// follow waits until a sandbox answers: it has then read what stood in the log before it
// was asked, which the one that was stopped may be slow to do.
func (r *race) follow(t *testing.T, box int) {
	t.Helper()
	status := 0
	for until := time.Now().Add(2 * time.Minute); status != http.StatusOK && time.Now().Before(until); {
		status, _, _ = r.call(patience, box, http.MethodGet, "/Company/List", "")
	}
	require.Equal(t, http.StatusOK, status, "sandbox %d does not answer", box)
}

// requireCut looks whether the log was cut, and whether its servers hold the snapshots. On
// a busy machine sandboxes can miss the moment at which a snapshot was due, so that calls
// go on until it has come.
func (r *race) requireCut(t *testing.T, servers *natslog.Servers) {
	t.Helper()
	log, err := natslog.Dial(t.Context(), natslog.Cluster{URLs: servers.URLs(), Replicas: 3, Patience: time.Minute}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	defer func() { require.NoError(t, log.Close()) }()
	first, last, err := log.Held(t.Context())
	for until := time.Now().Add(2 * time.Minute); err == nil && first <= 1 && time.Now().Before(until); {
		r.call(patience, 0, http.MethodGet, "/Company/List", "")
		first, last, err = log.Held(t.Context())
	}
	require.NoError(t, err)
	require.Greater(t, first, uint64(1), "the log was not cut, and holds %d messages", last)
	tops, err := log.Snapshots().List(t.Context())
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(tops), 2)
	require.GreaterOrEqual(t, tops[len(tops)-1]+1, first)
}

// TestCluster: while three sandboxes on three log servers serve racing clients, the log's
// leader dies, a sandbox is killed, and another one sleeps longer than its heartbeat.
// Snapshots cut the log meanwhile, also behind what the sleeper has read. What a fourth
// sandbox comes to, of a snapshot and the log behind it, is the witness.
func TestCluster(t *testing.T) {
	rounds := 6
	if sampling.All() {
		rounds = 20
	}
	servers, err := natslog.StartServers(t.Context(), t.TempDir())
	require.NoError(t, err)
	defer func() { _ = servers.Close() }()
	args := []string{
		"--cluster", servers.URLs(), "--cluster-wait", "2m", "--log-level", "error", "--tape-entries", "100000", "--clock", "manual", "--latitude", "idempotency=honoured",
		"--snapshot-every", "20",
	}
	r := &race{began: time.Now()}
	var boxes []*sandboxProcess
	for range 3 {
		boxes = append(boxes, spawn(t, args...))
		r.urls = append(r.urls, boxes[len(boxes)-1].BaseURL)
	}
	company := r.begin(t, boxes[0].ClientID, boxes[0].ClientSecret)
	raced := 0
	for round := range rounds {
		switch round {
		case rounds / 3:
			endLeader(servers)
		case rounds / 2:
			require.NoError(t, boxes[2].cmd.Process.Signal(syscall.SIGSTOP))
		case rounds - 1:
			require.NoError(t, boxes[2].cmd.Process.Signal(syscall.SIGCONT))
		}
		live := []int{0, 1, 2}
		if round >= rounds/2 {
			live = []int{0, 1}
		}
		if id := r.create(t, company, round, live...); id != "" {
			raced++
			r.play(id, round, rounds, live, boxes[1].kill)
		}
	}
	require.Greater(t, raced, rounds/2, "too little was raced to tell anything")
	require.Empty(t, r.linearizable(), "not linearizable")
	r.requireCut(t, servers)
	boxes = []*sandboxProcess{boxes[0], boxes[2], spawn(t, args...)}
	want := boxes[2].tape(t, 0)
	for n, box := range boxes[:2] {
		r.follow(t, []int{0, 2}[n])
		require.Equal(t, want, box.tape(t, 0)[:len(want)])
	}
	require.Empty(t, r.witnessed(want))
	won := map[string]bool{}
	for _, a := range r.list {
		won[a.what] = won[a.what] || a.status == http.StatusOK
	}
	require.Equal(t, map[string]bool{"cancel": true, "approve": true, "pay": true, "refund": true, "status": true}, won, "what nobody has won proves nothing")
}
