package judge_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/check/checktest"
	"paysandbox/harness/observe/judge"
	"paysandbox/harness/report"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

func judged(id, level string, v verdict.Word) report.ClauseResult {
	return report.ClauseResult{ID: id, Level: level, Verdict: v}
}

// TestGate holds exit codes and sentences.
func TestGate(t *testing.T) {
	t.Parallel()
	pass := judged("p", "MUST", verdict.Pass)
	tests := map[string]struct {
		clauses []report.ClauseResult
		calls   int
		allow   bool
		code    int
		ready   bool
		says    []string
	}{
		"all hold":               {[]report.ClauseResult{pass}, 1, false, 0, true, []string{"Ready for production access: 1 of 1 rule "}},
		"a MUST is broken":       {[]report.ClauseResult{pass, judged("m", "MUST", verdict.Fail)}, 1, false, 1, false, []string{"Not ready", "1 requirement is broken: m."}},
		"a SHOULD is broken":     {[]report.ClauseResult{pass, judged("s", "SHOULD", verdict.Fail)}, 1, false, 1, true, []string{"Ready for production access, with 1 thing to mend: 1 recommendation is not followed: s, which blocks nothing and fails this run (exit code 1); --fail-on must lets that pass."}},
		"what is only assumed":   {[]report.ClauseResult{pass, judged("partner.webhook.order", "MUST", verdict.Fail)}, 1, false, 1, true, []string{"Ready for production access, on condition: by 0001-01-31 1 rule is to be mended, or shown not to be required: partner.webhook.order. Nobody but this sandbox"}},
		"assumed, and unseen":    {[]report.ClauseResult{judged("partner.webhook.order", "MUST", verdict.Fail), judged("u", "MUST", verdict.NotExercised)}, 1, false, 1, false, []string{"Not ready for production access yet", "Broken on condition, until 0001-01-31: partner.webhook.order."}},
		"both":                   {[]report.ClauseResult{judged("s", "SHOULD", verdict.Fail), judged("m", "MUST", verdict.Fail)}, 1, false, 1, false, []string{"Not ready", "requirement is broken: m.", "1 recommendation is not followed: s, which does not block production access."}},
		"nothing was called":     {[]report.ClauseResult{judged("m", "MUST", verdict.NotExercised)}, 0, true, 3, false, []string{"has called nothing"}},
		"a MUST was not seen":    {[]report.ClauseResult{pass, judged("m", "MUST", verdict.NotExercised)}, 1, false, 3, false, []string{"Not ready for production access yet", "1 requirement was not seen: m."}},
		"not seen, allowed":      {[]report.ClauseResult{pass, judged("m", "MUST", verdict.NotExercised)}, 1, true, 0, false, []string{"yet"}},
		"a MUST stayed open":     {[]report.ClauseResult{pass, judged("m", "MUST", verdict.Inconclusive)}, 1, false, 3, false, []string{"not seen: m"}},
		"a SHOULD was not seen":  {[]report.ClauseResult{pass, judged("s", "SHOULD", verdict.NotExercised)}, 1, false, 0, true, []string{"1 of 2 rules", "no requirement is missing or broken; not judged, for want of evidence: 1 recommendation (s)."}},
		"a SHOULD is, another":   {[]report.ClauseResult{judged("s", "SHOULD", verdict.Fail), judged("o", "SHOULD", verdict.NotExercised), judged("partner.retry.bounded", "MUST", verdict.NotExercised), pass}, 1, false, 1, true, []string{"lets that pass; not judged, for want of evidence: partner.retry.bounded and 1 recommendation (o)."}},
		"a MUST does not apply":  {[]report.ClauseResult{pass, judged("m", "MUST", verdict.NotApplicable)}, 1, false, 0, true, nil},
		"a MUST is not shown":    {[]report.ClauseResult{pass, judged("m", "MUST", verdict.Review)}, 1, false, 3, false, []string{"Not shown to be ready for production access: nothing", "do not show 1 requirement: m. Let the application tell its state"}},
		"not even when allowed":  {[]report.ClauseResult{pass, judged("m", "MUST", verdict.Review)}, 1, true, 3, false, []string{"Not shown to be ready"}},
		"nor with a broken one":  {[]report.ClauseResult{judged("b", "MUST", verdict.Fail), judged("m", "MUST", verdict.Review)}, 1, false, 1, false, []string{"Not ready for production access: 1 requirement is broken: b."}},
		"unseen comes before":    {[]report.ClauseResult{pass, judged("u", "MUST", verdict.NotExercised), judged("m", "MUST", verdict.Review)}, 1, false, 3, false, []string{"was not seen: u. Calls and answers alone do not show m."}},
		"not shown and to mend":  {[]report.ClauseResult{judged("m", "MUST", verdict.Review), judged("s", "SHOULD", verdict.Fail)}, 1, false, 1, false, []string{"Not shown to be ready", "s, which does not block"}},
		"a person may look":      {[]report.ClauseResult{pass, judged("s", "SHOULD", verdict.Review)}, 1, false, 0, true, []string{"1 of 2 rules were seen to hold, a person has to look at 1 (s), and no requirement"}},
		"a warning":              {[]report.ClauseResult{pass, judged("m", "MUST", verdict.Warning)}, 1, false, 0, true, []string{"1 of 2 rules were seen to hold, 1 with a warning, and no requirement"}},
		"the harness broke":      {[]report.ClauseResult{pass, judged("m", "MUST", verdict.HarnessError)}, 1, false, 4, false, []string{"could not judge m"}},
		"broke, but failed, too": {[]report.ClauseResult{judged("h", "MUST", verdict.HarnessError), judged("m", "MUST", verdict.Fail)}, 1, false, 1, false, []string{"requirement is broken: m."}},
		"where met, unseen":      {[]report.ClauseResult{pass, judged("partner.paging.complete", "MUST", verdict.NotExercised)}, 1, false, 0, true, []string{"1 of 2 rules", "no requirement is broken; not judged, for want of evidence: partner.paging.complete."}},
		"where met, open":        {[]report.ClauseResult{pass, judged("partner.paging.complete", "MUST", verdict.Inconclusive)}, 1, false, 0, true, []string{"1 of 2 rules"}},
		"where met, broken":      {[]report.ClauseResult{pass, judged("partner.paging.complete", "MUST", verdict.Fail)}, 1, false, 1, false, []string{"Not ready", "partner.paging.complete"}},
		"nothing was judged":     {[]report.ClauseResult{judged("s", "SHOULD", verdict.NotExercised)}, 1, false, 3, false, []string{"Nothing can be said"}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			end := judge.GateOf(tc.clauses, tc.calls, tc.allow).End
			require.Equal(t, tc.code, end.ExitCode)
			require.Equal(t, tc.ready, end.Readiness.Ready)
			for _, text := range tc.says {
				require.Contains(t, end.Readiness.Sentence, text)
			}
			verdicts := map[int]verdict.Word{0: verdict.Pass, 1: verdict.Fail, 3: verdict.Inconclusive, 4: verdict.HarnessError}
			require.Equal(t, verdicts[tc.code], end.Verdict)
			require.Equal(t, name == "not seen, allowed", end.Reason != "", end.Reason)
		})
	}
}

