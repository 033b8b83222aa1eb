package diagnose_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/diagnose"
	"paysandbox/harness/replay/play"
)

// TestWhatAStandInLacksIsNobodysFault: of a payment from before the recording the replay shows null
// where it was made without; of one that the recording has made itself, that is the service's.
func TestWhatAStandInLacksIsNobodysFault(t *testing.T) {
	t.Parallel()
	differs := func(operation, line, body, where, was, is string, earlier bool) compare.Difference {
		in := newInput().call(operation, line, whole(200, body), 200, "{}")
		if earlier {
			in.Run.Script.Steps = append(in.Run.Script.Steps, play.Step{Call: &play.Call{N: play.Prelude, Stands: []correlate.Value{{Type: correlate.Payment, Text: "P-1"}}}})
		}
		list := []compare.Difference{
			{Operation: operation, Where: where, Recorded: was, Replayed: is, Class: compare.Unexplained},
			{Operation: operation, Where: "/transactions/1/paymentRequestId", Recorded: "q", Replayed: "z", Class: compare.Unexplained},
		}
		diagnose.Explain(in.Recording, in.Run, list)
		return list[0]
	}
	details := func(where, was, is string, earlier bool) compare.Difference {
		return differs("getTransaction", "GET /Transaction/PaymentRequest/p-1", "{}", where, was, is, earlier)
	}
	d := details("/dueDate", "2026-03-20", "null", true)
	require.Equal(t, compare.Nobody, d.Class)
	require.True(t, d.Assumed)
	require.Equal(t, compare.Service, details("/dueDate", "2026-03-20", "null", false).Class)
	require.Equal(t, compare.Service, details("/amount/currency", "EUR", "USD", true).Class)
	rows := `{"transactions":[{"paymentRequestId":"P-1"},{"paymentRequestId":"q"}]}`
	report := func(where, is string) compare.Class {
		return differs("reportTransactions", "GET /Transaction/Report", rows, where, "7", is, true).Class
	}
	require.Equal(t, compare.Nobody, report("/transactions/0/refundedAmount", "0"))
	require.Equal(t, compare.Service, report("/transactions/0/amount", "5"))
	require.Equal(t, compare.Unexplained, report("/transactions/1/amount", "5"), "the row is another's")
	require.Equal(t, compare.Unexplained, report("/nextCursor", "null"), "the rows are others")
	require.Equal(t, compare.Unexplained, report("", "{}"))
}
