package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/report"
	"paysandbox/harness/report/format"
	"paysandbox/harness/verdict"
)

// TestAFolderOfReports reads the reports of a folder, those that come later too, and passes
// over what is none.
func TestAFolderOfReports(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := reportsOf(filepath.Join(dir, "none"))
	require.ErrorContains(t, err, "is not a folder")
	list, err := reportsOf(dir)
	require.NoError(t, err)
	require.Empty(t, list())
	put := func(name string, at time.Time) {
		r := &report.Report{
			Tool: "paysandbox", Version: "dev", Target: "http://127.0.0.1:8484", Observed: "npm test", Seed: 1, Started: at, Verdict: verdict.Pass,
			Clauses:   []report.ClauseResult{{ID: "partner.token.reuse", Title: "Reuses its token", Level: "MUST", Area: "token", Source: "spec", Verdict: verdict.Pass}},
			Scenarios: []report.ScenarioResult{}, Readiness: &report.Readiness{Ready: true, Subject: "git 3f2a1c9"},
		}
		file, err := os.Create(filepath.Join(dir, name))
		require.NoError(t, err)
		require.NoError(t, format.Write("json", r, file))
		require.NoError(t, file.Close())
	}
	day := time.Date(2026, 3, 2, 17, 0, 0, 0, time.UTC)
	put("monday.json", day)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"name":"shop"}`), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "cut.json"), []byte(`{"format":"paysandbox-report/1","too`), 0o600))
	require.Len(t, list(), 1)
	put("tuesday.json", day.AddDate(0, 0, 1))
	found := list()
	require.Len(t, found, 2)
	r := found[0]
	require.Equal(t, "Integration readiness", r.Kind)
	require.Equal(t, "npm test", r.Of)
	require.Equal(t, "git 3f2a1c9", r.Build)
	require.Len(t, r.Clauses, 1)
	require.Equal(t, "ready", r.Word)
	require.Same(t, r, list()[0], "a file that has not changed is read once")
}

// TestAVerdictNamesRequirementsByTheirTitles: who reads the console knows no ids of clauses.
func TestAVerdictNamesRequirementsByTheirTitles(t *testing.T) {
	t.Parallel()
	r := &report.Report{
		Tool: "paysandbox", Version: "dev", Target: "http://127.0.0.1:8484", Observed: "npm test", Seed: 1, Started: time.Unix(0, 0), Verdict: verdict.Fail,
		Clauses:   []report.ClauseResult{{ID: "partner.token.reuse", Title: "Reuses its token", Level: "MUST", Area: "token", Source: "spec", Verdict: verdict.Fail}},
		Scenarios: []report.ScenarioResult{}, Readiness: &report.Readiness{Sentence: "1 requirement is broken: partner.token.reuse.", Blocking: []string{"partner.token.reuse"}},
	}
	var b bytes.Buffer
	require.NoError(t, format.Write("json", r, &b))
	stored, err := storedReport("monday.json", b.Bytes())
	require.NoError(t, err)
	require.Equal(t, "1 requirement is broken: “Reuses its token”.", stored.Reason)
}
