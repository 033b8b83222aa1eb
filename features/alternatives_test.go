package features_test

import (
	"fmt"
	"io/fs"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/clause"
	"paysandbox/harness/report"
	"paysandbox/harness/sampling"
	"paysandbox/harness/verdict"
	"paysandbox/harness/verify"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/mocktest"
)

// aFew is every which alternative a run plays that is not about them alone. All of
// them are the suite some 150 times over: `make alternatives` plays them.
const aFew = 23

// aFewFiles is every which file of the features a quick run plays under it.
const aFewFiles = 6

// alternatives are the choices that are not their knob's default.
func alternatives() []latitude.Choice {
	var list []latitude.Choice
	for _, k := range latitude.Knobs() {
		list = append(list, k.Choices()[1:]...)
	}
	return list
}

// TestEveryAlternative plays the whole suite against a service that has made
// another choice. Only clauses that name the knob may come out differently; one of
// the specification may not, unless the choice is held back for it.
func TestEveryAlternative(t *testing.T) {
	sampling.NotRaced(t, "the suite is played with it by TestFeatures")
	t.Parallel()
	list, plays := alternatives(), part(t, 1)
	if os.Getenv("PAYSANDBOX_ALTERNATIVES") != "all" {
		list = sampling.Every(t, aFew, sampling.Nth(t, aFew, list, "`make alternatives`"))
		plays = part(t, sampling.Step(t, aFewFiles))
	}
	for _, c := range list {
		t.Run(c.String(), func(t *testing.T) {
			for _, b := range broken(t, c, plays) {
				known, _ := clause.Lookup(b.clause)
				if known.Source.Knob != c.Knob().Name() {
					t.Errorf("%s breaks %s, which does not name the knob: %s", c, b.clause, b.what)
				}
				if known.Source.Kind == clause.Spec && c.Drawn() {
					t.Errorf("%s breaks %s, which the specification states: %s", c, b.clause, b.what)
				}
				t.Logf("%s changes %s", c, b.clause)
			}
		})
	}
}

// breach is a clause that does not hold, and what was seen.
type breach struct{ clause, what string }

// broken verifies a sandbox that has made a choice, by scenarios and by the
// standing checks of every tape, which hold each answer to the description that the
// integration itself serves. It gives the clauses that do not hold.
func broken(tb testing.TB, c latitude.Choice, plays fs.FS) []breach {
	tb.Helper()
	sandbox := mocktest.Start(tb, mocktest.Options{Settings: latitude.Settings{}.Choose(c)})
	r, err := verify.Run(tb.Context(), verify.Plan{
		Features: plays, BaseURL: sandbox.URL, Seed: 1, Concurrency: parallel, Now: time.Now, Tool: "paysandbox", Version: "test",
	})
	require.NoError(tb, err)
	require.Greater(tb, len(r.Scenarios)*sampling.Step(tb, aFewFiles), 600, "the suite was played")
	tb.Logf("%s: %d scenarios", c, len(r.Scenarios))
	var list []breach
	for _, judged := range r.Clauses {
		if judged.Verdict == verdict.Fail {
			list = append(list, breach{judged.ID, seen(judged.Evidence)})
		}
	}
	return list
}

// seen tells the first piece of evidence.
func seen(evidence []report.Evidence) string {
	if len(evidence) == 0 {
		return "no evidence"
	}
	return fmt.Sprintf("%+.600v", evidence[0])
}
