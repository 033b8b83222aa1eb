package judge_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/observe/judge"
	"paysandbox/harness/report"
	"paysandbox/harness/report/readiness"
	"paysandbox/mockserver/tape"
)

// TestAVerdictIsAboutSomething: the build, the environment, the choices, and a last day.
func TestAVerdictIsAboutSomething(t *testing.T) {
	t.Parallel()
	meta := tape.Meta{Environment: "rehearsal", Latitude: map[string]string{"paging": "small", "idempotency": "honoured"}}
	now := time.Date(2026, 3, 1, 23, 0, 0, 0, time.UTC)
	for want, o := range map[string]judge.Options{
		"About git 3f2a1c9: npm test, judged by paysandbox 1.2.3 with idempotency=honoured, paging=small; valid until 2026-03-31": {Subject: "git 3f2a1c9", ValidFor: 30 * 24 * time.Hour, Now: now},
		"About an unnamed build: npm test, judged by paysandbox 1.2.3 with idempotency=honoured, paging=small":                    {},
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
