package main

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/sampling"
)

// TestEverythingFitsATerminal: no help and no list has a line of more than 80
// characters, but for words that are longer.
func TestEverythingFitsATerminal(t *testing.T) {
	sampling.NotRaced(t, "it reads what is printed")
	t.Parallel()
	commands := [][]string{{"latitude"}, {"clauses"}, {"journey", "list"}, {"app", "--careless", "list"}, {"trigger", "--list"}}
	var each func(c *cobra.Command)
	each = func(c *cobra.Command) {
		commands = append(commands, append(strings.Fields(c.CommandPath())[1:], "--help"))
		for _, below := range c.Commands() {
			each(below)
		}
	}
	each(newRoot(none))
	for _, args := range commands {
		_, out, _ := ran(t, args...)
		for line := range strings.SplitSeq(out, "\n") {
			require.True(t, utf8.RuneCountInString(line) <= lineWidth || len(strings.Fields(line)) == 1, "%v: %s", args, line)
		}
	}
}
