package judge_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"testing"
	"time"

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
		return tape.Entry{Kind: tape.KindExchange, Exchange: &tape.Exchange{Operation: "createPayment", Method: "POST", Fault: fault}}
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

// TestTell gives a sink all clauses and the end.
func TestTell(t *testing.T) {
	t.Parallel()
	j, err := judge.Tape(tape.Meta{}, nil, judge.Options{})
	require.NoError(t, err)
	collector := report.NewCollector(nil)
	j.Tell(collector)
	r := collector.Report()
	require.Len(t, r.Clauses, len(j.Clauses))
	require.Equal(t, verdict.CodeLittle, r.ExitCode)
	require.Equal(t, j.End.Readiness.Sentence, r.Readiness.Sentence)
}

// TestWhatIsLeftOutIsCounted tells how many calls the tests have announced to be
// wrong on purpose.
func TestWhatIsLeftOutIsCounted(t *testing.T) {
	t.Parallel()
	call := func() tape.Entry {
		return tape.Entry{Kind: tape.KindExchange, Exchange: &tape.Exchange{
			Operation: "createPayment", Method: "POST", Token: "jti", Request: tape.Request{Body: []byte(`{"amount":10.5}`)}, Response: tape.Response{Status: 400},
		}}
	}
	for _, announced := range []bool{false, true} {
		list := []tape.Entry{call()}
		if announced {
			list = append([]tape.Entry{checktest.Noted("deliberate", map[string]any{"operation": "createPayment", "calls": 1})}, list...)
		}
		j, err := judge.Tape(tape.Meta{Environment: "rehearsal"}, numbered(list...), judge.Options{})
		require.NoError(t, err)
		said := strings.Join(j.Notes, "\n")
		require.Equal(t, announced, strings.Contains(said, "1 call was left out: the tests have announced that they are wrong on purpose"), said)
	}
}

// TestAnnouncementsThatSayNothingAreTold: a note with a name that is misspelt, or with a
// value of another form, is not judged, and does not go unnoticed.
func TestAnnouncementsThatSayNothingAreTold(t *testing.T) {
	t.Parallel()
	for want, note := range map[string]tape.Entry{
		"": checktest.Noted("intent", map[string]any{"operation": "createPayment", "amount": 100, "dueDate": "2026-03-31"}),
		`The note of kind intent at entry #1 does not say what is meant: there is no member "location"; its members are operation, reference, amount, parts, locationId, dueDate.`: checktest.Noted("intent", map[string]any{"operation": "createPayment", "location": "x"}),
		"amount is a string":                   checktest.Noted("intent", map[string]any{"operation": "createPayment", "amount": "49.90"}),
		`the dueDate "31/03/2026" is no day`:   checktest.Noted("intent", map[string]any{"operation": "createPayment", "dueDate": "31/03/2026"}),
		`there is no operation "creatPayment"`: checktest.Noted("intent", map[string]any{"operation": "creatPayment", "amount": 1}),
		`kind deliberate at entry #1 does not`: checktest.Noted("deliberate", map[string]any{"operation": "creatPayment"}),
		`its members are operation, calls`:     checktest.Noted("deliberate", map[string]any{"count": 3}),
	} {
		j, err := judge.Tape(tape.Meta{Environment: "rehearsal"}, numbered(note), judge.Options{})
		require.NoError(t, err)
		require.Contains(t, strings.Join(j.Notes, "\n"), want)
		require.Equal(t, want != "", len(j.Notes) > 0, j.Notes)
	}
}

// TestJourneysForWhatIsMissing names the stories in which a clause comes up.
func TestJourneysForWhatIsMissing(t *testing.T) {
	t.Parallel()
	j, err := judge.Tape(tape.Meta{Environment: "rehearsal"}, nil, judge.Options{Journeys: func(clause string) []string { return []string{"story of " + clause} }})
	require.NoError(t, err)
	require.NotEmpty(t, j.End.Readiness.Missing)
	for _, m := range j.End.Readiness.Missing {
		require.Equal(t, []string{"story of " + m.Clause}, m.Journeys)
	}
}

// TestPolling: who reads states needs no webhooks, unless it has registered one.
func TestPolling(t *testing.T) {
	t.Parallel()
	uses := checktest.Noted("uses", map[string]bool{"polling": true})
	registered := tape.Entry{Kind: tape.KindControl, Exchange: &tape.Exchange{
		Operation: "addWebhook", Method: "POST", Path: "/_sandbox/integrations/default/webhooks", Response: tape.Response{Status: 200},
	}}
	for name, c := range map[string]struct {
		entries []tape.Entry
		polls   bool
	}{
		"says so":                {numbered(uses), true},
		"says nothing":           {numbered(checktest.Noted("task", map[string]any{})), false},
		"registers all the same": {numbered(uses, registered), false},
	} {
		j, err := judge.Tape(tape.Meta{Clock: "real"}, c.entries, judge.Options{})
		require.NoError(t, err)
		for _, one := range j.Clauses {
			if strings.HasPrefix(one.ID, "partner.webhook.") {
				require.Equal(t, c.polls, one.Verdict == verdict.NotApplicable, "%s: %s is %s", name, one.ID, one.Verdict)
			}
		}
		for _, m := range j.End.Readiness.Missing {
			require.False(t, c.polls && strings.HasPrefix(m.Clause, "partner.webhook."), "%s: %s", name, m.Clause)
		}
	}
}

// TestSpanned: a clause took as long as from the first entry that it was judged by to the
// last, moves of a running clock apart; one that nothing was seen of took no time.
func TestSpanned(t *testing.T) {
	t.Parallel()
	call := func(seq uint64, at time.Duration) tape.Entry {
		return tape.Entry{Seq: seq, At: int64(at), Kind: tape.KindExchange, Exchange: &tape.Exchange{
			Operation: "listCompanies", Method: "GET", Path: "/Company/List", Auth: tape.AuthValid,
			Request: tape.Request{Header: []tape.Header{{Name: "User-Agent", Value: "shop/1.0"}}}, Response: tape.Response{Status: 200},
		}}
	}
	j, err := judge.Tape(tape.Meta{}, []tape.Entry{call(1, time.Hour), call(2, 2*time.Hour), call(3, 90*time.Minute+time.Hour)}, judge.Options{})
	require.NoError(t, err)
	took := map[string]time.Duration{}
	for _, c := range j.Clauses {
		took[c.ID] = c.Spanned
	}
	require.Equal(t, 90*time.Minute, took["partner.client.user-agent"])
	require.Zero(t, took["partner.payment.books"])

	day := tape.Entry{Seq: 2, At: int64(time.Second), Kind: tape.KindClock, Clock: &tape.Clock{From: int64(time.Second), To: int64(time.Second + 24*time.Hour), Mode: "real"}}
	j, err = judge.Tape(tape.Meta{Clock: "real"}, []tape.Entry{call(1, 0), day, call(3, 3*time.Second+24*time.Hour)}, judge.Options{})
	require.NoError(t, err)
	for _, c := range j.Clauses {
		took[c.ID] = c.Spanned
	}
	require.Equal(t, 3*time.Second, took["partner.client.user-agent"], "nobody has waited for a day")
}
