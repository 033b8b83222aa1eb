package judge_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/check/checktest"
	"paysandbox/harness/clause"
	"paysandbox/harness/observe/judge"
	"paysandbox/harness/report"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// TestNothingCalled judges an application that never calls.
func TestNothingCalled(t *testing.T) {
	t.Parallel()
	j, err := judge.Tape(tape.Meta{Environment: "sandbox", Clock: "real"}, nil, judge.Options{})
	require.NoError(t, err)
	require.Equal(t, verdict.CodeLittle, j.End.ExitCode)
	require.Len(t, j.Clauses, len(clause.Integration()))
	missing := map[string]report.Missing{}
	for _, m := range j.End.Readiness.Missing {
		require.NotEmpty(t, m.Exercise)
		missing[m.Clause] = m
	}
	aboutKeys := slices.DeleteFunc(clause.Integration(), func(c clause.Clause) bool { return !strings.HasPrefix(string(c.ID), "partner.idempotency.") })
	require.NotEmpty(t, aboutKeys, "keys are ignored unless the ledger's choice is another")
	require.Len(t, missing, len(clause.Integration())-len(aboutKeys))
	levels := make([]string, 0, len(missing))
	for _, m := range j.End.Readiness.Missing {
		levels = append(levels, m.Level)
	}
	order := map[string]int{"MUST": 1, "SHOULD": 2, "MAY": 3}
	require.True(t, slices.IsSortedFunc(levels, func(a, b string) int { return order[a] - order[b] }), "the most binding come first: %v", levels)
	require.Contains(t, missing["partner.company.rejected"].Exercise, "--environment rehearsal")
	for _, c := range j.Clauses {
		if c.ID == "partner.company.rejected" || strings.HasPrefix(c.ID, "partner.idempotency.") {
			require.Equal(t, verdict.NotApplicable, c.Verdict, "the sandbox environment knows no rejected company, and keys are ignored")
			continue
		}
		if c.ID != "partner.company.verified-first" {
			require.Equal(t, verdict.NotExercised, c.Verdict, c.ID)
			require.NotEmpty(t, c.Reason, c.ID)
		}
	}
	rehearsed, err := judge.Tape(tape.Meta{Environment: "rehearsal"}, nil, judge.Options{})
	require.NoError(t, err)
	require.NotContains(t, rehearsed.End.Readiness.Missing, missing["partner.company.rejected"])
}

// TestDigests are those of the files.
func TestDigests(t *testing.T) {
	t.Parallel()
	meta := tape.Meta{Seed: 7, Clock: "real"}
	entries := numbered(checktest.Noted("task", map[string]any{"id": 1}))
	filter, err := clause.ParseClauses("partner.retry.after,partner.retry.bounded")
	require.NoError(t, err)
	j, err := judge.Tape(meta, entries, judge.Options{Clauses: filter})
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

	for _, other := range []judge.Options{{}, {Clauses: filter, AllowUnreached: true}, {Clauses: filter, FailOn: clause.Must}} {
		k, err := judge.Tape(meta, entries, other)
		require.NoError(t, err)
		require.NotEqual(t, j.End.Readiness.Digests[1], k.End.Readiness.Digests[1], "that is judged in another way")
	}
	_, err = judge.Tape(meta, []tape.Entry{{Kind: tape.KindControl}}, judge.Options{})
	require.Error(t, err, "that is no tape")
}

// TestAResetIsTold says that a tape does not begin at the beginning.
func TestAResetIsTold(t *testing.T) {
	t.Parallel()
	j, err := judge.Tape(tape.Meta{}, numbered(checktest.Noted("reset", map[string]any{})), judge.Options{})
	require.NoError(t, err)
	require.Len(t, j.Notes, 1)
	require.Contains(t, j.Notes[0], "was reset")
	j, err = judge.Tape(tape.Meta{}, numbered(checktest.Noted("task", nil)), judge.Options{})
	require.NoError(t, err)
	require.Empty(t, j.Notes)
}

// TestWhatComesAfterAnInterruptionIsNotJudged: an application that is ended from
// outside leaves things undone.
func TestWhatComesAfterAnInterruptionIsNotJudged(t *testing.T) {
	t.Parallel()
	call := tape.Entry{Kind: tape.KindExchange, Exchange: &tape.Exchange{Operation: "listCompanies", Method: "GET", Path: "/Company/List", Response: tape.Response{Status: 200}}}
	j, err := judge.Tape(tape.Meta{}, numbered(checktest.Noted("interrupted", map[string]any{}), call), judge.Options{})
	require.NoError(t, err)
	require.Contains(t, j.End.Readiness.Sentence, "has called nothing")
	require.Contains(t, j.Notes[0], "after entry #1 is not judged")
	j, err = judge.Tape(tape.Meta{}, numbered(call, checktest.Noted("interrupted", map[string]any{})), judge.Options{})
	require.NoError(t, err)
	require.NotContains(t, j.End.Readiness.Sentence, "has called nothing")
}

