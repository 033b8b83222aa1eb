package mockserver_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/mockserver"
	"paysandbox/mockserver/budget"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
)

// raced looks for each answer where its number says, while resets race with the calls.
type raced struct {
	t            *testing.T
	server       *mockserver.Server
	begun, ended atomic.Int64 // resets
	calls        atomic.Int64
	found        atomic.Int64
	nobodys      atomic.Int64
}

// steady is the number of the life, when no reset is under way.
func (n *raced) steady() (life int64, ok bool) {
	ended := n.ended.Load()
	return ended, n.begun.Load() == ended
}

// ask makes a call that nothing else is like.
func (n *raced) ask(method, path, token, body string) *httptest.ResponseRecorder {
	life, steady := n.steady()
	id := "call-" + strconv.FormatInt(n.calls.Add(1), 10)
	r := httptest.NewRequestWithContext(n.t.Context(), method, "http://localhost"+path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Request-Id", id)
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	w := httptest.NewRecorder()
	n.server.Handler().ServeHTTP(w, r)
	n.look(w, path, id, life, steady)
	return w
}

// look finds the call on the tape that its answer names.
func (n *raced) look(w *httptest.ResponseRecorder, path, id string, life int64, steady bool) {
	seq, err := strconv.ParseUint(w.Header().Get("Sandbox-Exchange"), 10, 64)
	if err != nil {
		return
	}
	on := n.server.Registry().FindClient("caller")
	if whose := w.Header().Get("Sandbox-Integration"); whose != "" {
		n.nobodys.Add(1)
		on = n.server.Registry().Find(whose)
	}
	e, kept := on.Entry(seq)
	first, _, _ := on.Newest()
	if now, still := n.steady(); !steady || !still || now != life || !kept && seq < first {
		return // it may have stood on the tape of a former life, or been dropped
	}
	n.found.Add(1)
	if !kept || e.Exchange == nil || e.Exchange.Path != path || !sentWith(&e, id) {
		n.t.Errorf("%s was answered %d as entry %d; the tape from %d on has there: %+v", path, w.Code, seq, first, e.Exchange)
	}
}

func sentWith(e *tape.Entry, id string) bool {
	for _, h := range e.Exchange.Request.Header {
		if h.Name == "X-Request-Id" && h.Value == id {
			return true
		}
	}
	return false
}

// TestAttackNumbersAcrossResets: however calls, refusals for want of memory, callers
// whose token call was refused, and resets race, an answer's number is that of its call on
// the tape that the answer names, or on the caller's own.
func TestAttackNumbersAcrossResets(t *testing.T) {
	t.Parallel()
	s, err := mockserver.New(mockserver.Options{
		Wall:        integration.Wall,
		Integration: integration.Options{Seed: 1, Clock: integration.Real, ClientID: "sandbox-client", ClientSecret: "sandbox-secret", Budget: budget.New(300 << 10)},
	})
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close(context.Background()) }) //nolint:usetesting // The test's own context has ended by then.
	i, err := s.Registry().Create(integration.Options{Name: "caller", ClientID: "caller", ClientSecret: "secret", Clock: integration.Real})
	require.NoError(t, err)
	n := &raced{t: t, server: s}
	var callers sync.WaitGroup
	for c := range 8 {
		callers.Go(func() { n.caller(c) })
	}
	for n.more() {
		before := n.calls.Load()
		n.begun.Add(1)
		require.NoError(t, i.Reset())
		n.ended.Add(1)
		for n.calls.Load() < before+60 { // a life has its calls
			n.ask(http.MethodGet, "/Company/List", "", "")
		}
	}
	callers.Wait()
	t.Logf("%d calls, %d answers found, %d of callers that nobody knew", n.calls.Load(), n.found.Load(), n.nobodys.Load())
	require.Greater(t, n.found.Load(), int64(100))
	require.NotZero(t, n.nobodys.Load())
}

// more says whether calls are still made: until enough has been found, which takes more of
// them on some machines than on others.
func (n *raced) more() bool {
	calls := n.calls.Load()
	return calls < 2000 || calls < 50_000 && (n.found.Load() <= 100 || n.nobodys.Load() == 0)
}

// caller gets a token, which may be refused, and calls with what it has got.
func (n *raced) caller(c int) {
	for n.more() {
		granted := n.ask(http.MethodPost, "/Authentication/Token", "", `{"clientId":"caller","clientSecret":"secret"}`)
		_, rest, _ := strings.Cut(granted.Body.String(), `accessToken":"`)
		token, _, _ := strings.Cut(rest, `"`)
		for k := range 5 {
			n.ask(http.MethodPost, "/Company/Create", token, string(fixtures.CompanyJSON(c*10+k+1)))
			n.ask(http.MethodGet, "/Company/List", token, "")
		}
	}
}
