package replay_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"paysandbox/harness/replay"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/writeout"
	"paysandbox/harness/sampling"
)

// TestReportsAreMinimised: what is left of a report shows the same fault by itself, and can be written as a scenario.
func TestReportsAreMinimised(t *testing.T) {
	sampling.NotRaced(t, "TestCorpus and TestCallsThatMet replay with it")
	t.Parallel()
	s := sandbox(t)
	for _, path := range some(t, 12, 6) {
		c := readReport(t, path).made(t, s).Case
		f := c.Diagnosis.Fault
		if f == nil || f.Side == "undecidable" && len(f.Webhooks) < 2 {
			continue
		}
		small, _, err := c.Minimise(t.Context(), "", replay.Options{Sandbox: s, Parallel: 2})
		if f.N < 0 && f.Heard == 0 {
			assert.ErrorIs(t, err, replay.ErrKeep, "what never came is shown by all that came")
			continue
		}
		if !assert.NoError(t, err, path) {
			continue
		}
		if c.Diagnosis.Side != "choice" { // which shows as a difference from the default
			assert.Equal(t, c.Signature(), small.Signature(), "%s\n%s\n%s", path, strings.Join(c.Diagnosis.Lines, "\n"), strings.Join(small.Diagnosis.Lines, "\n"))
		}
		calls := slices.ContainsFunc(small.Run.Script.Steps, func(s play.Step) bool { return s.Call != nil })
		if _, err = writeout.Write("feature", written(small, s)); f.Heard > 0 && calls { // two events that contradict each other are no scenario
			assert.NoError(t, err, path)
		}
	}
}
