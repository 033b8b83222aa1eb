package verdict_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/verdict"
)

// outweighs says of each word which others it stands before. It is written out, so
// that a change of the order is a decision and not an accident.
var outweighs = map[verdict.Word][]verdict.Word{
	verdict.Fail: {
		verdict.HarnessError, verdict.Inconclusive, verdict.Review, verdict.Warning, verdict.Pass,
		verdict.NotReached, verdict.NotApplicable, verdict.Disabled, verdict.NotExercised,
	},
	verdict.HarnessError: {
		verdict.Inconclusive, verdict.Review, verdict.Warning, verdict.Pass,
		verdict.NotReached, verdict.NotApplicable, verdict.Disabled, verdict.NotExercised,
	},
	verdict.Inconclusive: {
		verdict.Review, verdict.Warning, verdict.Pass,
		verdict.NotReached, verdict.NotApplicable, verdict.Disabled, verdict.NotExercised,
	},
	verdict.Review: {
		verdict.Warning, verdict.Pass,
		verdict.NotReached, verdict.NotApplicable, verdict.Disabled, verdict.NotExercised,
	},
	verdict.Warning: {
		verdict.Pass, verdict.NotReached, verdict.NotApplicable, verdict.Disabled, verdict.NotExercised,
	},
	verdict.Pass:          {verdict.NotReached, verdict.NotApplicable, verdict.Disabled, verdict.NotExercised},
	verdict.NotReached:    {verdict.NotApplicable, verdict.Disabled, verdict.NotExercised},
	verdict.NotApplicable: {verdict.Disabled, verdict.NotExercised},
	verdict.Disabled:      {verdict.NotExercised},
	verdict.NotExercised:  {},
}

// TestEveryPairOfWords tells which of two judgements stands, in either order.
func TestEveryPairOfWords(t *testing.T) {
	t.Parallel()
	require.Len(t, outweighs, len(verdict.Words()))
	pairs := 0
	for graver, others := range outweighs {
		require.Equal(t, graver, verdict.Gravest(graver, graver))
		for _, other := range others {
			pairs++
			require.Equal(t, graver, verdict.Gravest(graver, other), "%s and %s", graver, other)
			require.Equal(t, graver, verdict.Gravest(other, graver), "%s and %s", other, graver)
			require.Equal(t, graver, verdict.Of([]verdict.Judgement{{Word: other}, {Word: graver}}))
		}
	}
	n := len(verdict.Words())
	require.Equal(t, n*(n-1)/2, pairs, "every pair is decided")
}

// TestWordsAlone are what no judgement, an unknown word and one word mean.
func TestWordsAlone(t *testing.T) {
	t.Parallel()
	require.Equal(t, verdict.NotExercised, verdict.Gravest())
	require.Equal(t, verdict.NotReached, verdict.Of(nil))
	require.Equal(t, verdict.Word("bogus"), verdict.Gravest(verdict.Fail, "bogus"), "a mistake is seen")
	for _, w := range verdict.Words() {
		require.GreaterOrEqual(t, w.Rank(), 0)
		require.NotEmpty(t, w.Label())
		require.False(t, w.Judged() && w == verdict.HarnessError)
	}
	require.Equal(t, "no evidence", verdict.NotExercised.Label())
	tones := map[verdict.Tone][]verdict.Word{}
	for _, w := range append(verdict.Words(), "bogus") {
		tones[w.Tone()] = append(tones[w.Tone()], w)
	}
	require.Equal(t, map[verdict.Tone][]verdict.Word{
		verdict.Good: {verdict.Pass}, verdict.Bad: {verdict.Fail, verdict.HarnessError},
		verdict.Warn:  {verdict.Inconclusive, verdict.Review, verdict.Warning},
		verdict.Plain: {verdict.NotReached, verdict.NotApplicable, verdict.Disabled, verdict.NotExercised, "bogus"},
	}, tones)
}
