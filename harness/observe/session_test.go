package observe_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/clause"
	"paysandbox/harness/observe"
	"paysandbox/harness/observe/judge"
	"paysandbox/harness/partner"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/mocktest"
	"paysandbox/mockserver/tape"
)

// watched is a sandbox that is observed, and what the session has said.
type watched struct {
	t       *testing.T
	sandbox *mocktest.Sandbox
	stage   *partner.Stage
	client  *partner.Client
	session *observe.Session
	unwatch func()

	mu   sync.Mutex
	said []string
	news chan struct{}
}

// watch starts a sandbox with a clock that runs, and a session for some clauses.
func watch(t *testing.T, clauses string, c observe.Config) *watched {
	t.Helper()
	s := mocktest.Start(t, mocktest.Options{Clock: integration.Real, Seed: 3})
	w := &watched{
		t: t, sandbox: s, news: make(chan struct{}, 1),
		stage:  &partner.Stage{Base: s.URL, Integration: "default"},
		client: &partner.Client{Base: s.URL, ID: s.ClientID, Secret: s.ClientSecret},
	}
	filter, err := clause.ParseClauses(clauses)
	require.NoError(t, err)
	c.Stage, c.Clauses, c.Now, c.Say = w.stage, filter, time.Now, w.say
	w.session = observe.NewSession(c)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.session.Watch(ctx) }()
	w.unwatch = sync.OnceFunc(func() { cancel(); require.NoError(t, <-ended) })
	t.Cleanup(w.unwatch)
	return w
}

func (w *watched) say(line string) {
	w.mu.Lock()
	w.said = append(w.said, line)
	w.mu.Unlock()
	select {
	case w.news <- struct{}{}:
	default:
	}
}

// heard says whether the session has said something.
func (w *watched) heard(part string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.ContainsFunc(w.said, func(line string) bool { return strings.Contains(line, part) })
}

// until makes calls, or waits for news, until the session has said something.
func (w *watched) until(part string, call func()) {
	w.t.Helper()
	deadline := time.NewTimer(2 * time.Minute)
	defer deadline.Stop()
	pace := time.NewTicker(20 * time.Millisecond) // of a client that the session can follow
	defer pace.Stop()
	for !w.heard(part) {
		if call != nil {
			call()
		}
		select {
		case <-deadline.C:
			require.Failf(w.t, "the session never said it", "%q; it said %q", part, w.said)
		case <-pace.C:
		}
	}
}

// call registers a payer as a careful client does: a token that is refused is
// replaced once.
func (w *watched) call() {
	body := map[string]string{"redirectUrl": "https://partner.example.com/back"}
	a, err := w.client.Call(w.t.Context(), http.MethodPost, "/User/Register", body)
	require.NoError(w.t, err)
	if a.Status == http.StatusUnauthorized {
		w.client.ForgetToken()
		a, err = w.client.Call(w.t.Context(), http.MethodPost, "/User/Register", body)
		require.NoError(w.t, err)
	}
	require.Equal(w.t, http.StatusOK, a.Status)
}

func (w *watched) judge() (tape.Meta, []tape.Entry, judge.Judgement) {
	w.t.Helper()
	meta, entries, err := w.session.Tape(w.t.Context())
	require.NoError(w.t, err)
	j, err := judge.Tape(meta, entries, judge.Options{})
	require.NoError(w.t, err)
	return meta, entries, j
}

// TestSessionMakesTrouble lets a client meet the trouble that is missing.
func TestSessionMakesTrouble(t *testing.T) {
	t.Parallel()
	w := watch(t, "partner.token.recover", observe.Config{Faults: true})
	w.until("trouble: the token of the next POST is refused", w.call)
	w.until("met: token-revoked", w.call)
	w.until("  partner.token.recover: ", w.call)
	w.unwatch()
	meta, entries, j := w.judge()
	require.Len(t, j.End.Readiness.Attempts, 1)
	require.Equal(t, "partner.token.recover", j.End.Readiness.Attempts[0].Clause)
	require.Positive(t, j.End.Readiness.Attempts[0].Met)
	confessed := slices.ContainsFunc(entries, func(e tape.Entry) bool {
		return e.Exchange != nil && e.Exchange.Fault.ID() == "observe-token-revoked-1" && strings.HasPrefix(e.Exchange.Fault.Effects(), "token-revoked")
	})
	require.True(t, confessed)
	for _, c := range j.Clauses {
		if c.ID == "partner.token.recover" {
			require.Equal(t, verdict.Pass, c.Verdict, c.Evidence)
		}
	}

	var file bytes.Buffer
	require.NoError(t, tape.Write(&file, meta, slices.Values(entries)))
	meta, entries, err := tape.Read(&file)
	require.NoError(t, err)
	later, err := judge.Tape(meta, entries, judge.Options{})
	require.NoError(t, err)
	require.Equal(t, j, later, "a saved tape comes to the same")
}

