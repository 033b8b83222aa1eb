package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNumbersThatMeanNothing are refused with the flag's name and what it takes.
func TestNumbersThatMeanNothing(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"tail", "--lines", "-3"},
		{"tape", "show", "no.tape", "--most", "0"},
		{"tape", "diff", "a.tape", "b.tape", "--most", "-1"},
		{"verify", "--timeout", "-1s"},
		{"verify", "--concurrency", "0"},
		{"serve", "--tape-entries", "0"},
		{"observe", "--for", "-1s"},
	} {
		code, out, errs := ran(t, args...)
		require.Equal(t, 2, code, "%v: %s", args, errs)
		require.Empty(t, out)
		require.Contains(t, errs, "hint: ")
		require.Contains(t, errs, args[len(args)-2], "%v", args)
	}
}
