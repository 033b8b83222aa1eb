package outcomes_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/outcomes"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/mockserver/tape"
)

// TestAnOutcomeIsLearnt by a look at the report, by the same call with its key, or by an event that came behind it.
func TestAnOutcomeIsLearnt(t *testing.T) {
	t.Parallel()
	begin := time.Date(2026, 3, 2, 17, 0, 0, 0, time.UTC)
	lost := recording.Exchange{Method: "POST", Path: "/Payment/Create", Begin: begin, Answer: recording.Answer{Known: recording.NeverArrived}}
	lost.Header = []tape.Header{{Name: "Idempotency-Key", Value: "k-1"}}
	again := lost
	again.Answer = recording.Answer{Known: recording.Whole, Status: 200}
	report := recording.Exchange{Method: "GET", Path: "/Transaction/Report", Answer: again.Answer}
	run := &play.Run{Answers: []play.Answered{{Operation: "createPayment"}, {Step: 1, N: 1, Operation: "reportTransactions"}}}
	for name, c := range map[string]struct {
		next   recording.Exchange
		event  time.Time
		learnt bool
	}{
		"report":           {report, begin.Add(-time.Second), true},
		"with its key":     {again, begin.Add(-time.Second), true},
		"event":            {recording.Exchange{Method: "GET", Path: "/Company/List"}, begin.Add(time.Second), true},
		"an earlier event": {recording.Exchange{Method: "GET", Path: "/Company/List"}, begin.Add(-time.Second), false},
	} {
		r := &recording.Recording{Exchanges: []recording.Exchange{lost, c.next}, Received: []recording.Received{{At: c.event, Body: []byte(`{"Event":"PAYMENT_STATUS_CHANGED"}`)}}}
		require.Equal(t, c.learnt, outcomes.Learnt(r, run, 0, len(r.Exchanges)), name)
	}
}

// TestWhatShowsThatAPaymentWasPaid: an earlier webhook, else any call.
func TestWhatShowsThatAPaymentWasPaid(t *testing.T) {
	t.Parallel()
	event := func(status string) recording.Received {
		return recording.Received{Body: []byte(`{"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"p-1","Status":"` + status + `"}}`)}
	}
	r := &recording.Recording{Received: []recording.Received{event("Paid"), event("Failed")}}
	heard, call := outcomes.PaidBefore(r, 1, "p-1")
	require.Equal(t, [2]int{1, 0}, [2]int{heard, call})
	heard, call = outcomes.PaidBefore(r, 0, "p-1")
	require.Equal(t, [2]int{0, 0}, [2]int{heard, call})
	r.Exchanges = []recording.Exchange{{Answer: recording.Answer{Body: []byte(`{"id":"P-1","status":"Paid"}`)}}}
	heard, call = outcomes.PaidBefore(r, 0, "p-1")
	require.Equal(t, [2]int{0, 1}, [2]int{heard, call})
}

// TestARefusalThatIsCertain is one for the form of a call, whatever was there before it.
func TestARefusalThatIsCertain(t *testing.T) {
	t.Parallel()
	require.True(t, outcomes.Certain(&play.Answered{Status: 415}))
	require.True(t, outcomes.Certain(&play.Answered{Status: 400, Body: []byte(`{"findings":[{"clause":"payment.create.amount"}]}`)}))
	require.False(t, outcomes.Certain(&play.Answered{Status: 400, Body: []byte(`{"findings":[{"clause":"payment.refund.amount-left"}]}`)}))
	require.False(t, outcomes.Certain(&play.Answered{Status: 404, Operation: "getPaymentStatus"}))
}
