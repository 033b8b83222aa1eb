package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/sampling"
)

// TestProgress feeds what `make test` shows its progress with: failures are told in
// full and end with 1, and so does a run of nothing.
func TestProgress(t *testing.T) {
	sampling.NotRaced(t, "it runs the go command")
	t.Parallel()
	const passed = `{"Action":"start","Package":"a"}
{"Action":"output","Package":"a","Test":"T","Output":"it says this\n"}
{"Action":"pass","Package":"a","Test":"T"}
{"Action":"skip","Package":"a","Test":"U"}
{"Action":"pass","Package":"a","Elapsed":1}
`
	for _, c := range []struct {
		events      string
		fails       bool
		told, never string
	}{
		{passed, false, "1 packages, 1 tests passed, 0 failed, 1 skipped", "it says this"},
		{strings.ReplaceAll(passed, `"pass"`, `"fail"`), true, "it says this\n", "1 tests passed"},
		{`{"Action":"build-output","ImportPath":"b","Output":"b.go:1: wrong\n"}` + "\n" + `{"Action":"build-fail","ImportPath":"b"}`, true, "b.go:1: wrong\n", "panic"},
		{passed + "go: something else", false, "go: something else\n", "panic"},
		{"", true, "0 packages", "panic"},
	} {
		cmd := exec.CommandContext(t.Context(), "go", "run", "../../.ci/progress")
		cmd.Stdin = strings.NewReader(c.events)
		said, err := cmd.CombinedOutput()
		require.Equal(t, c.fails, err != nil, "%s", said)
		require.Contains(t, string(said), c.told)
		require.NotContains(t, string(said), c.never)
	}
}
