package drive_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/journey"
	"paysandbox/harness/journey/drive"
	"paysandbox/harness/journey/timeline"
	"paysandbox/harness/partner"
	"paysandbox/harness/report"
	"paysandbox/harness/sampling"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
	"paysandbox/scenarios"
)

// written is the tape of a journey as a file.
func written(tb testing.TB, d *drive.Driven) string {
	tb.Helper()
	var b bytes.Buffer
	require.NoError(tb, tape.Write(&b, d.Meta, slices.Values(d.Entries)))
	return b.String()
}

// Every journey comes to its end, every clause that it names holds, and no check
// fails; its account adds up; and a second run has the same tapes, byte for byte.
func TestDrive(t *testing.T) {
	t.Parallel()
	collector := report.NewCollector(nil)
	first, end := live(t, drive.Plan{Seed: 7, Sink: collector})
	list, err := journey.List(scenarios.FS())
	require.NoError(t, err)
	step := sampling.Step(t, 3)
	second, _ := live(t, drive.Plan{Seed: 7, Names: some(t, step)})
	require.Len(t, first, len(list))
	for i, d := range first {
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, list[i].Name, d.Name)
			require.Empty(t, d.Problems)
			require.Equal(t, verdict.Pass, d.Verdict)
			require.Equal(t, slices.DeleteFunc(slices.Clone(d.Played.Clauses), aboutKeys), d.Held(), "by default keys are ignored")
			if i%step == 0 {
				require.Equal(t, written(t, d), written(t, second[i/step]))
			}
			addsUp(t, d)
		})
	}
	require.Equal(t, verdict.CodeMet, end.ExitCode, end.Reason)
	r := collector.Report()
	require.Len(t, r.Scenarios, len(list))
	for _, s := range r.Scenarios {
		require.Equal(t, report.Passed, s.Status, s.Name)
		require.NotEmpty(t, s.Steps)
	}
}

// aboutKeys says whether a clause applies only where idempotency keys are honoured.
func aboutKeys(clause string) bool { return strings.HasPrefix(clause, "partner.idempotency.") }

// Where keys are honoured, the clauses about them hold, too.
func TestDriveWithKeys(t *testing.T) {
	sampling.NotRaced(t, "TestDrive lives the same journeys with it")
	t.Parallel()
	list, end := live(t, drive.Plan{Seed: 7, Latitude: honoured, Names: some(t, sampling.Step(t, 2))})
	for _, d := range list {
		require.Empty(t, d.Problems, d.Name)
		require.Equal(t, d.Played.Clauses, d.Held(), d.Name)
	}
	require.Equal(t, verdict.CodeMet, end.ExitCode, end.Reason)
}

// Another seed makes another world.
func TestDriveSeed(t *testing.T) {
	t.Parallel()
	one, _ := live(t, drive.Plan{Seed: 1, Names: []string{"first-payment"}})
	two, _ := live(t, drive.Plan{Seed: 2, Names: []string{"first-payment"}})
	require.NotEqual(t, written(t, one[0]), written(t, two[0]))
}

// Stories that cannot be told end in a verdict, not in silence.
func TestDriveThatFails(t *testing.T) {
	t.Parallel()
	story := func(tags, steps string) fstest.MapFS {
		text := "Feature: x\n  " + tags + "\n  Scenario: y\n" + steps
		return fstest.MapFS{"x.feature": {Data: []byte(text)}}
	}
	const customer = "    Given the gym, \"Gym\", is a customer of the partner\n"
	for name, c := range map[string]struct {
		scenarios fstest.MapFS
		code      int
		problem   string
	}{
		"wrong expectation": {story("", customer+"    Then the gym is Rejected\n"), verdict.CodeFailed, "it is Verified"},
		"wrong books":       {story("", customer+"    Then the books show 1.00\n"), verdict.CodeFailed, "they show 0.00"},
		"a stranger":        {story("", "    When Dana approves 50.00\n"), verdict.CodeFailed, "does not know Dana's 50.00"},
		"unknown sentence":  {story("", customer+"    When pigs fly\n"), verdict.CodeFailed, "pigs fly"},
		"not exercised":     {story("@clause:partner.paging.complete", customer), verdict.CodeLittle, "partner.paging.complete is not-exercised"},
		"unknown clause":    {story("@clause:partner.nothing", customer), verdict.CodeLittle, "nothing judges partner.nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			list, end := live(t, drive.Plan{Scenarios: c.scenarios})
			require.Equal(t, c.code, end.ExitCode, end.Reason)
			require.Contains(t, strings.Join(list[0].Problems, "\n"), c.problem)
			var b bytes.Buffer
			require.NoError(t, drive.Account(&b, list[0], func(part, text string) string { return "[" + part + "]" + text }))
			require.Contains(t, b.String(), "[title]X (x)")
			require.Contains(t, b.String(), "[fail]")
			require.Contains(t, b.String(), c.problem)
		})
	}
}

