package observe_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness"
	"paysandbox/harness/clause"
	"paysandbox/harness/observe"
	"paysandbox/harness/report"
	"paysandbox/mockserver/tape"
)

func judged(id, level string, v report.Verdict) report.ClauseResult {
	return report.ClauseResult{ID: id, Level: level, Verdict: v}
}

// TestGate holds exit codes and sentences.
func TestGate(t *testing.T) {
	t.Parallel()
	pass := judged("p", "MUST", report.Pass)
	tests := map[string]struct {
		clauses []report.ClauseResult
		calls   int
		allow   bool
		code    int
		ready   bool
		says    []string
	}{
		"all hold":               {[]report.ClauseResult{pass}, 1, false, 0, true, []string{"Ready for production access: 1 of 1 clause "}},
		"a MUST is broken":       {[]report.ClauseResult{pass, judged("m", "MUST", report.Fail)}, 1, false, 1, false, []string{"Not ready", "1 clause of level MUST is broken: m."}},
		"a SHOULD is broken":     {[]report.ClauseResult{pass, judged("s", "SHOULD", report.Fail)}, 1, false, 1, true, []string{"Nothing blocks production access. 1 clause of level SHOULD is broken: s; --fail-on must lets that pass."}},
		"both":                   {[]report.ClauseResult{judged("s", "SHOULD", report.Fail), judged("m", "MUST", report.Fail)}, 1, false, 1, false, []string{"Not ready", "MUST is broken: m.", "1 clause of level SHOULD is broken: s, which does not block production access."}},
		"nothing was called":     {[]report.ClauseResult{judged("m", "MUST", report.NotExercised)}, 0, true, 3, false, []string{"has called nothing"}},
		"a MUST was not seen":    {[]report.ClauseResult{pass, judged("m", "MUST", report.NotExercised)}, 1, false, 3, false, []string{"Not ready for production access yet", "1 clause of level MUST was not seen: m."}},
		"not seen, allowed":      {[]report.ClauseResult{pass, judged("m", "MUST", report.NotExercised)}, 1, true, 0, false, []string{"yet"}},
		"a MUST stayed open":     {[]report.ClauseResult{pass, judged("m", "MUST", report.Inconclusive)}, 1, false, 3, false, []string{"not seen: m"}},
		"a SHOULD was not seen":  {[]report.ClauseResult{pass, judged("s", "SHOULD", report.NotExercised)}, 1, false, 0, true, []string{"1 of 2 clauses"}},
		"a MUST does not apply":  {[]report.ClauseResult{pass, judged("m", "MUST", report.NotApplicable)}, 1, false, 0, true, nil},
		"a person has to look":   {[]report.ClauseResult{pass, judged("m", "MUST", report.Review)}, 1, false, 0, true, nil},
		"a warning":              {[]report.ClauseResult{pass, judged("m", "MUST", report.Warning)}, 1, false, 0, true, nil},
		"the harness broke":      {[]report.ClauseResult{pass, judged("m", "MUST", report.HarnessError)}, 1, false, 4, false, []string{"could not judge m"}},
		"broke, but failed, too": {[]report.ClauseResult{judged("h", "MUST", report.HarnessError), judged("m", "MUST", report.Fail)}, 1, false, 1, false, []string{"MUST is broken: m."}},
		"nothing was judged":     {[]report.ClauseResult{judged("s", "SHOULD", report.NotExercised)}, 1, false, 3, false, []string{"Nothing can be said"}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			end := observe.GateOf(tc.clauses, tc.calls, tc.allow)
			require.Equal(t, tc.code, end.ExitCode)
			require.Equal(t, tc.ready, end.Readiness.Ready)
			for _, text := range tc.says {
				require.Contains(t, end.Readiness.Sentence, text)
			}
			verdicts := map[int]report.Verdict{0: report.Pass, 1: report.Fail, 3: report.Inconclusive, 4: report.HarnessError}
			require.Equal(t, verdicts[tc.code], end.Verdict)
			require.Equal(t, name == "not seen, allowed", end.Reason != "", end.Reason)
		})
	}
}

