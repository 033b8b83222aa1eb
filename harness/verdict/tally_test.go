package verdict_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/verdict"
)

// TestTally is what a rule's judgements come to.
func TestTally(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		note func(y *verdict.Tally)
		want []verdict.Judgement
	}{
		"nothing": {func(*verdict.Tally) {}, []verdict.Judgement{{Word: verdict.NotReached, Received: "the tape has no call"}}},
		"skipped": {
			func(y *verdict.Tally) { y.Skip("it was dropped"); y.Skip("it was dropped") },
			[]verdict.Judgement{{Word: verdict.NotApplicable, Received: "it was dropped"}},
		},
		"held": {
			func(y *verdict.Tally) { y.Holds(7, 3); y.Holds(3) },
			[]verdict.Judgement{{Word: verdict.Pass, Entries: []uint64{3, 7}, Received: "2 judged and right"}},
		},
		"problems come before what holds": {
			func(y *verdict.Tally) { y.Holds(1); y.Breach("a.b", "x", "y", "z", 5, 2, 5) },
			[]verdict.Judgement{
				{Word: verdict.Fail, Clause: "a.b", Entries: []uint64{2, 5}, Expected: "x", Received: "y", Way: "z"},
				{Word: verdict.Pass, Entries: []uint64{1}, Received: "1 judged and right"},
			},
		},
		"of many problems only some are told": {
			func(y *verdict.Tally) {
				for range 60 {
					y.ReviewAs("odd", "look")
				}
			},
			nil,
		},
	}
	for name, c := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var y verdict.Tally
			c.note(&y)
			got := y.Judgements("no call")
			if c.want == nil {
				require.Len(t, got, 51)
				require.Equal(t, verdict.Judgement{Word: verdict.Review, Received: "10 more of the kind"}, got[50])
				return
			}
			require.Equal(t, c.want, got)
		})
	}
}

// TestExercised never takes silence for a pass.
func TestExercised(t *testing.T) {
	t.Parallel()
	var y verdict.Tally
	require.Equal(t, []verdict.Judgement{{Word: verdict.NotExercised, Received: verdict.NeverUp}}, y.Exercised())
	y.Skip("no fault was met")
	require.Equal(t, []verdict.Judgement{{Word: verdict.NotExercised, Received: "no fault was met"}}, y.Exercised())
	y.WarnAs("a", "b", "c", 4)
	require.Equal(t, []verdict.Judgement{{Word: verdict.Warning, Way: "a", Entries: []uint64{4}, Expected: "b", Received: "c"}}, y.Exercised())
}
