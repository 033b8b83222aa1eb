package check_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/check"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// partnerCase is a small tape and what one clause has to say about it.
type partnerCase struct {
	clause string
	name   string
	want   verdict.Word
	// clock is "manual" where it is not "real".
	clock string
	play  func(s *spool)
}

// partnerCheck finds the check of a clause of the integration catalogue.
func partnerCheck(tb testing.TB, id string) *check.Check {
	tb.Helper()
	for _, c := range check.Integration() {
		if c.ID == id {
			return &c
		}
	}
	require.Fail(tb, "no check "+id)
	return nil
}

// playCases is oddCases for cases that are to cover their clauses: of each there
// is at least one tape that passes, one that fails and one that has nothing to do
// with it.
func playCases(t *testing.T, cases []partnerCase) {
	t.Helper()
	seen := oddCases(t, cases)
	for id, by := range seen {
		for _, want := range []verdict.Word{verdict.Pass, verdict.Fail, verdict.NotExercised} {
			require.NotZero(t, by[want], "%s has no case that is %s", id, want)
		}
	}
}

// oddCases judges each tape by its clause, and counts what they come to. A good
// tape that was cut at either end never fails, a bad one never panics.
func oddCases(t *testing.T, cases []partnerCase) map[string]map[verdict.Word]int {
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
			s.cuts(t, partnerCheck(t, c.clause), c.want)
		})
	}
	return seen
}

// wholeCases judges each tape by its clause, whose first entries decide what the
// later ones mean.
func wholeCases(t *testing.T, cases []partnerCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.clause+" "+c.name, func(t *testing.T) {
			t.Parallel()
			c.judged(t)
		})
	}
}

// judged plays the case and expects what it is to come to.
func (c *partnerCase) judged(t *testing.T) *spool {
	t.Helper()
	s := newSpool(c.clock)
	c.play(s)
	res := partnerCheck(t, c.clause).Judge(s.tape())
	require.Equal(t, c.want, res.Word, told(res))
	hinted(t, &res)
	return s
}

// hinted expects a failure to say what was expected, what came, and how to mend
// it, with entries; and nothing to be left in doubt otherwise.
func hinted(t *testing.T, r *check.Result) {
	t.Helper()
	for _, v := range r.Judgements {
		require.NotEqual(t, verdict.NotReached, v.Word, told(*r))
		require.NotEmpty(t, v.Received, told(*r))
		if v.Word == verdict.Fail || v.Word == verdict.Warning {
			require.NotEmpty(t, v.Expected, told(*r))
			require.NotEmpty(t, v.Hint, told(*r))
			require.NotEmpty(t, v.Entries, told(*r))
		}
	}
}

// cuts judges what is left of the tape when its beginning, or its end, is gone,
// or the content of one entry.
func (s *spool) cuts(t *testing.T, k *check.Check, whole verdict.Word) {
	t.Helper()
	expect := func(meta tape.Meta, entries []tape.Entry, what string, n int) {
		res := k.Judge(check.New(meta, entries, check.Options{}))
		require.NotEqual(t, verdict.HarnessError, res.Word, "%s %d: %s", what, n, told(res))
		if whole != verdict.Fail {
			require.NotEqual(t, verdict.Fail, res.Word, "%s %d: %s", what, n, told(res))
		}
	}
	for n := range len(s.entries) + 1 {
		meta := s.meta
		if n > 0 {
			meta.First, meta.Dropped = uint64(n)+1, uint64(n)
		}
		expect(meta, s.copied()[n:], "without the first", n)
		expect(s.meta, s.copied()[:n], "only the first", n)
		if n < len(s.entries) {
			list := s.copied()
			stub(&list[n])
			expect(s.meta, list, "without the content of entry", n+1)
		}
	}
}
