package sample

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/report"
	"paysandbox/harness/report/format"
)

// Update is the flag -update of the tests.
var Update = flag.Bool("update", false, "rewrite the golden files")

// Golden compares with a file in testdata, byte for byte.
func Golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *Update {
		require.NoError(t, os.WriteFile(file, got, 0o600))
	}
	want, err := os.ReadFile(file) //nolint:gosec // G304: a golden file of the test.
	require.NoError(t, err, "make it with -update")
	require.Equal(t, string(want), string(got))
}

// Written is the report in a format.
func Written(tb testing.TB, name string, r *report.Report) []byte {
	tb.Helper()
	var b bytes.Buffer
	require.NoError(tb, format.Write(name, r, &b))
	return b.Bytes()
}

// Failing is a writer that fails.
type Failing struct{ Err error }

// Write fails.
func (f Failing) Write([]byte) (int, error) { return 0, f.Err }
