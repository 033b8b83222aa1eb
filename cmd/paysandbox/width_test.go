package main

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/sampling"
)

// TestTablesFitATerminal: what lists something fits 80 columns, and so does the help of
// every command.
func TestTablesFitATerminal(t *testing.T) {
	sampling.NotRaced(t, "it reads what is printed")
	t.Parallel()
	runs := [][]string{{"clauses"}, {"latitude"}, {"fixture", "list"}, {"journey", "list"}, {"trigger", "--list"}, {"--help"}}
	for _, cmd := range newRoot(func(string) (string, bool) { return "", false }).Commands() {
		runs = append(runs, []string{cmd.Name(), "--help"})
	}
	for _, args := range runs {
		code, text := command(t, args...)
		require.Zero(t, code, args)
		for line := range strings.Lines(text) {
			require.LessOrEqual(t, utf8.RuneCountInString(strings.TrimRight(line, "\n")), lineWidth, "%v: %s", args, line)
		}
	}
}
