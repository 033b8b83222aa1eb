package diff_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/report"
	"paysandbox/harness/report/diff"
	"paysandbox/harness/verdict"
)

// TestWhatLacksEvidenceNowIsLost: a MUST that was judged and is not seen any more is
// no regression, and no success either.
func TestWhatLacksEvidenceNowIsLost(t *testing.T) {
	t.Parallel()
	for _, is := range append(verdict.Words(), "") {
		for _, was := range append(verdict.Words(), "") {
			for _, level := range []string{"MUST", "SHOULD"} {
				from, to := only(was), only(is)
				for _, r := range []*report.Report{from, to} {
					for i := range r.Clauses {
						r.Clauses[i].Level = level
					}
				}
				d := diff.Compare(from, to)
				unseen := is == verdict.NotExercised || is == verdict.NotReached || is == verdict.Inconclusive || is == verdict.HarnessError
				unshown := is == verdict.Review && was != verdict.Review && was.Judged()
				require.Equal(t, level == "MUST" && (was.Judged() && unseen || unshown), len(d.Lost()) > 0, "%s %s → %s", level, was, is)
			}
		}
	}
	d := diff.Compare(only(verdict.Pass), only(verdict.NotExercised))
	var b strings.Builder
	require.NoError(t, diff.Write("markdown", &d, &b))
	require.True(t, strings.HasPrefix(b.String(), "## ⚠️ Nothing regressed, but 1 requirement has no evidence any more\n"), b.String())
}

// TestNamesAreHarmless: an error names ids of a foreign report on a terminal.
func TestNamesAreHarmless(t *testing.T) {
	t.Parallel()
	require.Empty(t, diff.Names(nil))
	list := []diff.Change{{Clause: "a\x1b[31m\u202e"}, {Clause: strings.Repeat("b", 500)}}
	require.Equal(t, "a␛[31m�, "+strings.Repeat("b", 80)+"…", diff.Names(list))
	require.Equal(t, "a, a, a, a, a and 2 more", diff.Names([]diff.Change{{Clause: "a"}, {Clause: "a"}, {Clause: "a"}, {Clause: "a"}, {Clause: "a"}, {Clause: "a"}, {Clause: "a"}}))
}

// TestADifferenceSaysWhetherReadinessChanged, which is what a manager asks.
func TestADifferenceSaysWhetherReadinessChanged(t *testing.T) {
	t.Parallel()
	yes, no := &report.Report{Readiness: &report.Readiness{Ready: true}}, &report.Report{Readiness: &report.Readiness{}}
	require.Equal(t, []string{"The integration was ready for production, and is not any more."}, diff.Compare(yes, no).Notes)
	require.Equal(t, []string{"The integration was not ready for production, and is now."}, diff.Compare(no, yes).Notes)
	require.Empty(t, diff.Compare(no, no).Notes)
	live, tape, other := *no, *no, *no
	live.Target, live.Observed, tape.Target, other.Observed = "http://127.0.0.1:1", "npm test", "the tape a.tape", "make check"
	require.Empty(t, diff.Compare(&live, &tape).Notes, "the same session, watched and judged again")
	require.Equal(t, []string{"What was observed was npm test and is make check."}, diff.Compare(&live, &other).Notes)
	require.Empty(t, diff.Compare(&report.Report{}, &report.Report{}).Notes)
}