// TestSessionTakesBack leaves nothing armed behind.
func TestSessionTakesBack(t *testing.T) {
	t.Parallel()
	w := watch(t, "partner.token.recover", observe.Config{Faults: true})
	for range 3 {
		w.call()
	}
	armed, err := w.stage.Get(t.Context(), "/tape?operation=armFault&wait=30s")
	require.NoError(t, err)
	require.Contains(t, string(armed.Body), "observe-token-revoked-1")
	w.unwatch()
	a, err := w.stage.Get(t.Context(), "/faults")
	require.NoError(t, err)
	require.JSONEq(t, `{"faults":[]}`, string(a.Body))
}

// TestSessionWithoutFaults makes no trouble at all.
func TestSessionWithoutFaults(t *testing.T) {
	t.Parallel()
	w := watch(t, "", observe.Config{})
	for range 20 {
		w.call()
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	w.session.Quiet(ctx)
	require.NoError(t, ctx.Err(), "it becomes quiet")
	w.unwatch()
	_, _, j := w.judge()
	require.Empty(t, j.End.Readiness.Attempts)
	require.Empty(t, w.said)
}

func TestOnlyThisMachineIsAsked(t *testing.T) {
	t.Parallel()
	w := watch(t, "", observe.Config{})
	_, err := w.stage.Do(t.Context(), "/notes", json.RawMessage(`{"kind":"state-probe","text":"","data":{"url":"http://192.0.2.1/state"}}`))
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	w.session.Quiet(ctx)
	raw, err := w.session.State(ctx)
	require.NoError(t, err)
	require.Nil(t, raw)
	require.True(t, w.heard("http://192.0.2.1/state, which is not on this machine"))
}

// TestAResetIsNoticed goes on with the new tape.
func TestAResetIsNoticed(t *testing.T) {
	t.Parallel()
	w := watch(t, "partner.token.recover", observe.Config{Faults: true})
	w.until("  partner.token.recover: ", w.call) // and nothing more is made for it
	_, err := w.stage.Do(t.Context(), "/reset", map[string]any{})
	require.NoError(t, err)
	w.until("the integration was reset", nil)
	w.client.ForgetToken()
	w.mu.Lock()
	w.said = nil
	w.mu.Unlock()
	w.until("met: token-revoked", w.call)
	w.unwatch()
	_, _, j := w.judge()
	require.Len(t, j.Notes, 1)
	require.Len(t, j.End.Readiness.Attempts, 1)
	require.Equal(t, "partner.token.recover", j.End.Readiness.Attempts[0].Clause)
	require.Positive(t, j.End.Readiness.Attempts[0].Met)
}

// TestSandboxGone ends a session whose sandbox does not answer.
func TestSandboxGone(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	s := observe.NewSession(observe.Config{Stage: &partner.Stage{Base: server.URL, Integration: "default"}, Now: time.Now})
	require.ErrorContains(t, s.Watch(t.Context()), "does not answer")
}

// TestAnnouncer tells tasks in words and as lines, also to those who have gone.
func TestAnnouncer(t *testing.T) {
	t.Parallel()
	var words []string
	var lines strings.Builder
	a := observe.Announcer{Say: func(line string) { words = append(words, line) }, Lines: &lines}
	task := partner.Task{ID: 3, Do: partner.DoCreatePayment, Say: "request 50.00 from Dana", With: map[string]any{"amount": 5000}}
	require.NoError(t, a.Perform(t.Context(), task))
	require.NoError(t, a.Settle(t.Context()))
	require.Equal(t, []string{"task 3: request 50.00 from Dana"}, words)
	require.Equal(t, `{"id":3,"do":"createPayment","say":"request 50.00 from Dana","with":{"amount":5000}}`+"\n", lines.String())
	task.Say = "request 50.00\nsend: amount 5000"
	require.NoError(t, a.Perform(t.Context(), task))
	require.Equal(t, "task 3: request 50.00", words[1])
	a.Lines = nil
	require.NoError(t, a.Perform(t.Context(), task))
	require.Equal(t, "task 3: request 50.00\nsend: amount 5000", words[2])
	deaf := observe.Announcer{Lines: closedWriter{}}
	require.NoError(t, deaf.Perform(t.Context(), task))
}

type closedWriter struct{}

func (closedWriter) Write([]byte) (int, error) { return 0, http.ErrBodyNotAllowed }