// TestOnlyWhatMustHoldCanFail lets what is advised pass on demand.
func TestOnlyWhatMustHoldCanFail(t *testing.T) {
	t.Parallel()
	pass, advice := judged("p", "MUST", verdict.Pass), judged("s", "SHOULD", verdict.Fail)
	end := judge.LenientGateOf([]report.ClauseResult{pass, advice}).End
	require.Equal(t, verdict.CodeMet, end.ExitCode)
	require.True(t, end.Readiness.Ready)
	require.Contains(t, end.Readiness.Sentence, "Ready for production access, with 1 thing to mend: 1 of 2 rules")
	require.Contains(t, end.Readiness.Sentence, "1 recommendation is not followed: s, which does not block")
	require.Equal(t, verdict.CodeFailed, judge.LenientGateOf([]report.ClauseResult{advice, judged("m", "MUST", verdict.Fail)}).End.ExitCode)
	require.Equal(t, verdict.CodeLittle, judge.LenientGateOf([]report.ClauseResult{advice, judged("m", "MUST", verdict.NotExercised), pass}).End.ExitCode)
	none := judge.LenientGateOf([]report.ClauseResult{advice}).End
	require.Equal(t, verdict.CodeLittle, none.ExitCode)
	require.False(t, none.Readiness.Ready)
	require.Contains(t, none.Readiness.Sentence, "Nothing can be said")
}

