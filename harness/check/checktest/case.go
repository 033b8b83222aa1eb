// Package checktest makes small tapes by hand, and holds them to clauses. It is for
// tests alone.
package checktest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/check"
	"paysandbox/harness/verdict"
)

// Told writes a result for the message of a failed test.
func Told(r check.Result) string {
	text := r.Check
	for _, v := range r.Judgements {
		text += "\n\t" + v.Text()
	}
	return text
}

// Case is a small tape and what one clause has to say about it.
type Case struct {
	clause string
	name   string
	want   verdict.Word
	// clock is "manual" where it is not "real".
	clock string
	play  func(s *Tape)
}

// On is a case of a clause: its name, what the clause is to come to, the clock, and
// what happens.
func On(clause, name string, want verdict.Word, clock string, play func(s *Tape)) Case {
	return Case{clause, name, want, clock, play}
}

// Partner finds the check of a clause of the integration catalogue.
func Partner(tb testing.TB, id string) *check.Check {
	tb.Helper()
	for _, c := range check.Integration() {
		if c.ID == id {
			return &c
		}
	}
	require.Fail(tb, "no check "+id)
	return nil
}

// Play is Odd for cases that are to cover their clauses: of each there
// is at least one tape that passes, one that fails and one that has nothing to do
// with it.
func Play(t *testing.T, cases []Case) {
	t.Helper()
	seen := Odd(t, cases)
	for id, by := range seen {
		for _, want := range []verdict.Word{verdict.Pass, verdict.Fail, verdict.NotExercised} {
			require.NotZero(t, by[want], "%s has no case that is %s", id, want)
		}
	}
}

// Odd judges each tape by its clause, and counts what they come to. A good
// tape that was cut at either end never fails, a bad one never panics.
func Odd(t *testing.T, cases []Case) map[string]map[verdict.Word]int {
	t.Helper()
	seen := map[string]map[verdict.Word]int{}
	for _, c := range cases {
		if seen[c.clause] == nil {
			seen[c.clause] = map[verdict.Word]int{}
		}
		seen[c.clause][c.want]++
		t.Run(c.clause+" "+c.name, func(t *testing.T) {
			t.Parallel()
			s := c.judged(t)
			s.cuts(t, Partner(t, c.clause), c.want)
		})
	}
	return seen
}

// Whole judges each tape by its clause, whose first entries decide what the
// later ones mean.
func Whole(t *testing.T, cases []Case) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.clause+" "+c.name, func(t *testing.T) {
			t.Parallel()
			c.judged(t)
		})
	}
}

// Hinted expects a failure to say what was expected, what came, and how to mend
// it, with entries; and nothing to be left in doubt otherwise.
func Hinted(t *testing.T, r *check.Result) {
	t.Helper()
	for _, v := range r.Judgements {
		require.NotEqual(t, verdict.NotReached, v.Word, Told(*r))
		require.NotEmpty(t, v.Received, Told(*r))
		if v.Word == verdict.Fail || v.Word == verdict.Warning {
			require.NotEmpty(t, v.Expected, Told(*r))
			require.NotEmpty(t, v.Hint, Told(*r))
			require.NotEmpty(t, v.Entries, Told(*r))
		}
	}
}
