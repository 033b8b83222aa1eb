// Package sampling is for tests: it says which of many like cases a quick run takes.
// `make test` is for people and takes a sample by a fixed rule; `make check` is for
// machines, sets PAYSANDBOX_TEST=all, and takes every case. It must not decide what
// is tested, only how much of it.
package sampling

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
)

// All says whether every case is wanted.
func All() bool { return os.Getenv("PAYSANDBOX_TEST") == "all" }

// Every gives the whole list when every case is wanted, and otherwise its first
// and each nth behind it (an eighth of that with the race detector), and says so in the
// test's log.
func Every[T any](tb testing.TB, n int, list []T) []T {
	tb.Helper()
	if All() || n <= 1 {
		return list
	}
	return Nth(tb, n*fewer(), list, "PAYSANDBOX_TEST=all (`make check`)")
}

// fewer is by how much a sample is smaller with the race detector: it is ten times slower,
// and what it looks for does not come of the one case or the other.
func fewer() int {
	if Raced {
		return 8
	}
	return 1
}

// Nth gives the first of a list and each nth behind it, and says in the test's log
// what takes all of them.
func Nth[T any](tb testing.TB, n int, list []T, all string) []T {
	tb.Helper()
	var some []T
	for i := 0; i < len(list); i += n {
		some = append(some, list[i])
	}
	tb.Logf("a sample: %d of %d cases; %s takes all", len(some), len(list), all)
	return some
}

// Step is by how much a test that tries many like cases divides their number, or goes
// on at a time: 1 when every case is wanted, and otherwise n.
func Step(tb testing.TB, n int) int {
	tb.Helper()
	if All() {
		return 1
	}
	tb.Logf("a sample: one of %d cases; PAYSANDBOX_TEST=all (`make check`) takes all", n)
	return n
}

// OnlyAll leaves a test to `make check` that cannot be had in parts, because of
// what it needs: another program, or the real clock.
func OnlyAll(tb testing.TB, why string) {
	tb.Helper()
	if !All() {
		tb.Skip("LEFT TO `make check`: " + why + " (PAYSANDBOX_TEST=all runs it)")
	}
}

// NotRaced leaves a test that learns nothing of the race detector, because of what it
// measures or starts, to the run without it.
func NotRaced(tb testing.TB, why string) {
	tb.Helper()
	if Raced {
		tb.Skip("NOT WITH THE RACE DETECTOR: " + why + " (`make test` runs it without, and so does `make check`)")
	}
}

// Needs finds a program that a test cannot do without, and gives its path. Where it is
// missing the test is left out, and says so aloud; in continuous integration (CI=true) it fails.
func Needs(tb testing.TB, program, what string) string {
	tb.Helper()
	path, err := exec.LookPath(program)
	if err == nil {
		return path
	}
	missing := "NOT TESTED: " + program + " is not on the PATH, and " + what + ": install it, and run " + tb.Name() + " again"
	if os.Getenv("CI") == "true" {
		tb.Fatal(missing)
	}
	fmt.Fprintln(os.Stderr, "SKIPPED:", missing)
	tb.Skip(missing)
	return ""
}
