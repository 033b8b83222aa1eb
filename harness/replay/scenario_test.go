package replay_test

import (
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/read"
	"paysandbox/harness/replay/writeout"
	"paysandbox/harness/sampling"
	"paysandbox/harness/verify"
)

// scenario is what a case is written as for the features.
func scenario(t *testing.T, s *play.Sandbox, c *replay.Case) (text string, untold []string) {
	t.Helper()
	raw, untold, err := writeout.Feature(c.Written(s))
	if err != nil {
		require.ErrorContains(t, err, "nothing of this case can be told as a scenario")
		return "", nil
	}
	return string(raw), untold
}

// plays runs a feature as verify does.
func plays(t *testing.T, s *play.Sandbox, of, text string) {
	t.Helper()
	r, err := verify.Run(t.Context(), verify.Plan{
		Features: fstest.MapFS{"case.feature": {Data: []byte(text)}}, BaseURL: s.Base, ControlURL: s.Base, Seed: 1, Now: time.Now,
	})
	require.NoError(t, err, of)
	for i := range r.Scenarios {
		assert.Empty(t, r.Scenarios[i].Error, "%s\n%s", of, text)
	}
	assert.Len(t, r.Scenarios, 1, of)
}

// TestAFeatureOfSeveralPayments: what happens to each payment is a step, and the refusal is for what the partner's was.
func TestAFeatureOfSeveralPayments(t *testing.T) {
	t.Parallel()
	s := sandbox(t)
	text, untold := scenario(t, s, made(t, s, []string{"testdata/two-payments.jsonl"}, read.Options{}))
	require.Empty(t, untold)
	require.NotContains(t, text, "\n    #", "nothing is left to a comment")
	require.Contains(t, text, "When \"approve\" happens to the payment\n")
	require.Contains(t, text, "Then the answer has the status 400\n    And the call cites the clause \"payment.refund.amount-left\"\n")
	plays(t, s, "two payments", text)
}

// TestFeaturesOfReportsRun: what a report is written as runs in verify, and does not leave out in a comment what people did without telling.
func TestFeaturesOfReportsRun(t *testing.T) {
	sampling.NotRaced(t, "each runs a suite")
	t.Parallel()
	s := sandbox(t)
	for _, path := range some(t, 4, 24) {
		text, untold := scenario(t, s, readReport(t, path).made(t, s).Case)
		if text == "" {
			continue
		}
		if told := strings.Join(untold, "\n"); told == "" {
			require.NotRegexp(t, `# (people: |[a-z-]+ happens to )`, text, path)
		}
		plays(t, s, path, text)
	}
}
