package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/clause"
	"paysandbox/harness/observe/judge"
	"paysandbox/harness/report"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/mocktest"
	"paysandbox/mockserver/tape"
)

// observed runs `observe` inside the test and gives its exit code, its report and
// what it said.
func observed(t *testing.T, args ...string) (int, *report.Report, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "report.json")
	var errs bytes.Buffer
	code := run(t.Context(), append([]string{"observe", "--format", "json=" + path}, args...), none, io.Discard, &errs)
	r, err := savedReport(path)
	require.NoError(t, err, errs.String())
	require.Equal(t, code, r.ExitCode)
	return code, r, errs.String()
}

// failures are the clauses that a report says to be broken, or that it cannot tell.
func failures(r *report.Report) []string {
	var list []string
	for _, c := range r.Clauses {
		if c.Verdict == verdict.Fail || c.Verdict == verdict.HarnessError || c.Verdict == verdict.Inconclusive {
			list = append(list, c.ID)
		}
	}
	return list
}

// TestObserveAJourney lets the reference application follow a story.
func TestObserveAJourney(t *testing.T) {
	t.Parallel()
	code, r, said := observed(t, "first-payment", "--patience", "30s", "--allow-unreached", "--", "paysandbox", "app", "--follow", "--quiet")
	require.Equal(t, verdict.CodeMet, code, said)
	require.Len(t, r.Scenarios, 1)
	require.Equal(t, report.Passed, r.Scenarios[0].Status, said)
	require.Equal(t, verdict.Pass, verdicts(r)["partner.payer.registered-first"])
	require.Contains(t, said, "task 1: ")
}

// TestNobodyDoesTheTasks ends a journey that nobody takes part in, and says so.
func TestNobodyDoesTheTasks(t *testing.T) {
	t.Parallel()
	code, r, said := observed(t, "first-payment", "--patience", "300ms", "--", "cat")
	require.Equal(t, verdict.CodeLittle, code, said)
	require.Equal(t, report.Failed, r.Scenarios[0].Status)
	require.Contains(t, said, `"do":"createCompany"`, "the tasks come as JSON lines")
	require.Contains(t, strings.Join(r.Notes, "\n"), "The journey first-payment broke off")
}

// TestTheApplicationGoesInTheMiddle judges what was seen although the story was
// not told to its end.
func TestTheApplicationGoesInTheMiddle(t *testing.T) {
	t.Parallel()
	tape := filepath.Join(t.TempDir(), "tape.jsonl")
	for command, failed := range map[string]bool{"exit 3": true, "read task; exit 0": false} {
		code, r, said := observed(t, "first-payment", "late-return", "--save-tape", tape, "--", "sh", "-c", command)
		require.Equal(t, verdict.CodeLittle, code, said)
		require.Contains(t, r.Reason, "first-payment, late-return")
		require.Equal(t, failed, strings.Contains(r.Reason, "exit status 3"), r.Reason)
		info, err := os.Stat(tape)
		require.NoError(t, err)
		require.NotZero(t, info.Size())
	}
}

// TestFilesAreLeftAlone: an old tape is not lost when nothing can be watched.
func TestFilesAreLeftAlone(t *testing.T) {
	t.Parallel()
	a := started(t)
	old := filepath.Join(t.TempDir(), "old.jsonl")
	require.NoError(t, os.WriteFile(old, []byte("a tape"), 0o600))
	taken := strings.TrimPrefix(a.BaseURL, "http://")
	code := run(t.Context(), []string{"observe", "--addr", taken, "--save-tape", old, "--format", "json=" + old + "2"}, none, io.Discard, io.Discard)
	require.Equal(t, verdict.CodeConfig, code)
	kept, err := os.ReadFile(old)
	require.NoError(t, err)
	require.Equal(t, "a tape", string(kept))
	require.NoFileExists(t, old+"2")
}

// TestNothingIsLeftBehind ends what an interrupted command has started. The command
// is interrupted once it has told what that is.
func TestNothingIsLeftBehind(t *testing.T) {
	t.Parallel()
	note := filepath.Join(t.TempDir(), "pid")
	require.NoError(t, exec.CommandContext(t.Context(), "mkfifo", note).Run())
	ctx, interrupt := context.WithCancel(t.Context())
	told := make(chan string, 1)
	go func() {
		raw, _ := os.ReadFile(note) // it waits until somebody has written
		told <- strings.TrimSpace(string(raw))
		interrupt()
	}()
	code := run(ctx, []string{"observe", "--addr", "127.0.0.1:0", "--", "sh", "-c", "sleep 61 & echo $! > " + note + "; wait"}, none, io.Discard, io.Discard)
	require.Equal(t, verdict.CodeLittle, code)
	pid, err := strconv.Atoi(<-told)
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "status"))
		return err != nil || strings.Contains(string(text), "State:\tZ")
	}, time.Minute, 10*time.Millisecond)
}

// TestInterruptedTwice kills a command that does not listen, and judges all the
// same.
func TestInterruptedTwice(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "report.json")
	cmd := exec.CommandContext(t.Context(), "paysandbox", "observe", "--format", "json="+path, "--", "sh", "-c", "trap '' INT TERM; echo it is deaf >&2; while :; do sleep 1; done")
	out, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	var said strings.Builder
	for lines := bufio.NewScanner(out); lines.Scan(); {
		said.WriteString(lines.Text() + "\n")
		if strings.Contains(lines.Text(), "it is deaf") || strings.Contains(lines.Text(), "another Ctrl-C kills it") {
			require.NoError(t, cmd.Process.Signal(os.Interrupt))
		}
	}
	_ = cmd.Wait() // the exit code tells
	require.Equal(t, verdict.CodeLittle, cmd.ProcessState.ExitCode(), said.String())
	require.Contains(t, said.String(), "was killed")
	require.FileExists(t, path)
}

