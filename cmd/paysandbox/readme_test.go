package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/verdict"
)

// shellBlock gives the shell lines of the README behind a mark.
func shellBlock(t *testing.T, mark string) string {
	t.Helper()
	raw, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(raw), "<!-- "+mark+" -->\n```sh\n")
	require.True(t, found, mark)
	script, _, found := strings.Cut(rest, "```")
	require.True(t, found, mark)
	return script
}

// TestReadmeQuickStart pastes the README's lines into a shell, one after the
// other, as a newcomer would.
func TestReadmeQuickStart(t *testing.T) {
	t.Parallel()
	a := started(t)
	script := shellBlock(t, "quickstart")
	require.Less(t, strings.Count(script, "\n"), 10, "a paid payment in under ten lines")
	require.Contains(t, script, "http://"+defaultAddr)
	script = strings.ReplaceAll(script, "http://"+defaultAddr, a.BaseURL)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-c", script)
	cmd.Dir = "../.."
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Contains(t, string(out), `"status":"Paid"`)
	require.Contains(t, string(out), `"companies":[{"id":"`)
	require.Contains(t, string(out), `"referenceId":"`)
}

// TestReadmeShellJob runs the README's job for continuous integration with the
// reference application as the partner's own test suite. Everything is seen and
// holds, the gate is met, every file that the job publishes is there, and the saved
// tape says the same.
func TestReadmeShellJob(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	suite := "#!/bin/sh\nexec paysandbox app --quiet\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "acceptance-tests.sh"), []byte(suite), 0o700))
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", shellBlock(t, "shelljob"))
	cmd.Dir = dir
	said, err := cmd.CombinedOutput()
	require.NoError(t, err, string(said))
	for name, holds := range map[string]string{
		"session.tape": `{"tape":1`, "readiness.xml": "<testsuites", "readiness.html": "<!doctype html>", "readiness.md": "Ready for production access",
	} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Contains(t, string(text), holds, name)
	}
	live, err := savedReport(filepath.Join(dir, "readiness.json"))
	require.NoError(t, err)
	require.True(t, live.Readiness.Ready)
	for _, m := range live.Readiness.Missing {
		require.NotEqual(t, "MUST", m.Level, m.Clause)
	}
	require.Greater(t, len(live.Readiness.Attempts), 15, "trouble was made for many clauses")
	require.Contains(t, string(said), "trouble: ")

	code, later, _ := observed(t, "--tape", filepath.Join(dir, "session.tape"))
	require.Equal(t, verdict.CodeMet, code)
	require.Equal(t, verdicts(live), verdicts(later))
	require.Equal(t, live.Readiness.Digests[0], later.Readiness.Digests[0], "it is the same tape")
	_, again, _ := observed(t, "--tape", filepath.Join(dir, "session.tape"))
	require.Equal(t, later, again, "the same tape gives the same report")
}
