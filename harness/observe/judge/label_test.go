package judge_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/observe/judge"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// TestOneLabelIsJudgedAlone: a refused call of somebody else is no fault of mine, and
// what it caused is not mine either; my own is.
func TestOneLabelIsJudgedAlone(t *testing.T) {
	t.Parallel()
	refused := func(seq uint64, label string) tape.Entry {
		return tape.Entry{Seq: seq, Kind: tape.KindExchange, Label: label, Exchange: &tape.Exchange{
			Operation: "createPayment", Method: "POST", Path: "/Payment/Create", Auth: tape.AuthMissing, Response: tape.Response{Status: 401},
		}}
	}
	entries := []tape.Entry{
		refused(1, "theirs"),
		{Seq: 2, Cause: 1, Kind: tape.KindFinding, Label: "theirs", Findings: []tape.Finding{{Clause: "x"}}},
		refused(3, ""),
		{Seq: 4, Cause: 3, Kind: tape.KindFinding, Findings: []tape.Finding{{Clause: "x"}}},
		refused(5, "mine"),
		{Seq: 6, Kind: tape.KindExchange, Exchange: &tape.Exchange{Operation: "issueToken", Method: "POST", Path: "/Authentication/Token", Response: tape.Response{Status: 200}}},
	}
	evidence := func(label string) (seen []uint64) {
		j, err := judge.Tape(tape.Meta{Environment: "sandbox", Clock: "real"}, entries, judge.Options{Label: label})
		require.NoError(t, err)
		for _, c := range j.Clauses {
			for _, e := range c.Evidence {
				seen = append(seen, e.Entries...)
			}
		}
		if label == "nobody's" {
			require.Equal(t, verdict.CodeLittle, j.End.ExitCode)
			require.Contains(t, j.End.Readiness.Sentence, "has called nothing")
			require.Equal(t, `No call bears the label "nobody's"; there are mine, theirs.`, j.Notes[0])
		}
		return seen
	}
	require.Subset(t, evidence(""), []uint64{1, 3, 5})
	require.NotEmpty(t, evidence("mine"))
	for _, seq := range evidence("mine") {
		require.Equal(t, uint64(5), seq)
	}
	require.Empty(t, evidence("nobody's"))
}

// TestWhatOthersAskedForIsNotMine: what becomes of a payment that somebody else has asked
// for, and a token that none of my calls bears, are not judged as mine, though nobody has
// labelled them; and a label that no call bears leaves nothing.
func TestWhatOthersAskedForIsNotMine(t *testing.T) {
	t.Parallel()
	call := func(seq uint64, label, operation, token string) tape.Entry {
		return tape.Entry{Seq: seq, Kind: tape.KindExchange, Label: label, Exchange: &tape.Exchange{Operation: operation, Method: "POST", Path: "/x", Token: token, Response: tape.Response{Status: 200}}}
	}
	moves := func(seq, cause uint64, label, payment, from, to string) tape.Entry {
		return tape.Entry{Seq: seq, Cause: cause, Kind: tape.KindTransition, Label: label, Entities: []string{payment}, Transition: &tape.Transition{Machine: "payment", Entity: payment, From: from, To: to}}
	}
	event := func(seq, cause uint64, payment, id string) tape.Entry {
		return tape.Entry{Seq: seq, Cause: cause, Kind: tape.KindEvent, Entities: []string{payment}, Event: &tape.Event{ID: id}}
	}
	attempt := func(seq, cause uint64, id string) tape.Entry {
		return tape.Entry{Seq: seq, Cause: cause, Kind: tape.KindAttempt, Entities: []string{"delivery", id, "endpoint"}, Attempt: &tape.Attempt{Event: id}}
	}
	control := func(seq uint64) tape.Entry {
		return tape.Entry{Seq: seq, Kind: tape.KindControl, Exchange: &tape.Exchange{Operation: "movePayment"}}
	}
	entries := []tape.Entry{
		call(1, "", "createToken", "t1"), call(2, "", "createToken", "t2"),
		call(3, "theirs", "createPayment", "t2"), moves(4, 3, "theirs", "p1", "", "Pending"),
		call(5, "", "createPayment", "t2"), moves(6, 5, "", "p2", "", "Pending"),
		call(7, "mine", "createPayment", "t1"), moves(8, 7, "mine", "p3", "", "Pending"),
		control(9), moves(10, 9, "", "p1", "Pending", "Paid"), event(11, 9, "p1", "e1"), attempt(12, 9, "e1"),
		control(13), moves(14, 13, "", "p2", "Pending", "Paid"), event(15, 13, "p2", "e2"), attempt(16, 13, "e2"),
		control(17), moves(18, 17, "", "p3", "Pending", "Paid"), event(19, 17, "p3", "e3"), attempt(20, 17, "e3"),
	}
	seqs := func(label string) (list []uint64) {
		for _, e := range judge.Labelled(entries, label) {
			list = append(list, e.Seq)
		}
		return list
	}
	require.Equal(t, []uint64{1, 7, 8, 9, 13, 17, 18, 19, 20}, seqs("mine"))
	require.Equal(t, []uint64{2, 3, 4, 9, 10, 11, 12, 13, 17}, seqs("theirs"))
	require.Empty(t, seqs("nobody's"))
	require.Len(t, seqs(""), len(entries))
}
