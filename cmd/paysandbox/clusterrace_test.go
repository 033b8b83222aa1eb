package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
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

// client is the nth of 16 in a round: in turn all cancel, or approve, pay and refund, or
// do either.
func (r *race) client(n, round int, payment string, boxes ...int) {
	lists := [][]string{{"cancel", "status"}, {"approve", "pay", "refund", "status"}, {"status", "approve", "cancel"}, {"approve", "pay", "refund", "refund"}}
	from, to := []int{0, 1, 0}[round%3], []int{1, 2, 4}[round%3]
	for k, what := range lists[from+n/3%(to-from)] {
		r.note(patience, boxes[(n+k)%len(boxes)], payment, what)
	}
}