// TestBlockingIsWhatMustHold tells the clauses that block from those that do not.
func TestBlockingIsWhatMustHold(t *testing.T) {
	t.Parallel()
	end := judge.GateOf([]report.ClauseResult{judged("s", "SHOULD", verdict.Fail), judged("m", "MUST", verdict.Fail)}, 1, false).End
	require.Equal(t, []string{"m"}, end.Readiness.Blocking)
}

// TestOtherEnvironments: what this environment cannot show spoils no gate, but
// nobody is called ready without it.
func TestOtherEnvironments(t *testing.T) {
	t.Parallel()
	clauses := []report.ClauseResult{judged("p", "MUST", verdict.Pass), judged("m", "MUST", verdict.NotApplicable)}
	end := judge.GateOf(clauses, 1, false, report.Missing{Clause: "m", Level: "MUST"}, report.Missing{Clause: "s", Level: "SHOULD"}).End
	require.Equal(t, verdict.CodeMet, end.ExitCode)
	require.False(t, end.Readiness.Ready)
	require.Contains(t, end.Readiness.Sentence, "1 requirement can be seen with --environment rehearsal only: m.")
}

// TestPartsSayNothingAboutTheWhole: who asks for some clauses hears of them alone.
func TestPartsSayNothingAboutTheWhole(t *testing.T) {
	t.Parallel()
	end := judge.PartOf([]report.ClauseResult{judged("p", "MUST", verdict.Pass), judged("s", "SHOULD", verdict.Fail), judged("m", "MUST", verdict.NotExercised)}).End
	require.False(t, end.Readiness.Ready)
	require.Equal(t, "Only 3 rules were asked for, which says nothing about production access: 1 held, 1 broken: s, "+
		"1 requirement was not seen: m.", end.Readiness.Sentence)
	end = judge.PartOf([]report.ClauseResult{judged("p", "MUST", verdict.Pass)}).End
	require.Equal(t, verdict.CodeMet, end.ExitCode)
	require.False(t, end.Readiness.Ready)
	require.Equal(t, "Only 1 rule was asked for, which says nothing about production access: 1 held.", end.Readiness.Sentence)
}

// TestTheCommandsOwnFailure spoils a gate that is met, and no verdict.
func TestTheCommandsOwnFailure(t *testing.T) {
	t.Parallel()
	met := judge.GateOf([]report.ClauseResult{judged("p", "MUST", verdict.Pass)}, 1, false)
	met.CommandFailed("exit status 7")
	require.Equal(t, verdict.CodeBroken, met.End.ExitCode)
	require.Equal(t, "the gate is met, but the observed command failed: exit status 7", met.End.Reason)
	broken := judge.GateOf([]report.ClauseResult{judged("m", "MUST", verdict.Fail)}, 1, false)
	broken.CommandFailed("exit status 7")
	require.Equal(t, verdict.CodeFailed, broken.End.ExitCode)
	require.Equal(t, "the observed command failed: exit status 7", broken.End.Reason)
	short := judge.GateOf([]report.ClauseResult{judged("p", "MUST", verdict.Pass)}, 1, false)
	short.BrokeOff([]string{"first-payment"})
	require.Equal(t, verdict.CodeLittle, short.End.ExitCode)
	require.Contains(t, short.End.Readiness.Sentence, "first-payment")
	require.False(t, short.End.Readiness.Ready)
	short.Broke(errors.New("the sandbox does not answer"))
	require.Equal(t, verdict.CodeBroken, short.End.ExitCode)
	require.Contains(t, short.End.Reason, "does not answer")
	broken.Broke(errors.New("the sandbox does not answer"))
	require.Equal(t, verdict.CodeFailed, broken.End.ExitCode, "what was seen stays")
	broken.BrokeOff([]string{"first-payment"})
	require.Equal(t, verdict.CodeFailed, broken.End.ExitCode)
	require.Contains(t, broken.End.Reason, "first-payment")
}

