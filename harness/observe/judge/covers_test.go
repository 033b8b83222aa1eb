package judge_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/observe/history"
	"paysandbox/harness/observe/judge"
	"paysandbox/harness/report"
	"paysandbox/harness/report/readiness"
	"paysandbox/mockserver/tape"
)

// TestRunsSinceTheLastReady are counted, and the last of them listed.
func TestRunsSinceTheLastReady(t *testing.T) {
	t.Parallel()
	run := func(day int, ready bool) history.Run {
		return history.Run{At: fmt.Sprintf("2026-03-%02dT12:00:00Z", day), SHA256: strings.Repeat("a", 64), Ready: ready}
	}
	before := []history.Run{run(1, false), run(2, true)}
	for n, want := range map[int]string{0: "; ready in the run before, at 2026-03-02T12:00:00Z", 1: "; 1 run since it was ready at 2026-03-02T12:00:00Z", 25: "; 25 runs since it was ready at"} {
		list := slices.Clone(before)
		for i := range n {
			list = append(list, run(3+i, false))
		}
		j, err := judge.Tape(tape.Meta{}, nil, judge.Options{Before: list})
		require.NoError(t, err)
		r := j.End.Readiness
		require.Contains(t, readiness.View{Report: &report.Report{Readiness: r}}.Covers(), want)
		require.Len(t, r.Before, min(n, 20))
		require.Equal(t, n, len(r.Before)+r.BeforeMore)
	}
	j, err := judge.Tape(tape.Meta{}, nil, judge.Options{Before: before[:1]})
	require.NoError(t, err)
	require.Contains(t, readiness.View{Report: &report.Report{Readiness: j.End.Readiness}}.Covers(), "; 1 run before, none of them ready")
}

// TestAVerdictIsAboutSomething: the build, the environment, the choices, and a last day,
// or a moment where hours were asked for.
func TestAVerdictIsAboutSomething(t *testing.T) {
	t.Parallel()
	meta := tape.Meta{Environment: "rehearsal", Latitude: map[string]string{"paging": "small", "idempotency": "honoured"}}
	now := time.Date(2026, 3, 1, 23, 0, 0, 0, time.UTC)
	for want, o := range map[string]judge.Options{
		"About git 3f2a1c9: npm test, judged by paysandbox 1.2.3 with idempotency=honoured, paging=small; valid until 2026-03-31":                {Subject: "git 3f2a1c9", ValidFor: 30 * 24 * time.Hour, Now: now},
		"About an unnamed build: npm test, judged by paysandbox 1.2.3 with idempotency=honoured, paging=small; valid until 2026-03-02T11:00:00Z": {ValidFor: 12 * time.Hour, Now: now},
		"About an unnamed build: npm test, judged by paysandbox 1.2.3 with idempotency=honoured, paging=small":                                   {},
	} {
		j, err := judge.Tape(meta, nil, o)
		require.NoError(t, err)
		r := report.Report{Tool: "paysandbox", Version: "1.2.3", Observed: "npm test", Readiness: j.End.Readiness}
		require.Equal(t, want, readiness.View{Report: &r}.Covers())
		r.Observed = ""
		require.Contains(t, readiness.View{Report: &r}.Covers(), " in the rehearsal environment, judged")
	}
	require.Empty(t, readiness.View{Report: &report.Report{}}.Covers(), "a service's report says what its target was")
}
