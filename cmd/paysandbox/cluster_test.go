package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
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
	payment, what string // what is cancel or status
	status        int    // 0 or 503: nobody knows
	said          string
	seq           uint64
	from, to      time.Duration
}

func (a *racedCall) unknown() bool {
	return a.status == 0 || a.status >= http.StatusInternalServerError
}

// race is one run: clients, three sandboxes, and what was asked.
type race struct {
	boxes []*sandboxProcess
	token string
	began time.Time
	mu    sync.Mutex
	list  []racedCall
}

// call sends a request to a sandbox.
func (r *race) call(box int, method, path, body string) (status int, answer map[string]any, seq uint64) {
	req, err := http.NewRequest(method, r.boxes[box].BaseURL+path, strings.NewReader(body))
	if err != nil {
		return 0, nil, 0
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+r.token)
	client := http.Client{Timeout: 4 * time.Second}
	res, err := client.Do(req)
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
func (r *race) note(box int, payment, what string) {
	a := racedCall{payment: payment, what: what, from: time.Since(r.began)}
	method, path := http.MethodPut, "/Payment/"+payment+"/Cancel"
	if what == "status" {
		method, path = http.MethodGet, "/Payment/"+payment+"/Status"
	}
	var answer map[string]any
	a.status, answer, a.seq = r.call(box, method, path, "")
	a.said, _ = answer["status"].(string)
	a.to = time.Since(r.began)
	r.mu.Lock()
	r.list = append(r.list, a)
	r.mu.Unlock()
}

// create makes a payment; "" when the sandbox did not answer.
func (r *race) create(company string, round int) string {
	body := fmt.Sprintf(`{"amount":%d,"contactNumber":"+12025550177","companyId":%q}`, 5000+round, company)
	status, answer, _ := r.call(round%2, http.MethodPost, "/Payment/Create", body)
	if status != http.StatusOK {
		return ""
	}
	return fmt.Sprint(answer["paymentRequestId"])
}

// payments is what a payment does: it is cancelled once.
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
	Init: func() any { return false },
	Step: func(state, input, _ any) (bool, any) {
		a, cancelled := input.(racedCall), state.(bool) //nolint:forcetypeassert // It is what was put in.
		switch {
		case a.what == "cancel" && a.unknown():
			return true, true
		case a.unknown():
			return true, state
		case a.what == "cancel":
			return (a.status == http.StatusOK) == !cancelled, true
		default:
			return (a.said == "Canceled") == cancelled, state
		}
	},
}

// operations are the history as porcupine reads it: what nobody knows may happen later.
func (r *race) operations() []porcupine.Operation {
	list := make([]porcupine.Operation, 0, len(r.list))
	for n, a := range r.list {
		end := int64(a.to)
		if a.unknown() {
			end = math.MaxInt64
		}
		list = append(list, porcupine.Operation{ClientId: n, Input: a, Call: int64(a.from), Return: end})
	}
	return list
}

// TestCluster: while three sandboxes on three log servers serve racing clients, the log's
// leader dies, a sandbox is killed, and another one sleeps longer than its heartbeat.
// The log, applied once more from its beginning by a fourth sandbox, is the witness.
func TestCluster(t *testing.T) {
	rounds := 6
	if sampling.All() {
		rounds = 40
	}
	servers, err := natslog.StartServers(t.Context(), t.TempDir())
	require.NoError(t, err)
	defer func() { _ = servers.Close() }()
	args := []string{"--cluster", servers.URLs(), "--log-level", "error", "--tape-entries", "100000"}
	r := &race{began: time.Now()}
	for range 3 {
		r.boxes = append(r.boxes, spawn(t, args...))
	}
	_, answer, _ := r.call(0, http.MethodPost, "/Authentication/Token", `{"clientId":"`+r.boxes[0].ClientID+`","clientSecret":"`+r.boxes[0].ClientSecret+`"}`)
	r.token = fmt.Sprint(answer["accessToken"])
	payload, err := fixtures.Payload("company-create")
	require.NoError(t, err)
	_, answer, _ = r.call(1, http.MethodPost, "/Company/Create", string(payload))
	company := fmt.Sprint(answer["companyId"])
	raced := 0
	for round := range rounds {
		switch round {
		case rounds / 3:
			for _, s := range servers {
				if s.JetStreamIsLeader() {
					s.Shutdown()
				}
			}
		case rounds / 2:
			require.NoError(t, r.boxes[2].cmd.Process.Signal(syscall.SIGSTOP))
		case rounds - 1:
			require.NoError(t, r.boxes[2].cmd.Process.Signal(syscall.SIGCONT))
		}
		id := r.create(company, round)
		if id == "" {
			continue
		}
		raced++
		var clients sync.WaitGroup
		for n := range 16 {
			clients.Go(func() {
				if n == 15 && round == rounds-2 {
					r.boxes[1].kill()
				}
				r.note(n%3, id, []string{"cancel", "status"}[n/3%2])
				r.note((n+1)%3, id, "status")
			})
		}
		clients.Wait()
	}
	require.Greater(t, raced, rounds/2, "too little was raced to tell anything")
	for _, part := range payments.Partition(r.operations()) {
		if verdict := porcupine.CheckOperationsTimeout(payments, part, time.Minute); verdict != porcupine.Ok {
			require.Fail(t, "not linearizable", "%s: %.3000s", verdict, fmt.Sprintf("%+v", part))
		}
	}
	r.boxes = []*sandboxProcess{r.boxes[0], r.boxes[2], spawn(t, args...)}
	r.witnessed(t)
}

// witnessed holds what was answered against the log: all that are left and a new one
// have the same tape, and each answer stands there, in an order that those could have
// seen who asked.
func (r *race) witnessed(t *testing.T) {
	t.Helper()
	want := r.boxes[2].tape(t)
	for _, box := range r.boxes[:2] {
		require.Equal(t, want, box.tape(t)[:len(want)])
	}
	winners := map[string]int{}
	for _, a := range r.list {
		if a.seq == 0 || a.unknown() {
			continue
		}
		require.LessOrEqual(t, a.seq, uint64(len(want)))
		line := want[a.seq-1]
		require.Contains(t, line, a.payment)
		require.Contains(t, line, fmt.Sprintf(`"status":%d`, a.status), "what was answered is not what the log gives")
		if a.what == "cancel" && a.status == http.StatusOK {
			winners[a.payment]++
			require.Equal(t, 1, winners[a.payment], "a payment was cancelled twice")
		}
		for _, b := range r.list {
			if b.seq > 0 && b.to < a.from {
				require.Less(t, b.seq, a.seq, "what was answered before another was asked stands behind it")
			}
		}
	}
	require.NotEmpty(t, winners)
}