// TestOnlyWhatMustHoldCanFail lets what is advised pass on demand.
func TestOnlyWhatMustHoldCanFail(t *testing.T) {
	t.Parallel()
	pass, advice := judged("p", "MUST", report.Pass), judged("s", "SHOULD", report.Fail)
	end := observe.LenientGateOf([]report.ClauseResult{pass, advice})
	require.Equal(t, harness.CodeMet, end.ExitCode)
	require.True(t, end.Readiness.Ready)
	require.Contains(t, end.Readiness.Sentence, "Ready for production access: 1 of 2 clauses")
	require.Contains(t, end.Readiness.Sentence, "1 clause of level SHOULD is broken: s, which does not block")
	require.Equal(t, harness.CodeFailed, observe.LenientGateOf([]report.ClauseResult{advice, judged("m", "MUST", report.Fail)}).ExitCode)
	require.Equal(t, harness.CodeLittle, observe.LenientGateOf([]report.ClauseResult{advice, judged("m", "MUST", report.NotExercised), pass}).ExitCode)
	none := observe.LenientGateOf([]report.ClauseResult{advice})
	require.Equal(t, harness.CodeLittle, none.ExitCode)
	require.False(t, none.Readiness.Ready)
	require.Contains(t, none.Readiness.Sentence, "Nothing can be said")
}

// TestBlockingIsWhatMustHold tells the clauses that block from those that do not.
func TestBlockingIsWhatMustHold(t *testing.T) {
	t.Parallel()
	end := observe.GateOf([]report.ClauseResult{judged("s", "SHOULD", report.Fail), judged("m", "MUST", report.Fail)}, 1, false)
	require.Equal(t, []string{"m"}, end.Readiness.Blocking)
}

// TestOtherEnvironments: what this environment cannot show spoils no gate, but
// nobody is called ready without it.
func TestOtherEnvironments(t *testing.T) {
	t.Parallel()
	clauses := []report.ClauseResult{judged("p", "MUST", report.Pass), judged("m", "MUST", report.NotApplicable)}
	end := observe.GateOf(clauses, 1, false, report.Missing{Clause: "m", Level: "MUST"}, report.Missing{Clause: "s", Level: "SHOULD"})
	require.Equal(t, harness.CodeMet, end.ExitCode)
	require.False(t, end.Readiness.Ready)
	require.Contains(t, end.Readiness.Sentence, "1 clause of level MUST can be seen with --environment rehearsal only: m.")
}

// TestPartsSayNothingAboutTheWhole: who asks for some clauses hears of them alone.
func TestPartsSayNothingAboutTheWhole(t *testing.T) {
	t.Parallel()
	end := observe.PartOf([]report.ClauseResult{judged("p", "MUST", report.Pass), judged("s", "SHOULD", report.Fail), judged("m", "MUST", report.NotExercised)})
	require.False(t, end.Readiness.Ready)
	require.Equal(t, "Only 3 clauses were asked for, which says nothing about production access: 1 held, 1 broken: s, "+
		"1 clause of level MUST was not seen: m.", end.Readiness.Sentence)
	end = observe.PartOf([]report.ClauseResult{judged("p", "MUST", report.Pass)})
	require.Equal(t, harness.CodeMet, end.ExitCode)
	require.False(t, end.Readiness.Ready)
	require.Equal(t, "Only 1 clause was asked for, which says nothing about production access: 1 held.", end.Readiness.Sentence)
}

// TestTheCommandsOwnFailure spoils a gate that is met, and no verdict.
func TestTheCommandsOwnFailure(t *testing.T) {
	t.Parallel()
	met := observe.Judgement{End: observe.GateOf([]report.ClauseResult{judged("p", "MUST", report.Pass)}, 1, false)}
	met.CommandFailed("exit status 7")
	require.Equal(t, harness.CodeBroken, met.End.ExitCode)
	require.Equal(t, "the gate is met, but the observed command failed: exit status 7", met.End.Reason)
	broken := observe.Judgement{End: observe.GateOf([]report.ClauseResult{judged("m", "MUST", report.Fail)}, 1, false)}
	broken.CommandFailed("exit status 7")
	require.Equal(t, harness.CodeFailed, broken.End.ExitCode)
	require.Equal(t, "the observed command failed: exit status 7", broken.End.Reason)
	short := observe.Judgement{End: observe.GateOf([]report.ClauseResult{judged("p", "MUST", report.Pass)}, 1, false)}
	short.BrokeOff([]string{"first-payment"})
	require.Equal(t, harness.CodeLittle, short.End.ExitCode)
	require.Contains(t, short.End.Readiness.Sentence, "first-payment")
	require.False(t, short.End.Readiness.Ready)
	short.Broke(errors.New("the sandbox does not answer"))
	require.Equal(t, harness.CodeBroken, short.End.ExitCode)
	require.Contains(t, short.End.Reason, "does not answer")
	broken.Broke(errors.New("the sandbox does not answer"))
	require.Equal(t, harness.CodeFailed, broken.End.ExitCode, "what was seen stays")
	broken.BrokeOff([]string{"first-payment"})
	require.Equal(t, harness.CodeFailed, broken.End.ExitCode)
	require.Contains(t, broken.End.Reason, "first-payment")
}

