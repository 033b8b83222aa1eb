package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
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
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
)

// The soak: callers of several integrations in one process.
const (
	soakIntegrations = 8
	soakCallers      = 64
	soakShort        = time.Second
	soakEmptied      = 2               // of the integrations, again and again; the others fill the memory
	soakFlat         = 5 * time.Minute // a long one: its tapes are full before it begins
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
	calls, cut, refused int
	took                []time.Duration
	read, resets        int
}

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
	list := make([]*soaked, soakIntegrations)
	var all sync.WaitGroup
	for n := range list {
		all.Go(func() { list[n] = newSoaked(t, a, n, dead, slow, good) })
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
		told.calls, told.cut, told.refused, told.read, told.resets = told.calls+s.calls, told.cut+s.cut, told.refused+s.refused, told.read+s.read, told.resets+s.resets
		took = append(took, s.took...)
		require.Equal(t, http.StatusOK, s.ask(t.Context(), t, http.MethodDelete, "/_sandbox/integrations/"+s.id, "", "").status)
	}
	slices.Sort(took)
	half, end := middle(resident[len(resident)/4:len(resident)/2]), middle(resident[len(resident)*3/4:])
	t.Logf("%s: %d calls, %d of them refused, %d cut; %d answers found on tapes, %d resets; p50 %s, p99 %s, most %s; resident %d MiB at the beginning, %d MiB in the second quarter, %d MiB in the last",
		lasts, told.calls, told.refused, told.cut, told.read, told.resets, took[len(took)/2], took[len(took)*99/100], took[len(took)-1], full>>20, half>>20, end>>20)
	require.NotZero(t, told.read, "answers were looked for")
	most := before + 4*soakIntegrations // a connection that is kept for the next event has two
	if lasts >= soakFlat {
		most = before
		require.Greater(t, full, a.bound/2, "bytes resident at the beginning: the tapes are full")
		require.Less(t, end, half*12/10, "bytes resident in the last quarter, against the second")
	}
	a.requireWithin(t)
	http.DefaultClient.CloseIdleConnections()
	require.Eventually(t, func() bool { return a.goroutines(t) <= most+8 }, time.Minute, 100*time.Millisecond, "goroutines are as many as before: %d", before)
}

// newSoaked makes an integration with three receivers and a fault that comes and goes.
func newSoaked(t *testing.T, a *attacked, n int, receivers ...string) *soaked {
	t.Helper()
	s := &soaked{a: a, answered: map[uint64]string{}}
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
		s.life.RUnlock()
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
		if n < soakEmptied && round%3 == n%3 {
			s.life.Lock()
			if did := s.control(t.Context(), t, "/reset", "{}"); did.err != nil || did.status == http.StatusOK { // one without an answer may have been carried out
				s.resets++
				s.token, s.answered = "", map[uint64]string{}
			}
			s.life.Unlock()
		}
	}
}

// requireTaped finds every answer since it last looked on the tape. Nobody calls meanwhile.
func (s *soaked) requireTaped(t *testing.T) {
	t.Helper()
	text := s.ask(t.Context(), t, http.MethodGet, "/_sandbox/integrations/"+s.id+"/tape", "", "")
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
			continue
		}
		if paths[entry] != path {
			t.Errorf("the call of %s was answered as entry %d, and the tape has %q there", path, entry, paths[entry])
		}
		s.read++
	}
	clear(s.answered)
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