// TestJourneysThatBrokeOffAreOnTheTape, even behind the note that the application was
// ended: who judges the tape again comes to no better verdict than who watched.
func TestJourneysThatBrokeOffAreOnTheTape(t *testing.T) {
	t.Parallel()
	broken := checktest.Noted("broke-off", map[string]any{"journeys": []string{"first-payment"}})
	j, err := judge.Tape(tape.Meta{}, numbered(checktest.Noted("interrupted", map[string]any{}), broken), judge.Options{AllowUnreached: true})
	require.NoError(t, err)
	require.Equal(t, verdict.CodeLittle, j.End.ExitCode)
	require.Contains(t, j.End.Reason, "first-payment")
	require.False(t, j.End.Readiness.Ready)
}

// TestWhyItWasNotEnough tells why trouble that was met has shown nothing.
func TestWhyItWasNotEnough(t *testing.T) {
	t.Parallel()
	event := tape.Entry{Kind: tape.KindEvent, Event: &tape.Event{Name: "PAYMENT_STATUS_CHANGED", ID: "e", Body: []byte(`{"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"p","Status":"Processing"}}`)}}
	attempt := func(profile string, status int) tape.Entry {
		return tape.Entry{Kind: tape.KindAttempt, Entities: []string{"p"}, Attempt: &tape.Attempt{
			Delivery: "d", Endpoint: hook, Event: "e", Number: 1, Profile: tape.Profiles(profile), Status: status, Body: event.Event.Body,
		}}
	}
	why := func(clause string, entries ...tape.Entry) string {
		j, err := judge.Tape(tape.Meta{Clock: "real"}, numbered(entries...), judge.Options{})
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
	announced := checktest.Noted("trouble", map[string]any{"clause": "partner.paging.complete", "armed": "burst", "profile": "burst", "endpoint": hook, "next": 2})
	require.Contains(t, why("partner.paging.complete", announced, event, attempt("burst", 200)), "did not bring the matter up")
	signed := attempt("missing-signature", 200)
	require.Contains(t, why("partner.webhook.no-follow-up", event, signed), "signatures first")
}

// TestTheFilterChooses judges and counts what was asked for alone.
func TestTheFilterChooses(t *testing.T) {
	t.Parallel()
	filter, err := clause.ParseClauses("partner.webhook,not partner.webhook.quick")
	require.NoError(t, err)
	j, err := judge.Tape(tape.Meta{}, nil, judge.Options{Clauses: filter})
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
		return tape.Entry{Kind: tape.KindExchange, Exchange: &tape.Exchange{Operation: "createPayment", Method: "POST", Fault: tape.FaultLabel(fault)}}
	}
	attempt := func(profile string) tape.Entry {
		return tape.Entry{Kind: tape.KindAttempt, Attempt: &tape.Attempt{Delivery: "d", Endpoint: hook, Number: 1, Profile: tape.Profiles(profile)}}
	}
	elsewhere := attempt("altered-byte")
	elsewhere.Attempt.Endpoint = "another"
	ours := func(name string) map[string]any {
		return map[string]any{"clause": "partner.retry.after", "clauses": []string{"partner.retry.after"}, "armed": "status=429; retry-after=1", "fault": name}
	}
	altered := map[string]any{"clause": "partner.webhook.altered", "armed": "altered-byte", "profile": "altered-byte", "endpoint": hook, "next": 1}
	entries := numbered(
		checktest.Noted("trouble", ours("observe-busy-1")),
		exchange(""),
		checktest.Noted("trouble", altered),
		checktest.Noted("trouble", ours("observe-busy-2")),
		exchange("observe-busy-2: status=429; retry-after=1"),
		attempt("duplicate"),
		elsewhere,
		checktest.Noted("trouble", altered),
		attempt("odd-json,altered-byte"),
		checktest.Noted("trouble", map[string]any{"clause": "partner.retry.bounded", "armed": "status=503"}),
		exchange("fault-9: status=503"),
		checktest.Noted("task", ours("observe-busy-3")),
	)
	j, err := judge.Tape(tape.Meta{}, entries, judge.Options{})
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
	for agent, want := range map[string]verdict.Word{"gymdesk/2.1": verdict.Pass, "Go-http-client/1.1": verdict.Fail} {
		j, err := judge.Tape(tape.Meta{Clock: "real"}, numbered(call(agent), call(agent)), judge.Options{})
		require.NoError(t, err)
		i := slices.IndexFunc(j.Clauses, func(c report.ClauseResult) bool { return c.ID == "partner.client.user-agent" })
		c := j.Clauses[i]
		require.Equal(t, want, c.Verdict)
		require.NotEmpty(t, c.Evidence)
		require.NotEmpty(t, c.Evidence[0].Entries)
		if want == verdict.Pass {
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