// TestTheCommandFailsAndCallsNothing says both.
func TestTheCommandFailsAndCallsNothing(t *testing.T) {
	t.Parallel()
	j := observe.Judgement{End: observe.GateOf([]report.ClauseResult{judged("m", "MUST", report.NotExercised)}, 0, false)}
	j.CommandFailed("exit status 1")
	require.Equal(t, harness.CodeLittle, j.End.ExitCode)
	require.Equal(t, "Nothing can be said: the application has called nothing. The observed command failed: exit status 1.", j.End.Readiness.Sentence)
}

// TestNothingCalled judges an application that never calls.
func TestNothingCalled(t *testing.T) {
	t.Parallel()
	j, err := observe.Judge(tape.Meta{Environment: "sandbox", Clock: "real"}, nil, observe.Options{})
	require.NoError(t, err)
	require.Equal(t, harness.CodeLittle, j.End.ExitCode)
	require.Len(t, j.Clauses, len(clause.Integration()))
	missing := map[string]report.Missing{}
	for _, m := range j.End.Readiness.Missing {
		require.NotEmpty(t, m.Exercise)
		missing[m.Clause] = m
	}
	require.Len(t, missing, len(clause.Integration()))
	levels := make([]string, 0, len(missing))
	for _, m := range j.End.Readiness.Missing {
		levels = append(levels, m.Level)
	}
	require.True(t, slices.IsSorted(levels), "MUST comes before SHOULD: %v", levels)
	require.Contains(t, missing["partner.company.rejected"].Exercise, "--environment rehearsal")
	for _, c := range j.Clauses {
		if c.ID == "partner.company.rejected" {
			require.Equal(t, report.NotApplicable, c.Verdict, "the sandbox environment knows no rejected company")
			continue
		}
		if c.ID != "partner.company.verified-first" {
			require.Equal(t, report.NotExercised, c.Verdict, c.ID)
			require.NotEmpty(t, c.Reason, c.ID)
		}
	}
	rehearsed, err := observe.Judge(tape.Meta{Environment: "rehearsal"}, nil, observe.Options{})
	require.NoError(t, err)
	require.NotContains(t, rehearsed.End.Readiness.Missing, missing["partner.company.rejected"])
}

// TestDigests are those of the files.
func TestDigests(t *testing.T) {
	t.Parallel()
	meta := tape.Meta{Seed: 7, Clock: "real"}
	entries := numbered(noted(t, "task", map[string]any{"id": 1}))
	filter, err := harness.ParseClauses("partner.retry.after,partner.retry.bounded")
	require.NoError(t, err)
	j, err := observe.Judge(meta, entries, observe.Options{Clauses: filter})
	require.NoError(t, err)
	var file bytes.Buffer
	require.NoError(t, tape.Write(&file, meta, slices.Values(entries)))
	sum := func(b []byte) string { s := sha256.Sum256(b); return hex.EncodeToString(s[:]) }
	require.Equal(t, []report.Digest{
		{Name: "tape", SHA256: sum(file.Bytes())},
		{Name: "plan", SHA256: sum([]byte("fail on: SHOULD\nallow unreached: false\npartner.retry.after\npartner.retry.bounded\n"))},
		{Name: "service clauses", SHA256: sum(clause.Text())},
		{Name: "integration clauses", SHA256: sum(clause.IntegrationText())},
	}, j.End.Readiness.Digests)

	for _, other := range []observe.Options{{}, {Clauses: filter, AllowUnreached: true}, {Clauses: filter, FailOn: clause.Must}} {
		k, err := observe.Judge(meta, entries, other)
		require.NoError(t, err)
		require.NotEqual(t, j.End.Readiness.Digests[1], k.End.Readiness.Digests[1], "that is judged in another way")
	}
	_, err = observe.Judge(meta, []tape.Entry{{Kind: tape.KindControl}}, observe.Options{})
	require.Error(t, err, "that is no tape")
}

