package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
)

// soaked is one integration of the soak. Who resets it waits until nobody calls it, and
// until its tape has been read to its end.
type soaked struct {
	a                   *attacked
	id, client, secret  string
	life                sync.RWMutex
	mu                  sync.Mutex
	token               string
	answered            map[uint64]string
	took                []time.Duration
	calls, cut, refused int
	read, resets        int
	gone                int  // answers that nobody could look for any more
	noRoom              int  // of those refused
	full                bool // the last call that makes something found no room
	turn                *atomic.Int64
}

// newSoaked makes an integration with three receivers and a fault that comes and goes.
func newSoaked(t *testing.T, a *attacked, n int, turn *atomic.Int64, receivers ...string) *soaked {
	t.Helper()
	s := &soaked{a: a, turn: turn, answered: map[uint64]string{}}
	made := s.ask(t.Context(), t, http.MethodPost, "/_sandbox/integrations", "", fmt.Sprintf(`{"name":"soak-%d","seed":%d}`, n, n+1))
	var is struct{ ID, ClientID, ClientSecret string }
	require.NoError(t, json.Unmarshal(made.body, &is), string(made.body))
	s.id, s.client, s.secret = is.ID, is.ClientID, is.ClientSecret
	for _, url := range receivers {
		require.Equal(t, http.StatusOK, s.control(t.Context(), t, "/webhooks", `{"url":"`+url+`","profile":"duplicate,reorder"}`).status)
	}
	return s
}

// fill offers long bodies, which are refused, until the tape drops its first entries: what
// tapes may hold is full then, by what was made and not by the clock.
func (s *soaked) fill(t *testing.T) {
	t.Helper()
	body := `{"amount":"none","metadata":{"note":"` + strings.Repeat("n", 512<<10) + `"}}`
	for range 1000 {
		s.call(t.Context(), t, http.MethodPost, "/Payment/Create", body)
		var told struct {
			Dropped uint64
		}
		head, _, _ := bytes.Cut(s.ask(t.Context(), t, http.MethodGet, "/_sandbox/integrations/"+s.id+"/tape?limit=1", "", "").body, []byte("\n"))
		if json.Unmarshal(head, &told) == nil && told.Dropped > 0 {
			return
		}
	}
	t.Error("a tape is never full")
}

// soakAnswer is what a call came to.
type soakAnswer struct {
	status int
	entry  uint64 // on the integration's own tape
	body   []byte
	err    error
}

// ask makes one call.
func (s *soaked) ask(ctx context.Context, t *testing.T, method, path, token, body string) soakAnswer {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, s.a.BaseURL+path, strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return soakAnswer{err: err}
	}
	defer func() { _ = res.Body.Close() }()
	answer, err := io.ReadAll(res.Body)
	entry, _ := strconv.ParseUint(res.Header.Get("Sandbox-Exchange"), 10, 64)
	if res.Header.Get("Sandbox-Integration") != "" { // the token call was refused, and nobody knew who called
		entry = 0
	}
	return soakAnswer{res.StatusCode, entry, answer, err}
}

func (s *soaked) control(ctx context.Context, t *testing.T, path, body string) soakAnswer {
	t.Helper()
	return s.ask(ctx, t, http.MethodPost, "/_sandbox/integrations/"+s.id+path, "", body)
}

// caller calls until the time is over.
func (s *soaked) caller(ctx context.Context, t *testing.T, n int) {
	t.Helper()
	for round := 0; ctx.Err() == nil; round++ {
		s.life.RLock()
		reference := fmt.Sprintf("soak-%d-%d", n, round)
		company := strings.Replace(string(fixtures.CompanyJSON(n%40+1)), `"companyReferenceId":"`, `"companyReferenceId":"`+reference+"-", 1)
		var kept struct{ CompanyReferenceID string }
		_ = json.Unmarshal([]byte(company), &kept)
		s.call(ctx, t, http.MethodPost, "/Company/Create", company)
		var payment struct{ PaymentRequestID string }
		made := s.call(ctx, t, http.MethodPost, "/Payment/Create", fmt.Sprintf(`{"amount":%d,"contactNumber":"+12025550177","companyReferenceId":%q}`, 100+round, kept.CompanyReferenceID))
		if json.Unmarshal(made.body, &payment) == nil && payment.PaymentRequestID != "" {
			id := payment.PaymentRequestID
			s.call(ctx, t, http.MethodGet, "/Payment/"+id+"/Status", "")
			s.control(ctx, t, "/payments/"+id+"/approve", "{}")
			s.control(ctx, t, "/payments/"+id+"/pay", "{}")
			s.call(ctx, t, http.MethodPost, "/Payment/Refund/"+id, `{"amount":50}`)
			s.call(ctx, t, http.MethodPut, "/Payment/"+id+"/Cancel", "")
		}
		s.call(ctx, t, http.MethodGet, "/Company/List", "")
		s.mu.Lock()
		look := len(s.answered) >= soakLook
		s.mu.Unlock()
		s.life.RUnlock()
		if look {
			s.life.Lock()
			s.requireTaped(t)
			s.life.Unlock()
		}
	}
}

