package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/report"
	"paysandbox/harness/sampling"
	"paysandbox/harness/verdict"
)

// separate runs `serve` as a process of its own until the test ends.
func separate(t *testing.T, args ...string) announcement {
	t.Helper()
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), "paysandbox",
		append([]string{"serve", "--addr", "127.0.0.1:0", "--announce", "json", "--log-level", "error"}, args...)...)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
		require.NoError(t, cmd.Wait())
	})
	line, err := bufio.NewReader(out).ReadBytes('\n')
	require.NoError(t, err)
	var a announcement
	require.NoError(t, json.Unmarshal(line, &a))
	require.NotEqual(t, os.Getpid(), a.PID)
	return a
}

// verified runs `verify` and gives its exit code, its report and its errors.
func verified(t *testing.T, args ...string) (int, *report.Report, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "report.json")
	var errs bytes.Buffer
	code := run(t.Context(), append([]string{"verify", "--format", "json=" + path}, args...), none, io.Discard, &errs)
	file, err := os.Open(path)
	require.NoError(t, err, errs.String())
	defer func() { _ = file.Close() }()
	r, err := report.Read(file)
	require.NoError(t, err)
	require.Equal(t, code, r.ExitCode)
	return code, r, errs.String()
}

// verdicts are the verdicts of a report by clause.
func verdicts(r *report.Report) map[string]verdict.Word {
	m := map[string]verdict.Word{}
	for _, c := range r.Clauses {
		m[c.ID] = c.Verdict
	}
	return m
}

// TestTargetWithoutControl judges a sandbox that runs as a process of its own,
// without and with the token of its control API.
func TestTargetWithoutControl(t *testing.T) {
	sampling.NotRaced(t, "its sandbox is a process of its own; TestBrokenTarget judges one here")
	t.Parallel()
	a := separate(t, "--control-token", "open sesame")
	target := []string{"--target", a.BaseURL, "--client-id", a.ClientID, "--client-secret", a.ClientSecret, "--clauses", "company"}

	code, r, errs := verified(t, target...)
	require.Equal(t, verdict.CodeLittle, code, errs)
	require.Contains(t, errs, "were not reached")
	require.Equal(t, verdict.Pass, verdicts(r)["company.create"])
	for _, c := range r.Clauses {
		require.Contains(t, []verdict.Word{verdict.Pass, verdict.NotReached}, c.Verdict, c.ID)
		if c.Verdict == verdict.NotReached {
			require.Contains(t, c.Reason, "control API", c.ID)
		}
	}
	require.Equal(t, verdict.NotReached, verdicts(r)["company.kyb.verified"])

	code, _, errs = verified(t, append(target, "--allow-unreached")...)
	require.Equal(t, verdict.CodeMet, code, errs)

	code, r, errs = verified(t, append(target, "--control-token", "open sesame")...)
	require.Equal(t, verdict.CodeMet, code, errs)
	require.Equal(t, verdict.Pass, verdicts(r)["company.kyb.verified"])

	code, r, errs = verified(t, append(target, "--control-token", "sesame")...)
	require.Equal(t, verdict.CodeConfig, code)
	require.Contains(t, errs, "refuses the control token")
	require.Empty(t, r.Clauses)
}

// TestExitCodes holds what scripts rely on.
func TestExitCodes(t *testing.T) {
	t.Parallel()
	require.Equal(t, []int{0, 1, 2, 3, 4, 5}, []int{verdict.CodeMet, verdict.CodeFailed, verdict.CodeConfig, verdict.CodeLittle, verdict.CodeBroken, verdict.CodeGone})
}

func TestWrongCredentials(t *testing.T) {
	t.Parallel()
	a := started(t)
	code, r, errs := verified(t, "--target", a.BaseURL, "--client-id", a.ClientID, "--client-secret", "not the secret")
	require.Equal(t, verdict.CodeConfig, code)
	require.Contains(t, errs, "refuses the credentials")
	require.NotContains(t, errs, "not the secret")
	require.Empty(t, r.Clauses)
}

// TestBrokenTarget puts a proxy in front of a sandbox that spells one member
// wrong: the clause is named, and nothing else is blamed on it.
func TestBrokenTarget(t *testing.T) {
	sampling.NotRaced(t, "TestWrongCredentials does the same with it")
	t.Parallel()
	a := started(t)
	to, err := url.Parse(a.BaseURL)
	require.NoError(t, err)
	proxy := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) },
		ModifyResponse: func(res *http.Response) error {
			raw, err := io.ReadAll(res.Body)
			if res.Request.URL.Path == "/Company/List" {
				raw = bytes.ReplaceAll(raw, []byte(`"companies"`), []byte(`"Companies"`))
			}
			res.Body = io.NopCloser(bytes.NewReader(raw))
			res.Header.Set("Content-Length", strconv.Itoa(len(raw)))
			return err
		},
	})
	t.Cleanup(proxy.Close)
	code, r, errs := verified(t, "--target", proxy.URL, "--clauses", "company.list,company.create.zip")
	require.Equal(t, verdict.CodeFailed, code, errs)
	require.Contains(t, errs, "company.list")
	require.Equal(t, verdict.Fail, verdicts(r)["company.list"])
	require.Equal(t, verdict.Pass, verdicts(r)["company.create.zip"])

	code, r, errs = verified(t, "--target", proxy.URL, "--clauses", "company", "--fail-fast", "--concurrency", "1")
	require.Equal(t, verdict.CodeFailed, code, errs)
	require.Equal(t, verdict.NotReached, verdicts(r)["company.status"], "nothing begins after the first failure")
}