// TestAResetIsTold says that a tape does not begin at the beginning.
func TestAResetIsTold(t *testing.T) {
	t.Parallel()
	j, err := observe.Judge(tape.Meta{}, numbered(noted(t, "reset", map[string]any{})), observe.Options{})
	require.NoError(t, err)
	require.Len(t, j.Notes, 1)
	require.Contains(t, j.Notes[0], "was reset")
	j, err = observe.Judge(tape.Meta{}, numbered(noted(t, "task", nil)), observe.Options{})
	require.NoError(t, err)
	require.Empty(t, j.Notes)
}

// TestWhatComesAfterAnInterruptionIsNotJudged: an application that is ended from
// outside leaves things undone.
func TestWhatComesAfterAnInterruptionIsNotJudged(t *testing.T) {
	t.Parallel()
	call := tape.Entry{Kind: tape.KindExchange, Exchange: &tape.Exchange{Operation: "listCompanies", Method: "GET", Path: "/Company/List", Response: tape.Response{Status: 200}}}
	j, err := observe.Judge(tape.Meta{}, numbered(noted(t, "interrupted", map[string]any{}), call), observe.Options{})
	require.NoError(t, err)
	require.Contains(t, j.End.Readiness.Sentence, "has called nothing")
	require.Contains(t, j.Notes[0], "after entry #1 is not judged")
	j, err = observe.Judge(tape.Meta{}, numbered(call, noted(t, "interrupted", map[string]any{})), observe.Options{})
	require.NoError(t, err)
	require.NotContains(t, j.End.Readiness.Sentence, "has called nothing")
}

// TestWhyItWasNotEnough tells why trouble that was met has shown nothing.
func TestWhyItWasNotEnough(t *testing.T) {
	t.Parallel()
	event := tape.Entry{Kind: tape.KindEvent, Event: &tape.Event{Name: "PAYMENT_STATUS_CHANGED", ID: "e", Body: []byte(`{"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"p","Status":"Processing"}}`)}}
	attempt := func(profile string, status int) tape.Entry {
		return tape.Entry{Kind: tape.KindAttempt, Entities: []string{"p"}, Attempt: &tape.Attempt{
			Delivery: "d", Endpoint: hook, Event: "e", Number: 1, Profile: profile, Status: status, Body: event.Event.Body,
		}}
	}
	why := func(clause string, entries ...tape.Entry) string {
		j, err := observe.Judge(tape.Meta{Clock: "real"}, numbered(entries...), observe.Options{})
		require.NoError(t, err)
		for _, m := range j.End.Readiness.Missing {
			if m.Clause == clause {
				return m.Why
			}
		}
		return "it is not missing"
	}
	require.Empty(t, why("partner.webhook.duplicate"))
	require.Contains(t, why("partner.webhook.duplicate", event, attempt("duplicate", 200), attempt("duplicate", 200)), "Processing")
	require.NotContains(t, why("partner.webhook.duplicate", event, attempt("duplicate", 200), attempt("duplicate", 200)), ";")
	announced := noted(t, "trouble", map[string]any{"clause": "partner.paging.complete", "armed": "burst", "profile": "burst", "endpoint": hook, "next": 2})
	require.Contains(t, why("partner.paging.complete", announced, event, attempt("burst", 200)), "did not bring the matter up")
	signed := attempt("missing-signature", 200)
	require.Contains(t, why("partner.webhook.no-follow-up", event, signed), "signatures first")
}

// TestTheFilterChooses judges and counts what was asked for alone.
func TestTheFilterChooses(t *testing.T) {
	t.Parallel()
	filter, err := harness.ParseClauses("partner.webhook,not partner.webhook.quick")
	require.NoError(t, err)
	j, err := observe.Judge(tape.Meta{}, nil, observe.Options{Clauses: filter})
	require.NoError(t, err)
	require.NotEmpty(t, j.Clauses)
	for _, c := range j.Clauses {
		require.True(t, strings.HasPrefix(c.ID, "partner.webhook."), c.ID)
		require.NotEqual(t, "partner.webhook.quick", c.ID)
		require.NotEmpty(t, c.Source)
		require.NotEmpty(t, c.Title)
		require.Equal(t, "webhooks", c.Area)
	}
}

