package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/harness/sampling"
	"paysandbox/mockserver/durable/natslog"
)

// racedCall is a call of the race, with what came of it.
type racedCall struct {
	payment, what string // what is status, or one of admits
	status        int    // 0 or 503: nobody knows
	said          string
	seq           uint64
	from, to      time.Duration
}

// unheard is the status of a call that nobody has taken.
const unheard = -1

func (a *racedCall) unknown() bool {
	return a.status == 0 || a.status >= http.StatusInternalServerError
}

// race is one run: clients, sandboxes that share a log, and what was asked.
type race struct {
	urls  []string
	token string
	began time.Time
	mu    sync.Mutex
	list  []racedCall
}

// patience is how long a caller waits for a sandbox, and inVain for one that is asleep.
const (
	patience = 45 * time.Second
	inVain   = 4 * time.Second
)

// call sends a request to a sandbox.
func (r *race) call(wait time.Duration, box int, method, path, body string, header ...string) (status int, answer map[string]any, seq uint64) {
	req, err := http.NewRequest(method, r.urls[box]+path, strings.NewReader(body))
	if err != nil {
		return 0, nil, 0
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+r.token)
	for n := 0; n < len(header); n += 2 {
		req.Header.Set(header[n], header[n+1])
	}
	client := http.Client{Timeout: wait}
	res, err := client.Do(req)
	if errors.Is(err, syscall.ECONNREFUSED) {
		return unheard, nil, 0
	}
	if err != nil {
		return 0, nil, 0
	}
	defer res.Body.Close()
	out, err := io.ReadAll(res.Body)
	if err != nil {
		return 0, nil, 0
	}
	_ = json.Unmarshal(out, &answer)
	seq, _ = strconv.ParseUint(res.Header.Get("Sandbox-Exchange"), 10, 64)
	return res.StatusCode, answer, seq
}

// note makes a call and keeps what came of it.
func (r *race) note(wait time.Duration, box int, payment, what string) {
	a := racedCall{payment: payment, what: what, from: time.Since(r.began)}
	method, path, body := http.MethodPost, "/_sandbox/integrations/default/payments/"+payment+"/"+what, "{}"
	switch what {
	case "status":
		method, path, body = http.MethodGet, "/Payment/"+payment+"/Status", ""
	case "cancel":
		method, path, body = http.MethodPut, "/Payment/"+payment+"/Cancel", ""
	case "refund":
		path, body = "/Payment/Refund/"+payment, `{"amount":2000}`
	}
	var answer map[string]any
	a.status, answer, a.seq = r.call(wait, box, method, path, body)
	a.said, _ = answer["status"].(string)
	a.to = time.Since(r.began)
	if a.status == unheard || a.what == "status" && a.unknown() { // nothing follows from it
		return
	}
	r.mu.Lock()
	r.list = append(r.list, a)
	r.mu.Unlock()
}

// begin gets a token from one sandbox, and makes a company with another.
func (r *race) begin(t *testing.T, id, secret string) (company string) {
	t.Helper()
	_, answer, _ := r.call(patience, 0, http.MethodPost, "/Authentication/Token", `{"clientId":"`+id+`","clientSecret":"`+secret+`"}`)
	r.token = fmt.Sprint(answer["accessToken"])
	payload, err := fixtures.Payload("company-create")
	require.NoError(t, err)
	_, answer, _ = r.call(patience, 1, http.MethodPost, "/Company/Create", string(payload))
	require.NotEmpty(t, answer["companyId"])
	return fmt.Sprint(answer["companyId"])
}

// create makes a payment, which a client of each sandbox asks for at once under one
// idempotency key; "" when none has answered. All answers name the same one.
func (r *race) create(t *testing.T, company string, round int, boxes ...int) string {
	t.Helper()
	body := fmt.Sprintf(`{"amount":5000,"contactNumber":"+12025550177","companyId":%q}`, company)
	made := make([]string, len(boxes))
	var clients sync.WaitGroup
	for n, box := range boxes {
		clients.Go(func() {
			status, answer, _ := r.call(patience, box, http.MethodPost, "/Payment/Create", body, "Idempotency-Key", fmt.Sprint("round-", round))
			if status == http.StatusOK {
				made[n] = fmt.Sprint(answer["paymentRequestId"])
			}
		})
	}
	clients.Wait()
	made = slices.Compact(slices.Sorted(slices.Values(made)))
	made = slices.DeleteFunc(made, func(id string) bool { return id == "" })
	require.LessOrEqual(t, len(made), 1, "one idempotency key has made several payments")
	return strings.Join(made, "")
}

// payment is what a payment request is to the model: it knows nothing of sandboxes.
type payment struct {
	status   string // "" until it was cancelled or approved
	refunded int
}

