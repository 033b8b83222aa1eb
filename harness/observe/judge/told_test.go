package judge_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/check/checktest"
	"paysandbox/harness/observe/judge"
	"paysandbox/harness/report"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

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
