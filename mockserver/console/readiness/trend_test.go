package readiness_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/console/readiness"
)

// TestWhatIsWorseIsNamedFirst: of more differences than are named none that is bad now is
// left out, and a clause that a report no longer judges is no difference of nothing.
func TestWhatIsWorseIsNamedFirst(t *testing.T) {
	t.Parallel()
	before, after := readiness.Verdict{Word: "not ready"}, readiness.Verdict{Word: "not ready"}
	for n := range 20 {
		c := readiness.Clause{ID: fmt.Sprintf("partner.%02d", n), Title: "Does it", Word: "fail", Tone: "bad"}
		before.Clauses = append(before.Clauses, c)
		c.Word, c.Tone = "pass", "good"
		after.Clauses = append(after.Clauses, c)
	}
	before.Clauses = append(before.Clauses, readiness.Clause{ID: "partner.gone", Title: "Was judged", Word: "fail", Tone: "bad"}, readiness.Clause{ID: "partner.last", Word: "pass", Tone: "good"})
	after.Clauses = append(after.Clauses, readiness.Clause{ID: "partner.last", Word: "fail", Tone: "bad", Blocks: true})
	p := readiness.PointOf(&after, &before)
	require.Equal(t, readiness.Change{Clause: "partner.last", Was: "pass", Word: "fail", Tone: "bad"}, p.Changed[0])
	require.Equal(t, readiness.Change{Clause: "partner.gone", Title: "Was judged", Was: "fail", Word: "not judged", Tone: "warn"}, p.Changed[1])
	require.Len(t, p.Changed, 12)
	require.Equal(t, 10, p.More)
	require.Equal(t, 20, p.Passed)
	require.Equal(t, 1, p.Blocks)
	require.Empty(t, readiness.PointOf(&after, nil).Changed, "the first differs from nothing")
	require.Empty(t, readiness.PointOf(&after, &after).Changed)
}
