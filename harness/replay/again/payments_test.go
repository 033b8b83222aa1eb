package again_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/again"
	"paysandbox/harness/replay/recording"
)

const (
	one, two = "d1798f84-bc21-4121-b24c-01beb8065be4", "e990d3ba-13fa-4bdc-b067-e0453703cba3"
	payer    = "ef2843ff-74cf-46a6-b6dc-0914faa30751"
)

// looked is a look at a payment that was made at a time.
func looked(id, at, status string, amount int) recording.Exchange {
	return recording.Exchange{Method: "GET", Path: "/Payment/" + id + "/Status", Answer: recording.Answer{Known: recording.Whole, Status: 200, Body: []byte(fmt.Sprintf(
		`{"id":%q,"status":%q,"amount":{"value":%d,"currency":"USD"},"creationDate":"2026-08-13T%sZ","dueDate":null}`, id, status, amount, at))}}
}

func heard(id, payer string) recording.Received {
	return recording.Received{Body: []byte(fmt.Sprintf(`{"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":%q,"RegistrationId":%q,"Status":"Paid"}}`, id, payer))}
}

// TestPayments: two payments of one payer and amount, of which no file shows the calls that have made them.
func TestPayments(t *testing.T) {
	t.Parallel()
	events := []recording.Received{heard(one, payer), heard(two, payer)}
	find := func(events []recording.Received, calls ...recording.Exchange) *again.Alike {
		return again.Payments(&recording.Recording{Exchanges: calls, Received: events})
	}
	first, second := looked(one, "20:02:11", "Paid", 11800), looked(two, "20:02:49", "Paid", 11800)
	require.Equal(t, &again.Alike{First: 1, Second: 0, Webhooks: []int{1, 2}, IDs: [2]string{one, two}, Amount: 11800, Made: time.Date(2026, 8, 13, 20, 2, 11, 0, time.UTC), Apart: 38 * time.Second}, find(events, second, first))
	require.NotNil(t, find(events, first, second, recording.Exchange{Method: "POST", Path: "/Payment/Refund/" + two}), "what is done about them makes none")
	row := func(id, reference string) string {
		return fmt.Sprintf(`{"paymentRequestId":%q,"reference":%q}`, id, reference)
	}
	report := func(a, b string) recording.Exchange {
		return recording.Exchange{Method: "GET", Path: "/Transaction/Report", Answer: recording.Answer{Body: []byte(`{"transactions":[` + row(one, a) + "," + row(two, b) + `]}`)}}
	}
	require.NotNil(t, find(events, report("INV-1", "INV-1"), first, second))
	for name, a := range map[string]*again.Alike{
		"the call that makes one is shown":  find(events, first, second, recording.Exchange{Method: "POST", Path: "/Payment/Create"}),
		"a saved card was charged":          find(events, recording.Exchange{Method: "POST", Path: "/Payment/ChargeSavedCard"}, first, second),
		"a plan may have made them":         find(events, recording.Exchange{Method: "GET", Path: "/PaymentPlan/List"}, first, second),
		"they have references of their own": find(events, report("INV-1", "INV-2"), first, second),
		"of another amount":                 find(events, first, looked(two, "20:02:49", "Paid", 11900)),
		"three minutes later":               find(events, first, looked(two, "20:05:12", "Paid", 11800)),
		"one was cancelled":                 find(events, first, looked(two, "20:02:49", "Canceled", 11800)),
		"of another payer":                  find([]recording.Received{heard(one, payer), heard(two, one)}, first, second),
		"whose it is is not shown":          find(events[:1], first, second),
		"one payment, looked at twice":      find(events, first, first),
		"rows of a report alone":            find(events, report("", "")),
	} {
		require.Nil(t, a, name)
	}
}
