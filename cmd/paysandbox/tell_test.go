package main

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/sampling"
	"paysandbox/mockserver/mocktest"
)

// TestVerifyTellsTheVerdictBesideAFile: who has the report in a file alone reads what it
// came to, and where the file is.
func TestVerifyTellsTheVerdictBesideAFile(t *testing.T) {
	sampling.NotRaced(t, "TestBrokenTarget goes the same way with it")
	t.Parallel()
	path := filepath.Join(t.TempDir(), "report.html")
	code, out, errs := ran(t, "verify", "--clauses", "company.create.zip", "--format", "html="+path)
	require.Zero(t, code)
	require.Empty(t, out)
	require.Contains(t, errs, "verify: Gate met (exit code 0)\nverify: reports: "+path+"\n")
}

// TestClockWithNothingDue says so, and does not only stand there with another time.
func TestClockWithNothingDue(t *testing.T) {
	t.Parallel()
	sandbox := mocktest.Start(t, mocktest.Options{})
	var out bytes.Buffer
	require.Zero(t, run(t.Context(), []string{"clock", "advance", "24h", "--url", sandbox.URL}, none, &out, &out))
	require.Equal(t, "nothing was due\nnow it is 2026-03-03T17:00:00Z\n", out.String())
}
