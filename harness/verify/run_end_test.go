package verify_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/report"
	"paysandbox/harness/report/format"
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
