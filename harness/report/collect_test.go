package report_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paysandbox/harness/report"
	"paysandbox/harness/report/format"
	"paysandbox/harness/report/redact"
	"paysandbox/harness/report/sample"
	"paysandbox/harness/sampling"
	"paysandbox/harness/verdict"
)

func TestOrderOfArrivalDoesNotMatter(t *testing.T) {
	t.Parallel()
	want := sample.Written(t, "json", sample.Service())
	sampling.Check(t, func(t *rapid.T) {
		runs := rapid.Permutation(sample.Scenarios()).Draw(t, "scenarios")
		judged := rapid.Permutation(sample.Judgements()).Draw(t, "judgements")
		c := report.NewCollector(redact.New(sample.Secret))
		sample.Play(c, runs, judged)
		var b strings.Builder
		require.NoError(t, format.Write("json", c.Report(), &b))
		require.Equal(t, string(want), b.String())
	})
}

func TestParallelScenariosGiveTheSameReport(t *testing.T) {
	t.Parallel()
	c := report.NewCollector(redact.New(sample.Secret))
	c.RunStarted(sample.Run())
	var wait sync.WaitGroup
	for _, r := range sample.Scenarios() {
		wait.Go(func() { sample.PlayOne(c, r) })
	}
	for _, j := range sample.Judgements() {
		wait.Go(func() { c.ClauseJudged(j) })
	}
	wait.Wait()
	c.RunFinished(sample.RunEnd())
	require.Equal(t, sample.Service(), c.Report())
}

func TestOrderOfTheReport(t *testing.T) {
	t.Parallel()
	r := sample.Service()
	var ids, names []string
	for _, c := range r.Clauses {
		ids = append(ids, c.ID)
	}
	for _, s := range r.Scenarios {
		names = append(names, s.Name)
	}
	require.Equal(t, []string{"company.create.zip", "payment.cancel.final-status", "payment.list.order", "payment.refund.limit", "plan.schedule.month-end", "wire.names"}, ids)
	require.Equal(t, []string{"A good zip code", "A bad zip code", "A paid payment stays", "Months of 31 days"}, names)
	require.Len(t, r.Scenarios[1].Steps, 3)
}

func TestTheMostTellingVerdictStands(t *testing.T) {
	t.Parallel()
	zip := sample.Service().Clauses[0]
	require.Equal(t, verdict.Fail, zip.Verdict)
	require.Equal(t, []report.ScenarioRef{sample.ZipGood, sample.ZipRow}, zip.Scenarios)
	require.Len(t, zip.Evidence, 1, "the evidence of the passes is not the failure's")
	require.Equal(t, []uint64{12, 13}, zip.Evidence[0].Entries)

	for i, better := range verdict.Words() {
		for _, worse := range verdict.Words()[i:] {
			c := report.NewCollector(nil)
			c.ClauseJudged(report.ClauseResult{ID: "a", Verdict: worse})
			c.ClauseJudged(report.ClauseResult{ID: "a", Verdict: better})
			require.Equal(t, better, c.Report().Clauses[0].Verdict)
		}
	}
}

func TestEvidenceIsBounded(t *testing.T) {
	t.Parallel()
	c := report.NewCollector(nil)
	for n := range uint64(20) {
		c.ClauseJudged(report.ClauseResult{ID: "a", Verdict: verdict.Fail, MoreEvidence: 1, Scenarios: []report.ScenarioRef{sample.Cancel}, Evidence: []report.Evidence{{Entries: []uint64{n + 1}}}})
	}
	got := c.Report().Clauses[0]
	require.Len(t, got.Evidence, report.MaxEvidence)
	require.Equal(t, 20+20-report.MaxEvidence, got.MoreEvidence)
	require.Equal(t, []uint64{1}, got.Evidence[0].Entries)
	require.Equal(t, []report.ScenarioRef{sample.Cancel}, got.Scenarios, "a scenario is named once")
}

func TestScenarioThatNeverEndsFailed(t *testing.T) {
	t.Parallel()
	c := report.NewCollector(nil)
	c.ScenarioStarted(report.ScenarioStart{ScenarioRef: sample.Cancel})
	got := c.Report().Scenarios
	require.Equal(t, report.Failed, got[0].Status)
	require.Equal(t, "the scenario did not end", got[0].Error)
	c.ScenarioFinished(sample.Cancel, report.ScenarioEnd{Status: report.Passed, Duration: time.Second})
	require.Equal(t, report.Passed, c.Report().Scenarios[0].Status)
	require.Empty(t, c.Report().Scenarios[0].Error)
	require.Equal(t, report.Failed, got[0].Status, "a report is the caller's own")
}

func TestTeeGivesAllEventsToAll(t *testing.T) {
	t.Parallel()
	one, two := report.NewCollector(redact.New(sample.Secret)), report.NewCollector(redact.New(sample.Secret))
	sample.Play(report.Tee(one, two), sample.Scenarios(), sample.Judgements())
	require.Equal(t, sample.Service(), one.Report())
	require.Equal(t, sample.Service(), two.Report())
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	r := sample.Service()
	require.Equal(t, []report.Count{{verdict.Fail, 2}, {verdict.HarnessError, 1}, {verdict.Warning, 1}, {verdict.Pass, 1}, {verdict.NotReached, 1}}, r.Counts())
	areas := r.Areas()
	require.Equal(t, []string{"companies", "payments", "plans", "wire"}, []string{areas[0].Name, areas[1].Name, areas[2].Name, areas[3].Name})
	require.Equal(t, []int{3, 3}, []int{areas[1].Total, areas[1].Judged})
	require.Equal(t, []int{1, 0}, []int{areas[2].Total, areas[2].Judged})
	var troubles []string
	for _, c := range r.Troubles() {
		troubles = append(troubles, c.ID)
	}
	require.Equal(t, []string{"company.create.zip", "payment.refund.limit", "wire.names", "payment.list.order"}, troubles)
}

func TestDeviationThatNoLongerOccursIsTrouble(t *testing.T) {
	t.Parallel()
	r := sample.Service()
	i := slices.IndexFunc(r.Clauses, func(c report.ClauseResult) bool { return c.Verdict == verdict.Pass })
	r.Clauses[i].Deviation = &report.Deviation{Owner: "pat@example.com"}
	require.Len(t, r.Troubles(), 5)
}

func TestHeadlines(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	for code := range 7 {
		r := sample.Service()
		r.ExitCode = code
		require.NotEmpty(t, r.Headline())
		require.NotContains(t, seen, r.Headline())
		seen[r.Headline()] = code
	}
	require.Equal(t, 1, seen["Gate not met: 1 clause failed"], "a known deviation is not counted")
}

func TestRerun(t *testing.T) {
	t.Parallel()
	r := &report.Report{Target: "built-in sandbox", Seed: 9}
	require.Equal(t, "paysandbox verify --seed 9", r.Rerun(""))
	r.Target = "https://x.example/?a=1&b='2'"
	require.Equal(t, `paysandbox verify --target 'https://x.example/?a=1&b='\''2'\''' --seed 9 --clauses a.b`, r.Rerun("a.b"))
	r.Command = "paysandbox observe"
	require.Equal(t, "paysandbox observe --clauses 'a b'", r.Rerun("a b"))
}
