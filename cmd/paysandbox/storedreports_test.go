package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/report/format"
	"paysandbox/harness/report/sample"
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
		r := sample.Integration()
		r.Started = at
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
	require.NotEmpty(t, r.Of)
	require.NotEmpty(t, r.Clauses)
	require.Contains(t, []string{"ready", "not ready", "not enough evidence"}, r.Word)
	require.Same(t, r, list()[0], "a file that has not changed is read once")
}
