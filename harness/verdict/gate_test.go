package verdict_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/verdict"
)

// circumstances are all that a run can meet, with what it ends with when nothing
// else is wrong. The first of the list outweighs all after it.
var circumstances = []struct {
	name    string
	meet    func(g *verdict.Gate)
	outcome verdict.Outcome
	code    int
	word    verdict.Word
}{
	{"the plan is wrong", func(g *verdict.Gate) { g.Misconfigured = errors.New("no clock") }, verdict.Misconfigured, 2, verdict.HarnessError},
	{"the target fell silent", func(g *verdict.Gate) { g.Broke, g.Silent = errors.New("hangs"), true }, verdict.RunBroke, 4, verdict.HarnessError},
	{"a rule is broken", func(g *verdict.Gate) { g.Failed = []string{"a"} }, verdict.Failed, 1, verdict.Fail},
	{"the run broke", func(g *verdict.Gate) { g.Broke = errors.New("gone") }, verdict.RunBroke, 4, verdict.HarnessError},
	{"a rule could not be judged", func(g *verdict.Gate) { g.Broken = []string{"b"} }, verdict.RuleBroke, 4, verdict.HarnessError},
	{"nothing was judged", func(g *verdict.Gate) { g.Judged = 0 }, verdict.NothingJudged, 3, verdict.Inconclusive},
	{"a required rule was not seen", func(g *verdict.Gate) { g.Unseen = []string{"u"} }, verdict.Unseen, 3, verdict.Inconclusive},
	{"only a person can tell", func(g *verdict.Gate) { g.NotShown = []string{"n"} }, verdict.NotShown, 3, verdict.Inconclusive},
	{"a journey was not finished", func(g *verdict.Gate) { g.Unfinished = []string{"j"} }, verdict.Unfinished, 3, verdict.Inconclusive},
	{"a deviation is gone", func(g *verdict.Gate) { g.Gone = []string{"d"} }, verdict.DeviationGone, 5, verdict.Fail},
	{"the command failed", func(g *verdict.Gate) { g.CommandFailed = true }, verdict.CommandFailed, 4, verdict.HarnessError},
	{"nothing", func(*verdict.Gate) {}, verdict.Met, 0, verdict.Pass},
}

// TestEveryPairOfCircumstances tells which of two decides, whichever comes first.
func TestEveryPairOfCircumstances(t *testing.T) {
	t.Parallel()
	for i, graver := range circumstances {
		for _, other := range circumstances[i:] {
			t.Run(fmt.Sprintf("%s and %s", graver.name, other.name), func(t *testing.T) {
				t.Parallel()
				g := verdict.Gate{Judged: 1}
				other.meet(&g)
				graver.meet(&g)
				require.Equal(t, graver.outcome, g.Outcome())
				require.Equal(t, graver.code, g.Outcome().Code())
				require.Equal(t, graver.word, g.Outcome().Word())
			})
		}
	}
}

// TestWhatMayBeMissed changes nothing but what was not seen.
func TestWhatMayBeMissed(t *testing.T) {
	t.Parallel()
	for _, c := range circumstances {
		g := verdict.Gate{Judged: 1, MayMiss: true, Unseen: []string{"u"}}
		c.meet(&g)
		want := c.outcome
		if want == verdict.Unseen || want == verdict.Met {
			want = verdict.MetWithout
		}
		require.Equal(t, want, g.Outcome(), c.name)
		require.Equal(t, want == verdict.MetWithout, g.Outcome().Code() == verdict.CodeMet, c.name)
	}
}

func TestSome(t *testing.T) {
	t.Parallel()
	require.Equal(t, "a, b", verdict.Some([]string{"a", "b"}))
	require.Equal(t, "a, b, c, d, e and 2 more", verdict.Some([]string{"a", "b", "c", "d", "e", "f", "g"}))
}

// TestBlamed finds the clause that a judgement counts against.
func TestBlamed(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		named       string
		judged, own []string
		want        string
	}{
		"the one that is named":       {"n", []string{"a"}, []string{"b"}, "n"},
		"one of the scenario's own":   {"", []string{"a", "b"}, []string{"c", "b"}, "b"},
		"the first that is judged":    {"", []string{"a", "b"}, []string{"c"}, "a"},
		"the first of the scenario's": {"", nil, []string{"c", "d"}, "c"},
		"nothing":                     {"", nil, nil, ""},
	}
	for name, c := range tests {
		require.Equal(t, c.want, verdict.Blamed(c.named, c.judged, c.own), name)
	}
}
