package verify_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/report"
	"paysandbox/harness/report/format"
	"paysandbox/harness/sampling"
	"paysandbox/harness/verdict"
	"paysandbox/harness/verify"
	"paysandbox/mockserver/mocktest"
)

func TestFailFast(t *testing.T) {
	t.Parallel()
	for _, atOnce := range []int{1, 4} {
		p := wrongCasing(t)
		p.FailFast, p.Concurrency = true, atOnce
		r := ran(t, p)
		require.Equal(t, verdict.CodeFailed, r.ExitCode)
		ended := map[report.Status]int{}
		for _, s := range r.Scenarios {
			ended[s.Status]++
			if s.Skip != "" {
				require.Contains(t, s.Skip, "an earlier scenario failed")
			}
		}
		require.Positive(t, ended[report.Skipped])
		require.Positive(t, ended[report.Failed])
		require.LessOrEqual(t, ended[report.Failed], atOnce, "nothing begins after the first failure")
	}
}

// TestTargetDies lets the target vanish in the middle of a run.
func TestTargetDies(t *testing.T) {
	t.Parallel()
	sandbox := mocktest.Start(t, mocktest.Options{})
	to, err := url.Parse(sandbox.URL)
	require.NoError(t, err)
	proxy := httputil.NewSingleHostReverseProxy(to)
	var calls atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if calls.Add(1) > 40 {
			panic(http.ErrAbortHandler)
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	r := ran(t, planned(t, server.URL, "company.create"))
	require.Equal(t, verdict.CodeBroken, r.ExitCode, r.Reason)
	require.Equal(t, verdict.HarnessError, r.Verdict)
	for _, c := range r.Clauses {
		require.NotEqual(t, verdict.Fail, c.Verdict, c.ID)
	}
}

// TestAConstantTarget judges one that answers examples, right in form and always the same:
// it fulfils nothing.
func TestAConstantTarget(t *testing.T) {
	t.Parallel()
	const id = "3fa85f64-5717-4562-b3fc-2c963f66afa6"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch path := strings.ToLower(r.URL.Path); {
		case strings.HasSuffix(path, "/token"):
			_, _ = io.WriteString(w, `{"accessToken":"one for all","tokenType":"Bearer","expiresInSeconds":3600}`)
		case path == "/company/create":
			_, _ = io.WriteString(w, `{"companyId":"`+id+`","locationIds":["`+id+`"]}`)
		case strings.HasSuffix(path, "/locations"):
			_, _ = io.WriteString(w, `{"locationId":"`+id+`"}`)
		case strings.HasSuffix(path, "/externalauthlink"):
			_, _ = io.WriteString(w, `{"externalAuthLinkUrl":"https://pay.example/link"}`)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	t.Cleanup(server.Close)
	p := planned(t, server.URL, "wire.location,wire.bank-link")
	p.ControlURL, p.ClientID, p.ClientSecret = verify.NoControl, "client", "secret"
	r := ran(t, p)
	require.Equal(t, verdict.CodeLittle, r.ExitCode, r.Reason)
	require.Len(t, r.Clauses, 2)
	for _, c := range r.Clauses {
		require.Equal(t, verdict.Inconclusive, c.Verdict, c.ID)
		require.Contains(t, c.Reason, "the same whatever it is asked")
	}
}

func TestInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	p := target(t, "company.create")
	p.Sink = &cutter{cancel: cancel}
	r, err := verify.Run(ctx, p)
	require.NoError(t, err)
	require.Equal(t, verdict.CodeBroken, r.ExitCode)
	require.Contains(t, r.Reason, "interrupted")
	for _, c := range r.Clauses {
		require.Contains(t, []verdict.Word{verdict.Pass, verdict.NotReached}, c.Verdict, c.ID)
	}
}

// cutter ends the run when a scenario has.
type cutter struct {
	format.Progress
	cancel func()
}

func (c *cutter) RunStarted(report.Run)                                       {}
func (c *cutter) RunFinished(report.RunEnd)                                   {}
func (c *cutter) ScenarioFinished(_ report.ScenarioRef, _ report.ScenarioEnd) { c.cancel() }

// TestHarnessErrors are mistakes of ours, which say nothing about the service.
func TestHarnessErrors(t *testing.T) {
	t.Parallel()
	p := target(t, "")
	p.Features = feature(1, "When the partner lists the companies", "Then nobody has written this step")
	r := ran(t, p)
	require.Equal(t, verdict.CodeBroken, r.ExitCode)
	require.Equal(t, verdict.HarnessError, clauseOf(t, r, "company.list").Verdict)
	require.Equal(t, report.Undefined, r.Scenarios[0].Steps[1].Status)

	p.Features = feature(1, "Then the receiver has got 1 delivery")
	r = ran(t, p)
	require.Equal(t, verdict.CodeFailed, r.ExitCode)

	p.Features = fstest.MapFS{"a.feature": {Data: []byte("Feature: x\n  Scenario: y\n    Given a company\n    Whan nothing")}}
	r, err := verify.Run(t.Context(), p)
	require.ErrorIs(t, err, verify.ErrConfig)
	require.Equal(t, verdict.CodeConfig, r.ExitCode)
}

// TestAConstantAnswerPassesNothing: each clause has to see something that a server which
// gives a token and always answers the same cannot give, whatever that is, nor one that
// sends back what it is sent.
func TestAConstantAnswerPassesNothing(t *testing.T) {
	sampling.NotRaced(t, "TestSameRunSameReport plays the same with it")
	t.Parallel()
	const echo = "echo"
	for _, answer := range sampling.Every(t, 9, []struct {
		name   string
		status int
		body   string
		// rightly is the clause, besides that of the token, that asks for no more than this.
		rightly string
	}{
		{"an empty object", http.StatusOK, `{}`, ""},
		{"an empty list", http.StatusOK, `[]`, ""},
		{"nothing", http.StatusOK, ``, ""},
		{"no content", http.StatusNoContent, ``, ""},
		{"not found", http.StatusNotFound, `{"type":"about:blank","title":"no","status":404,"detail":"no","errors":{},"findings":[]}`, ""},
		{"a refusal", http.StatusBadRequest, `{"type":"about:blank","title":"no","status":400,"detail":"no","errors":{"amount":["no"]},"findings":[]}`, ""},
		{"a failure", http.StatusInternalServerError, `{"type":"about:blank","title":"no","status":500}`, ""},
		{"what was sent", http.StatusOK, echo, ""},
		{"a lot", http.StatusOK, `{"companyId":"7b0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c11","id":"7b0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c11",` +
			`"locationIds":["0d9b6f9e-6a0a-4a53-8d3e-6f1f0e9d8c22"],"locationId":"0d9b6f9e-6a0a-4a53-8d3e-6f1f0e9d8c22","status":"Verified","paymentRequestId":"5d8c9b8e-6f0a-4a53-8d3e-6f1f0e9d8c33",` +
			`"companies":[{"id":"7b0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c11","name":"Fit Gym","referenceId":"loc-001"}],"registrationId":"b2d7e4a8-91c6-4f0b-8e35-7a4c1d9f6e23","registrationUrl":"https://a.example.com/r",` +
			`"attachments":[{"id":"7b0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c11","name":"a.pdf","contentType":"application/pdf"}],"transactions":[{"amount":5000}],"isOk":true,"tokenId":"7b0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c11"}`, "wire.company-list"},
	}) {
		t.Run(answer.name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				sent, _ := io.ReadAll(r.Body)
				w.Header().Set("Content-Type", "application/json; charset=utf-8")
				status, body := answer.status, answer.body
				switch {
				case strings.HasSuffix(strings.ToLower(r.URL.Path), "/token"):
					status, body = http.StatusOK, `{"accessToken":"a.b.c","tokenType":"Bearer","expiresInSeconds":3600}`
				case body == echo:
					body = string(sent)
				}
				w.WriteHeader(status)
				_, _ = io.WriteString(w, body)
			}))
			defer server.Close()
			p := planned(t, server.URL, "")
			p.ClientID, p.ClientSecret, p.ControlURL = "c", "s", verify.NoControl
			r, _ := verify.Run(t.Context(), p) // it may not be judged at all
			for _, c := range r.Clauses {
				if c.ID != "wire.token" && c.ID != answer.rightly {
					assert.NotEqual(t, verdict.Pass, c.Verdict, c.ID)
				}
			}
		})
	}
}