// call makes one call of the partner API with the integration's token, and notes it.
func (s *soaked) call(ctx context.Context, t *testing.T, method, path, body string) soakAnswer {
	t.Helper()
	s.mu.Lock()
	token := s.token
	s.mu.Unlock()
	if token == "" {
		granted := s.ask(ctx, t, http.MethodPost, "/Authentication/Token", "", fmt.Sprintf(`{"clientId":%q,"clientSecret":%q}`, s.client, s.secret))
		var is struct{ AccessToken string }
		_ = json.Unmarshal(granted.body, &is)
		token = is.AccessToken
		s.mu.Lock()
		s.token = token
		s.mu.Unlock()
	}
	began := time.Now()
	answer := s.ask(ctx, t, method, path, token, body)
	took := time.Since(began)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	switch {
	case errors.Is(answer.err, context.DeadlineExceeded):
	case answer.err != nil:
		s.cut++
	default:
		s.took = append(s.took, took)
		if answer.status == http.StatusUnauthorized {
			s.token = ""
		}
		if answer.status >= http.StatusBadRequest {
			s.refused++
		}
		if method == http.MethodPost {
			s.full = answer.status == http.StatusInsufficientStorage
		}
		if s.full {
			s.noRoom++
		}
		if answer.entry > 0 {
			s.answered[answer.entry] = path
		}
	}
	return answer
}

// trouble arms faults, moves the clock, revokes tokens, reads the tape while it grows,
// and empties the first integrations every now and then.
func (s *soaked) trouble(ctx context.Context, t *testing.T, n int) {
	t.Helper()
	for round := 0; ctx.Err() == nil; round++ {
		effect := []string{`{"status":503,"retryAfter":1}`, `{"latency":"20ms"}`, `{"commitThenDrop":true}`, `{"cutConnection":true}`, `{"slowBody":"50ms"}`, `{"tokenRevoked":true}`}[(round+n)%6]
		s.control(ctx, t, "/faults", `{"match":{"operation":"createPayment"},"effect":`+effect+`,"count":5}`)
		s.life.Lock()
		s.requireTaped(t) // three hours of attempts push calls off the tape
		s.life.Unlock()
		s.control(ctx, t, "/clock/advance", `{"by":"3h"}`)
		s.ask(ctx, t, http.MethodGet, fmt.Sprintf("/_sandbox/integrations/%s/tape?since=%d&wait=1s", s.id, round), "", "")
		if n < soakEmptied && round%3 == n%3 || s.makesRoom(n) {
			s.life.Lock()
			s.requireTaped(t)
			s.gone += len(s.answered)
			if did := s.control(t.Context(), t, "/reset", "{}"); did.err != nil || did.status == http.StatusOK { // one without an answer may have been carried out
				s.resets++
				s.token, s.answered = "", map[uint64]string{}
			}
			s.life.Unlock()
		}
	}
}

// makesRoom says whether it is this integration's turn to be emptied as no more can be made.
func (s *soaked) makesRoom(n int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.full && s.turn.CompareAndSwap(int64(n), int64((n+1)%soakIntegrations))
}

// requireTaped finds every answer since it last looked on the tape. Nobody calls meanwhile.
func (s *soaked) requireTaped(t *testing.T) {
	t.Helper()
	if len(s.answered) == 0 {
		return
	}
	since := slices.Min(slices.Collect(maps.Keys(s.answered))) - 1
	text := s.ask(t.Context(), t, http.MethodGet, fmt.Sprintf("/_sandbox/integrations/%s/tape?since=%d", s.id, since), "", "")
	if text.err != nil || text.status != http.StatusOK { // too many readers, or no memory for one: the next look finds them
		return
	}
	paths, first := map[uint64]string{}, uint64(0)
	for line := range bytes.Lines(text.body) {
		var e struct {
			Seq      uint64
			Exchange struct{ Path string }
		}
		require.NoError(t, json.Unmarshal(line, &e))
		if e.Seq == 0 {
			continue
		}
		if first == 0 {
			first = e.Seq
		}
		paths[e.Seq] = e.Exchange.Path
	}
	for entry, path := range s.answered {
		if entry < first { // the tape is bounded
			s.gone++
			continue
		}
		if paths[entry] != path {
			t.Errorf("the call of %s was answered as entry %d, and the tape has %q there", path, entry, paths[entry])
		}
		s.read++
	}
	clear(s.answered)
}
