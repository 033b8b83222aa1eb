package unheard_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/replay/unheard"
)

const id = "86a11e18-7951-483a-b285-0bd752f3aa66"

// outcome says whether the outcome of a refund is unknown, of which an answer is known so, with three other calls that were answered and one
// behind it.
func outcome(known recording.Known, operation, path, told string) bool {
	r, run := &recording.Recording{}, &play.Run{}
	add := func(operation, path string, a recording.Answer) {
		run.Answers = append(run.Answers, play.Answered{N: len(r.Exchanges), Operation: operation})
		r.Exchanges = append(r.Exchanges, recording.Exchange{Method: "POST", Path: path, Place: recording.Place{Source: "a.log"}, Answer: a})
	}
	whole := recording.Answer{Known: recording.Whole, Status: 200}
	for range 3 {
		add("createToken", "/Authentication/Token", whole)
	}
	add("refundPayment", "/Payment/Refund/"+id, recording.Answer{Known: known})
	if operation != "" {
		add(operation, path, recording.Answer{Known: recording.Whole, Status: 200, Body: []byte(told)})
	}
	list := unheard.Of(r, run)
	return len(list) == 1 && list[0] == 3
}

// TestOf: a refund without an answer is open, until a report, the same call or the details of the payment tell of it; its status does not.
func TestOf(t *testing.T) {
	t.Parallel()
	for _, known := range []recording.Known{recording.NeverArrived, recording.NotRecorded} {
		require.True(t, outcome(known, "", "", ""))
		require.True(t, outcome(known, "getPaymentStatus", "/Payment/"+id+"/Status", `{"status":"Paid"}`))
		require.True(t, outcome(known, "listCompanies", "/Company/List", `{}`))
		require.False(t, outcome(known, "reportTransactions", "/Transaction/Report", `{}`))
		require.False(t, outcome(known, "refundPayment", "/Payment/Refund/"+id, ``))
		require.False(t, outcome(known, "getTransaction", "/Transaction/PaymentRequest/"+id, `{}`))
	}
	require.False(t, outcome(recording.Whole, "", "", ""))
	require.False(t, outcome(recording.WithoutBody, "", "", ""))
}
