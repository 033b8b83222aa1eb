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
