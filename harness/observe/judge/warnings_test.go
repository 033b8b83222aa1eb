package judge_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/observe/judge"
	"paysandbox/harness/report"
	"paysandbox/mockserver/tape"
)

// warned is a call that was served with advice.
func warned(call uint64, findings ...tape.Finding) []tape.Entry {
	return []tape.Entry{
		{Kind: tape.KindExchange, Exchange: &tape.Exchange{Operation: "createPayment", Method: "POST", Path: "/payment", Response: tape.Response{Status: 200}}},
		{Kind: tape.KindFinding, Cause: call, Findings: findings},
	}
}

// TestWarningsAreGrouped by clause and member: a due date in the past 7 times is one
// row, with the first calls that it came in.
func TestWarningsAreGrouped(t *testing.T) {
	t.Parallel()
	past := tape.Finding{Clause: "payment.create.due-date-past", Pointer: "/dueDate", Expected: "today or later", Advisory: true}
	second := func(at string) tape.Finding {
		return tape.Finding{Clause: "company.create.unknown-member", Pointer: "/locations/" + at + "/colour", Advisory: true}
	}
	var entries []tape.Entry
	for range 7 {
		entries = append(entries, warned(uint64(len(entries)+1), past)...)
	}
	entries = append(entries, warned(15, second("0"), second("1"), tape.Finding{Clause: "payment.create.amount", Pointer: "/amount"})...)
	entries = append(entries, tape.Entry{Kind: tape.KindFinding, Findings: []tape.Finding{past}})
	played := warned(18, tape.Finding{Clause: "control.payment.linked", Advisory: true})
	played[0].Kind = tape.KindControl
	entries = append(entries, played...)
	j, err := judge.Tape(tape.Meta{Environment: "sandbox", Clock: "real"}, numbered(entries...), judge.Options{})
	require.NoError(t, err)
	got := j.End.Readiness.Warnings
	require.Len(t, got, 2, "what was refused is no warning, what no call has caused is nobody's, and who plays the payer is not the application")
	require.Equal(t, 7, got[0].Count)
	require.Equal(t, []uint64{1, 3, 5, 7, 9}, got[0].Entries)
	require.NotEmpty(t, got[0].Title, "the catalogue's")
	got[1].Title = ""
	require.Equal(t, report.Warning{Clause: "company.create.unknown-member", Pointer: "/locations/*/colour", Count: 1, Entries: []uint64{15}}, got[1])
	require.NotEmpty(t, j.End.Readiness.Invisible, "what nobody can see is never left out")
}

// TestWhatIsNamedIsCited: the report has each entry that evidence and warnings name, those
// that somebody has to act upon in full.
func TestWhatIsNamedIsCited(t *testing.T) {
	t.Parallel()
	past := tape.Finding{Clause: "payment.create.due-date-past", Pointer: "/dueDate", Expected: "today or later", Advisory: true}
	entries := warned(1, past)
	entries[0].Exchange.Request.Body = []byte(`{"amount":5000}`)
	j, err := judge.Tape(tape.Meta{Environment: "sandbox", Clock: "real"}, numbered(entries...), judge.Options{})
	require.NoError(t, err)
	cited := map[uint64]report.Cited{}
	for _, c := range j.End.Readiness.Cited {
		require.Empty(t, cited[c.Seq].Says, "each once")
		cited[c.Seq] = c
	}
	require.Contains(t, cited[1].Text, `"amount": 5000`)
	named := 0
	for _, c := range j.Clauses {
		for _, e := range c.Evidence {
			for _, n := range e.Entries {
				require.Contains(t, cited[n].Says, "POST /payment 200", c.ID)
				named++
			}
		}
	}
	require.Positive(t, named)
}

// TestWhoAsksForNoTroubleIsNamed: an application that is spared by its own header has not
// shown how it bears what production will bring.
func TestWhoAsksForNoTroubleIsNamed(t *testing.T) {
	t.Parallel()
	entries := warned(1)[:1]
	judged := func() judge.Judgement {
		j, err := judge.Tape(tape.Meta{Environment: "sandbox", Clock: "real"}, numbered(entries...), judge.Options{})
		require.NoError(t, err)
		return j
	}
	require.NotContains(t, strings.Join(judged().Notes, " "), "Sandbox-Fault")
	entries[0].Exchange.Request.Header = []tape.Header{{Name: "sandbox-fault", Value: "none"}}
	j := judged()
	require.Contains(t, strings.Join(j.Notes, " "), "1 call was sent with Sandbox-Fault: none (first at entry #1)")
	entries[0].Exchange.Request.Header = append(entries[0].Exchange.Request.Header, tape.Header{Name: "User-Agent", Value: "curl/8"})
	entries = append(entries, warned(3)[:1]...)
	entries = append(entries, warned(5)[:1]...)
	require.NotContains(t, strings.Join(judged().Notes, " "), "Sandbox-Fault", "a person beside the application may")
}

// TestCitedIsBounded: a report of many and long entries has all their lines, and no more
// of their texts than there is room for.
func TestCitedIsBounded(t *testing.T) {
	t.Parallel()
	var entries []tape.Entry
	var all []uint64
	for n := range 300 {
		x := &tape.Exchange{Method: "POST", Path: "/payment", Request: tape.Request{Body: bytes.Repeat([]byte("x"), 50_000)}}
		entries, all = append(entries, tape.Entry{Kind: tape.KindExchange, Exchange: x}), append(all, uint64(n+1))
	}
	size, without := 0, 0
	cited := report.Cite(numbered(entries...), all, nil)
	for _, c := range cited {
		size += len(c.Text)
		require.LessOrEqual(t, len(c.Text), report.MaxMessage+100)
		if c.Text == "" {
			without++
		}
	}
	require.Len(t, cited, len(all))
	require.Positive(t, without)
	require.Less(t, size, 600<<10)
}