// after is what an operation makes of it, if it is admitted.
func (p payment) after(what string) (payment, bool) {
	move := map[string][2]string{"cancel": {"", "Canceled"}, "approve": {"", "Processing"}, "pay": {"Processing", "Paid"}}[what]
	switch {
	case what == "refund" && p.status == "Paid" && p.refunded < 2: // of 5,000, 2,000 each
		return payment{p.status, p.refunded + 1}, true
	case what != "refund" && move[0] == p.status:
		return payment{move[1], p.refunded}, true
	default:
		return p, false
	}
}

// says is whether an answer may tell the payment's status.
func (p payment) says(status string) bool {
	if p.status == "" {
		return status != "" && !slices.Contains([]string{"Canceled", "Processing", "Paid"}, status)
	}
	return status == p.status
}

// payments is the model of many of them.
var payments = porcupine.Model{
	Partition: func(all []porcupine.Operation) [][]porcupine.Operation {
		parts := map[string][]porcupine.Operation{}
		var order []string
		for _, o := range all {
			id := o.Input.(racedCall).payment //nolint:forcetypeassert // It is what was put in.
			if parts[id] == nil {
				order = append(order, id)
			}
			parts[id] = append(parts[id], o)
		}
		list := make([][]porcupine.Operation, 0, len(order))
		for _, id := range order {
			list = append(list, parts[id])
		}
		return list
	},
	Init: func() any { return payment{} },
	Step: func(state, input, _ any) (bool, any) {
		a, p := input.(racedCall), state.(payment) //nolint:forcetypeassert // It is what was put in.
		if a.what == "status" {
			return p.says(a.said), p
		}
		next, admitted := p.after(a.what)
		return a.unknown() || admitted == (a.status == http.StatusOK), next
	},
}

// client is the nth of 16 in a round: in turn all cancel, or approve, pay and refund, or
// do either.
func (r *race) client(n, round int, payment string, boxes ...int) {
	lists := [][]string{{"cancel", "status"}, {"approve", "pay", "refund", "status"}, {"status", "approve", "cancel"}, {"approve", "pay", "refund", "refund"}}
	from, to := []int{0, 1, 0}[round%3], []int{1, 2, 4}[round%3]
	for k, what := range lists[from+n/3%(to-from)] {
		r.note(patience, boxes[(n+k)%len(boxes)], payment, what)
	}
}

// operations are the history as porcupine reads it: what nobody knows may happen later,
// or not at all. Of like calls of which nobody knows, those that were made first can
// stand for all: as many as can change a payment, which is two refunds. So the search
// stays short, however many callers have lost their answers.
func (r *race) operations() []porcupine.Operation {
	list := make([]porcupine.Operation, 0, len(r.list))
	lost := map[[2]string]int{}
	for n, a := range slices.SortedFunc(slices.Values(r.list), func(a, b racedCall) int { return cmp.Compare(a.from, b.from) }) {
		end := int64(a.to)
		if a.unknown() {
			end = math.MaxInt64
			if lost[[2]string{a.payment, a.what}]++; lost[[2]string{a.payment, a.what}] > 2 {
				continue
			}
		}
		list = append(list, porcupine.Operation{ClientId: n, Input: a, Call: int64(a.from), Return: end})
	}
	return list
}

// linearizable is why no order of the calls explains the answers; empty when one does.
func (r *race) linearizable() string {
	for _, part := range payments.Partition(r.operations()) {
		if verdict := porcupine.CheckOperationsTimeout(payments, part, time.Minute); verdict != porcupine.Ok {
			return fmt.Sprintf("%s: %.3000s", verdict, fmt.Sprintf("%+v", part))
		}
	}
	return ""
}

// witnessed says where what was answered is not what the log gives, by the tape of a
// sandbox that has read it all: each answer stands there, in an order that those could
// have seen who asked, and no race has two winners. Empty when all is as it should be.
func (r *race) witnessed(tape []string) string {
	for _, a := range r.list {
		if a.unknown() || a.seq == 0 { // the control API's calls have no number
			continue
		}
		if a.seq > uint64(len(tape)) || !strings.Contains(tape[a.seq-1], a.payment) || !strings.Contains(tape[a.seq-1], fmt.Sprintf(`"status":%d`, a.status)) {
			return fmt.Sprintf("what was answered is not what the log gives: %+v", a)
		}
		for _, b := range r.list {
			if b.seq >= a.seq && b.to < a.from {
				return fmt.Sprintf("what was answered before another was asked stands behind it: %+v, %+v", b, a)
			}
		}
	}
	return r.winners()
}

// winners says which race has more of them than it may.
func (r *race) winners() string {
	winners := map[[2]string]int{}
	for _, a := range r.list {
		if a.status == http.StatusOK && a.what != "status" {
			winners[[2]string{a.payment, a.what}]++
		}
	}
	for race, n := range winners {
		most := 1
		if race[1] == "refund" {
			most = 2
		}
		if n > most || race[1] == "cancel" && winners[[2]string{race[0], "approve"}] > 0 {
			return fmt.Sprintf("%s of %s has %d winners", race[1], race[0], n)
		}
	}
	return ""
}

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
