package verify_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/verdict"
	"paysandbox/harness/verify"
)

// granting is a service that grants tokens, and answers everything else as it is told.
func granting(t *testing.T, rest http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/Authentication/Token" {
			rest(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"accessToken":"t","tokenType":"Bearer","expiresInSeconds":3600}`))
	}))
	t.Cleanup(s.CloseClientConnections)
	return s.URL
}

// TestAttackATargetThatHangs: a run against a service that grants a token and then
// leaves every call without an answer comes to its end, and says why.
func TestAttackATargetThatHangs(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		change func(*verify.Plan)
		reason string
	}{
		"calls in a row": {func(p *verify.Plan) { p.HTTP.Timeout = 200 * time.Millisecond }, "10 calls in a row without an answer"},
		"the whole run":  {func(p *verify.Plan) { p.Timeout = 200 * time.Millisecond }, "took longer than 200ms"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := planned(t, granting(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }), "company,payment")
			p.ClientID, p.ClientSecret, p.ControlURL, p.Concurrency = "c", "s", verify.NoControl, 4
			row.change(&p)
			r, _ := verify.Run(t.Context(), p) // the time may be over before anything is judged
			require.Equal(t, verdict.CodeBroken, r.ExitCode, r.Reason)
			require.Contains(t, r.Reason, row.reason)
		})
	}
}

// TestAttackATargetThatHangsUp: one that cuts every connection was not judged.
func TestAttackATargetThatHangsUp(t *testing.T) {
	t.Parallel()
	p := planned(t, granting(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }), "company,payment")
	p.ClientID, p.ClientSecret, p.ControlURL = "c", "s", verify.NoControl
	r := ran(t, p)
	require.Equal(t, verdict.CodeBroken, r.ExitCode, r.Reason)
	require.Contains(t, r.Reason, "10 calls in a row without an answer")
}

// TestAttackEndlessAnswers: what is read of an answer is bounded.
func TestAttackEndlessAnswers(t *testing.T) {
	t.Parallel()
	piece := bytes.Repeat([]byte("x"), 1<<20)
	var most atomic.Int64
	p := planned(t, granting(t, func(w http.ResponseWriter, r *http.Request) {
		sent := 0
		for r.Context().Err() == nil && sent < 200 {
			if _, err := w.Write(piece); err != nil {
				break
			}
			sent++
		}
		most.Store(max(most.Load(), int64(sent)))
	}), "company.create.name")
	p.ClientID, p.ClientSecret, p.ControlURL, p.Concurrency = "c", "s", verify.NoControl, 1
	r := ran(t, p)
	require.NotEqual(t, verdict.CodeMet, r.ExitCode)
	require.Positive(t, most.Load())
	require.Less(t, most.Load(), int64(60), "MiB that were taken of one answer")
}

// TestAFailureBeforeTheSilence: a target that hangs was not judged, whatever failed before;
// that is told, and what was not judged is not put down to a control API that would not
// have helped. One scenario runs at a time, so that the failure comes before the silence.
func TestAFailureBeforeTheSilence(t *testing.T) {
	t.Parallel()
	p := planned(t, granting(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }), "token.client-id,company,payment")
	p.ClientID, p.ClientSecret, p.ControlURL, p.Concurrency = "c", "s", verify.NoControl, 1
	p.HTTP.Timeout = 400 * time.Millisecond
	r := ran(t, p)
	require.Equal(t, verdict.CodeBroken, r.ExitCode, r.Reason)
	require.Contains(t, r.Reason, "10 calls in a row without an answer")
	require.Contains(t, r.Reason, "; broken before that: token.client-id")
	require.Regexp(t, "[0-9]+ clauses were not judged$", r.Reason)
}