// TestAttempts counts trouble by its notes and by what met it.
func TestAttempts(t *testing.T) {
	t.Parallel()
	exchange := func(fault string) tape.Entry {
		return tape.Entry{Kind: tape.KindExchange, Exchange: &tape.Exchange{Operation: "createPayment", Method: "POST", Fault: fault}}
	}
	attempt := func(profile string) tape.Entry {
		return tape.Entry{Kind: tape.KindAttempt, Attempt: &tape.Attempt{Delivery: "d", Endpoint: hook, Number: 1, Profile: profile}}
	}
	elsewhere := attempt("altered-byte")
	elsewhere.Attempt.Endpoint = "another"
	ours := func(name string) map[string]any {
		return map[string]any{"clause": "partner.retry.after", "clauses": []string{"partner.retry.after"}, "armed": "status=429; retry-after=1", "fault": name}
	}
	altered := map[string]any{"clause": "partner.webhook.altered", "armed": "altered-byte", "profile": "altered-byte", "endpoint": hook, "next": 1}
	entries := numbered(
		noted(t, "trouble", ours("observe-busy-1")),
		exchange(""),
		noted(t, "trouble", altered),
		noted(t, "trouble", ours("observe-busy-2")),
		exchange("observe-busy-2: status=429; retry-after=1"),
		attempt("duplicate"),
		elsewhere,
		noted(t, "trouble", altered),
		attempt("odd-json,altered-byte"),
		noted(t, "trouble", map[string]any{"clause": "partner.retry.bounded", "armed": "status=503"}),
		exchange("fault-9: status=503"),
		noted(t, "task", ours("observe-busy-3")),
	)
	j, err := observe.Judge(tape.Meta{}, entries, observe.Options{})
	require.NoError(t, err)
	require.Equal(t, []report.Attempt{
		{Clause: "partner.retry.after", Armed: 2, Met: 1},
		{Clause: "partner.retry.bounded", Armed: 1, Met: 1},
		{Clause: "partner.webhook.altered", Armed: 2, Met: 1},
	}, j.End.Readiness.Attempts)
}

// TestEvidenceIsForThoseWhoAct shows the call that breaks a clause, and only the
// numbers of those that hold one.
func TestEvidenceIsForThoseWhoAct(t *testing.T) {
	t.Parallel()
	call := func(agent string) tape.Entry {
		return tape.Entry{At: 1, Kind: tape.KindExchange, Exchange: &tape.Exchange{
			Operation: "listCompanies", Method: "GET", Path: "/Company/List", Auth: tape.AuthValid, Token: "jti",
			Request:  tape.Request{Header: []tape.Header{{Name: "User-Agent", Value: agent}}},
			Response: tape.Response{Status: 200, Body: []byte(`{"companies":[]}`)},
		}}
	}
	for agent, want := range map[string]report.Verdict{"gymdesk/2.1": report.Pass, "Go-http-client/1.1": report.Fail} {
		j, err := observe.Judge(tape.Meta{Clock: "real"}, numbered(call(agent), call(agent)), observe.Options{})
		require.NoError(t, err)
		i := slices.IndexFunc(j.Clauses, func(c report.ClauseResult) bool { return c.ID == "partner.client.user-agent" })
		c := j.Clauses[i]
		require.Equal(t, want, c.Verdict)
		require.NotEmpty(t, c.Evidence)
		require.NotEmpty(t, c.Evidence[0].Entries)
		if want == report.Pass {
			require.Len(t, c.Evidence, 1)
			require.Empty(t, c.Evidence[0].Request)
			continue
		}
		require.Contains(t, c.Evidence[0].Request, "GET /Company/List\nUser-Agent: "+agent)
		require.Contains(t, c.Evidence[0].Response, `{"companies":[]}`)
		require.NotEmpty(t, c.Evidence[0].Expected)
		require.NotEmpty(t, c.Evidence[0].Hint)
	}
}

// TestTell gives a sink all clauses and the end.
func TestTell(t *testing.T) {
	t.Parallel()
	j, err := observe.Judge(tape.Meta{}, nil, observe.Options{})
	require.NoError(t, err)
	collector := report.NewCollector(nil)
	j.Tell(collector)
	r := collector.Report()
	require.Len(t, r.Clauses, len(j.Clauses))
	require.Equal(t, harness.CodeLittle, r.ExitCode)
	require.Equal(t, j.End.Readiness.Sentence, r.Readiness.Sentence)
}