// TestTheCommandFailsAndCallsNothing says both.
func TestTheCommandFailsAndCallsNothing(t *testing.T) {
	t.Parallel()
	j := judge.GateOf([]report.ClauseResult{judged("m", "MUST", verdict.NotExercised)}, 0, false)
	j.CommandFailed("exit status 1")
	require.Equal(t, verdict.CodeLittle, j.End.ExitCode)
	require.Equal(t, "Nothing can be said: the application has called nothing. The observed command failed: exit status 1.", j.End.Readiness.Sentence)
}

// TestWhoTellsHisStateIsNotAskedToTellIt: where the state that is told does not show a thing
// yet, the sentence does not ask for a state.
func TestWhoTellsHisStateIsNotAskedToTellIt(t *testing.T) {
	t.Parallel()
	for shows, want := range map[bool]string{
		false: "Let the application tell its state",
		true:  "The state that the application tells does not show it yet",
	} {
		s := checktest.New("")
		s.Payment("p1")
		s.Attempt(s.Became("p1", "Processing", "Paid", nil), "", 200)
		s.Attempt(s.Became("p1", "Paid", "Failed", nil), "", 200)
		if shows {
			s.Shows("p1", 1, 0) // too soon to say
		}
		var entries []tape.Entry
		for _, e := range s.Entries {
			entries = append(entries, *e)
		}
		j, err := judge.Tape(s.Meta, entries, judge.Options{})
		require.NoError(t, err)
		require.Contains(t, j.End.Readiness.Sentence, want)
	}
}

// TestATooShortSessionSaysSo: trouble that had no turn is told apart from what the
// application does not show, with what would do.
func TestATooShortSessionSaysSo(t *testing.T) {
	t.Parallel()
	told := func(notes ...string) judge.Judgement {
		s := checktest.New("")
		s.Payment("p1")
		for _, n := range notes {
			kind, data, _ := strings.Cut(n, " ")
			s.Note(kind, json.RawMessage(data))
		}
		var entries []tape.Entry
		for _, e := range s.Entries {
			entries = append(entries, *e)
		}
		j, err := judge.Tape(s.Meta, entries, judge.Options{})
		require.NoError(t, err)
		return j
	}
	const left = `waits {"for":["a refund"],"short":["partner.webhook.unsigned","partner.webhook.quick"],"traffic":1234,"waiting":{"partner.token.recover":"a POST","partner.retry.after":"a refund"}}`
	const more = "Let it go on, or let --until-enough repeat the command: it takes at least 1300 calls and events more."
	j := told(left)
	require.Contains(t, j.End.Readiness.Sentence, "ended before all the trouble that shows partner.webhook.unsigned had its turn. "+more+
		" The trouble that shows partner.token.recover waits for what did not come: a POST.")
	require.Contains(t, strings.Join(j.Notes, "\n"), "partner.webhook.quick had its turn. "+more)
	for _, m := range j.End.Readiness.Missing {
		if m.Clause == "partner.webhook.unsigned" {
			require.Equal(t, "the session ended before its trouble had its turn", m.Why)
		}
	}
	for _, notes := range [][]string{nil, {`waits {"for":["a refund"]}`}, {left, `enough {}`}, {left, `waits 7`}} {
		require.NotContains(t, told(notes...).End.Readiness.Sentence, "had its turn", notes)
	}
}