// A run that is interrupted says so, and blames nobody.
func TestDriveIsInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	collector := report.NewCollector(nil)
	made := 0
	end, err := drive.Run(ctx, drive.Plan{
		Scenarios: scenarios.FS(), Hosts: sandbox(t), BaseURL: base, Now: time.Now, Sink: collector,
		New: func(s drive.Setting) (drive.Application, error) {
			now := s.Now
			if made++; made == 3 {
				s.Now = func() time.Time { cancel(); return now() }
			}
			return drive.Careless("")(s)
		},
	})
	require.EqualError(t, err, "the run was interrupted at company-rejected")
	require.Equal(t, verdict.CodeBroken, end.ExitCode)
	require.Equal(t, err.Error(), end.Reason)
	told := collector.Report().Scenarios
	require.Len(t, told, 3)
	for i, want := range []report.Status{report.Passed, report.Passed, report.Skipped} {
		require.Equal(t, want, told[i].Status, told[i].Error)
		for _, step := range told[i].Steps {
			require.NotEqual(t, report.Failed, step.Status, step.Error)
		}
	}
}

func TestTimeline(t *testing.T) {
	sampling.NotRaced(t, "TestDrive lives the same journeys with it")
	t.Parallel()
	list, _ := live(t, drive.Plan{Seed: 1, Names: []string{
		"first-payment", "report-pages", "terminal", "dispute", "odd-events", "monthly-plan", "several-locations", "company-rejected",
	}})
	for _, d := range list {
		var b bytes.Buffer
		require.NoError(t, drive.Account(&b, d, drive.Plain))
		golden := filepath.Join("testdata", d.Name+".txt")
		if *update {
			require.NoError(t, os.WriteFile(golden, b.Bytes(), 0o600))
		}
		want, err := os.ReadFile(golden)
		require.NoError(t, err)
		require.Equal(t, string(want), b.String())
	}
}

// A tape of anything is told, also one that nobody has given names to.
func TestTimelineOfAnyTape(t *testing.T) {
	t.Parallel()
	file, err := os.Open("../../../mockserver/tape/testdata/one-of-each.jsonl")
	require.NoError(t, err)
	defer func() { _ = file.Close() }()
	meta, entries, err := tape.Read(file)
	require.NoError(t, err)
	for from := range entries {
		meta.First, meta.Dropped = entries[from].Seq, uint64(from)
		var b bytes.Buffer
		require.NoError(t, timeline.Write(&b, meta, entries[from:]))
		require.Equal(t, from > 0 && meta.First > 1, strings.Contains(b.String(), "have been dropped from the tape"))
	}
}

// What the others of a story cannot do, because the partner has done something
// else before, is told in the service's words.
func TestOthersWhoCannot(t *testing.T) {
	t.Parallel()
	story := "Feature: x\n  Scenario: y\n    Given the gym, \"Gym\", is a customer of the partner\n    And Dana is a registered payer\n" +
		"    When the partner requests 50.00 from Dana for the gym\n    And the partner cancels Dana's 50.00\n    And Dana approves 50.00\n"
	list, _ := live(t, drive.Plan{Scenarios: fstest.MapFS{"x.feature": {Data: []byte(story)}}})
	require.ErrorContains(t, list[0].Err, "this is not possible (409): the payment ")
	require.ErrorContains(t, list[0].Err, " is Canceled")
	require.NotContains(t, list[0].Err.Error(), "{")
	var refused *partner.Refused
	require.ErrorAs(t, list[0].Err, &refused)
}
