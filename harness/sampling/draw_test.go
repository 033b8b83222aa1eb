package sampling_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paysandbox/harness/sampling"
)

// drawing is set in the process that draws for TestCheck: flags are given values once
// in a process.
const drawing = "PAYSANDBOX_TEST_DRAWING"

func TestCheck(t *testing.T) {
	if os.Getenv(drawing) != "" {
		sampling.Check(t, func(r *rapid.T) { fmt.Println("drawn", rapid.Uint64().Draw(r, "n")) })
		return
	}
	quick := drawn(t, nil)
	require.Len(t, quick, 20)
	require.Equal(t, quick, drawn(t, nil), "a quick run draws the same each time")
	every := drawn(t, []string{"PAYSANDBOX_TEST=all"})
	require.Len(t, every, 100)
	require.Equal(t, quick, every[:20], "the quick run is the beginning of the whole one")
	other := drawn(t, []string{"PAYSANDBOX_DRAW=7"})
	require.Len(t, other, 20)
	require.NotEqual(t, quick, other)
	require.Equal(t, other[:3], drawn(t, nil, "-rapid.seed=7", "-rapid.checks=3"), "flags go before")
}

// drawn gives what Check draws in a process with more environment and flags.
func drawn(t *testing.T, env []string, flags ...string) []string {
	t.Helper()
	again := exec.CommandContext(t.Context(), os.Args[0], append([]string{"-test.run=^TestCheck$"}, flags...)...)
	again.Env = append(append(os.Environ(), "PAYSANDBOX_TEST=", "PAYSANDBOX_DRAW=", drawing+"=1"), env...)
	out, err := again.CombinedOutput()
	require.NoError(t, err, string(out))
	var list []string
	for line := range strings.Lines(string(out)) {
		if strings.HasPrefix(line, "drawn ") {
			list = append(list, line)
		}
	}
	return list
}
