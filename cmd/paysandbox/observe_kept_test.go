package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/harness/report"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// watching starts `observe` as a process that keeps its session in a folder, and gives
// where its report and its tape will be.
func watching(t *testing.T, data string) (p *sandboxProcess, saved, taped string) {
	t.Helper()
	dir := t.TempDir()
	saved, taped = filepath.Join(dir, "report.json"), filepath.Join(dir, "tape.jsonl")
	p = launch(t, "observe", "--data", data, "--clock", "manual", "--format", "json="+saved, "--save-tape", taped)
	return p, saved, taped
}

// careless signs in and makes a company, with a member that nobody knows.
func careless(t *testing.T, p *sandboxProcess) (token string) {
	t.Helper()
	_, out := p.ask(http.MethodPost, "/Authentication/Token", "", `{"clientId":"`+p.ClientID+`","clientSecret":"`+p.ClientSecret+`"}`)
	var signed struct{ AccessToken string }
	require.NoError(t, json.Unmarshal(out, &signed))
	payload, err := fixtures.Payload("company-create")
	require.NoError(t, err)
	status, out := p.ask(http.MethodPost, "/Company/Create", signed.AccessToken, strings.Replace(string(payload), "{", `{"colour":"red",`, 1))
	require.Equal(t, http.StatusOK, status, string(out))
	return signed.AccessToken
}

// careful lists the companies under the same token, and ends the session.
func careful(t *testing.T, p *sandboxProcess, token, saved string) *report.Report {
	t.Helper()
	status, out := p.ask(http.MethodGet, "/Company/List", token, "")
	require.Equal(t, http.StatusOK, status, string(out))
	require.NoError(t, p.cmd.Process.Signal(syscall.SIGINT))
	_ = p.cmd.Wait() // its code is in the report
	require.Equal(t, verdict.CodeFailed, p.cmd.ProcessState.ExitCode())
	r, err := savedReport(saved)
	require.NoError(t, err)
	return r
}

// TestObserveGoesOnWithAnInterruptedSession: killed in the middle and started again on the
// same folder, it judges the whole session, on one tape, as if nothing had happened.
func TestObserveGoesOnWithAnInterruptedSession(t *testing.T) {
	t.Parallel()
	whole, saved, _ := watching(t, t.TempDir())
	want := careful(t, whole, careless(t, whole), saved)

	data := t.TempDir()
	first, _, _ := watching(t, data)
	require.Contains(t, *first.Kept, "in "+data+", flushed every second: kill -9 takes nothing, a loss of power up to the last second")
	token := careless(t, first)
	first.kill()
	second, saved, taped := watching(t, data)
	got := careful(t, second, token, saved)
	require.Equal(t, verdict.Fail, verdicts(got)["partner.body.known-members"])
	require.Equal(t, verdicts(want), verdicts(got))

	raw, err := os.Open(taped)
	require.NoError(t, err)
	defer func() { require.NoError(t, raw.Close()) }()
	_, entries, err := tape.Read(raw)
	require.NoError(t, err)
	calls := ""
	for n, e := range entries {
		require.Equal(t, uint64(n+1), e.Seq)
		if e.Kind == tape.KindExchange {
			calls += e.Exchange.Path + " "
		}
	}
	require.Equal(t, "/Authentication/Token /Company/Create /Company/List ", calls)
	require.Equal(t, verdict.CodeFailed, run(t.Context(), []string{"observe", "--tape", taped}, none, io.Discard, io.Discard))
}