// TestInterrupted judges what was seen when the user has had enough: the command runs.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	note := filepath.Join(t.TempDir(), "runs")
	require.NoError(t, exec.CommandContext(t.Context(), "mkfifo", note).Run())
	ctx, interrupt := context.WithCancel(t.Context())
	go func() {
		_, _ = os.ReadFile(note) // it waits until somebody has written
		interrupt()
	}()
	var out, errs bytes.Buffer
	code := run(ctx, []string{"observe", "--", "sh", "-c", "echo >" + note + "; exec sleep 60"}, none, &out, &errs)
	require.Equal(t, verdict.CodeLittle, code, errs.String())
	require.Contains(t, out.String(), "has called nothing")
	require.NotContains(t, errs.String(), "the observed command failed")
}

// TestAKilledSessionLeavesItsTape: what was seen can be judged, is not enough, and
// the command does not live on.
func TestAKilledSessionLeavesItsTape(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, note := filepath.Join(dir, "tape.jsonl"), filepath.Join(dir, "pid")
	require.NoError(t, os.WriteFile(path, []byte("the last session"), 0o600))
	cmd := exec.CommandContext(t.Context(), "paysandbox", "observe", "--save-tape", path, "--", "sh", "-c",
		"echo $$ > "+note+"; exec paysandbox app --quiet")
	require.NoError(t, cmd.Start())
	require.Eventually(t, func() bool {
		raw, _ := os.ReadFile(path + ".partial")
		return bytes.Contains(raw, []byte(`"createCompany"`)) // so the application has called
	}, 2*time.Minute, 10*time.Millisecond)

	none := func(string) (string, bool) { return "", false }
	var errs bytes.Buffer
	code := run(t.Context(), []string{"observe", "--save-tape", path, "--", "true"}, none, io.Discard, &errs)
	require.Equal(t, verdict.CodeConfig, code)
	require.Contains(t, errs.String(), "process "+strconv.Itoa(cmd.Process.Pid)+" writes this tape")

	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait()
	kept, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "the last session", string(kept))
	raw, err := os.ReadFile(note)
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		text, err := os.ReadFile(filepath.Join("/proc", strings.TrimSpace(string(raw)), "status"))
		return err != nil || strings.Contains(string(text), "State:\tZ")
	}, time.Minute, 10*time.Millisecond, "the command lives on")

	errs.Reset()
	var out bytes.Buffer
	code = run(t.Context(), []string{"observe", "--tape", path + ".partial", "--clauses", "partner.client.user-agent"}, none, &out, &errs)
	require.Equal(t, verdict.CodeLittle, code, errs.String())
	require.Contains(t, out.String(), "the tape is incomplete")
}

// TestReportsAreWrittenWithoutATape: a tape that cannot be written is no reason to
// lose the verdict.
func TestReportsAreWrittenWithoutATape(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "gone")
	require.NoError(t, os.Mkdir(dir, 0o700))
	code, r, said := observed(t, "--save-tape", filepath.Join(dir, "tape.jsonl"), "--", "rm", "-r", dir)
	require.Equal(t, verdict.CodeBroken, code, said)
	require.Len(t, r.Clauses, len(clause.Integration()))
	require.Contains(t, strings.Join(r.Notes, " "), "the tape could not be written; nothing is left of it")
	require.NotContains(t, said, "; tape: "+dir)
	require.NotContains(t, said, "observe: tape: "+dir)
}

// TestUntilEnough repeats the command as long as it meets new trouble, and not when it
// meets none.
func TestUntilEnough(t *testing.T) {
	t.Parallel()
	count := filepath.Join(t.TempDir(), "runs")
	_, r, said := observed(t, "--until-enough", "--", "sh", "-c", "echo run >> "+count)
	raw, err := os.ReadFile(count)
	require.NoError(t, err, said)
	require.Equal(t, "run\nrun\n", string(raw))
	require.Regexp(t, `The command was run twice \(--until-enough\): the last time it met no new trouble\. What is left waits for calls that it does not make: .*a refund`, strings.Join(r.Notes, " "))
	require.Contains(t, said, "the command is run again (2 of 10 at most)")
	_, r, _ = observed(t, "--until-enough", "--", "false")
	require.Contains(t, strings.Join(r.Notes, " "), "The command was run once (--until-enough): it failed.")
	none := func(string) (string, bool) { return "", false }
	require.Equal(t, verdict.CodeConfig, run(t.Context(), []string{"observe", "--until-enough"}, none, io.Discard, io.Discard))
}

// TestAReadyWorldHasNoPartner: who goes on from one has called nothing, and is blamed for
// none of the calls that have built it.
func TestAReadyWorldHasNoPartner(t *testing.T) {
	t.Parallel()
	s := mocktest.Start(t, mocktest.Options{World: "paid-payment"})
	entries := s.Tape(t, tape.Filter{})
	require.NotEmpty(t, entries)
	j, err := judge.Tape(tape.Meta{Environment: "sandbox", Clock: "manual"}, entries, judge.Options{})
	require.NoError(t, err)
	require.Equal(t, "Nothing can be said: the application has called nothing.", j.End.Readiness.Sentence)
	for _, c := range j.Clauses {
		require.NotEqual(t, verdict.Fail, c.Verdict, c.ID)
	}
}
