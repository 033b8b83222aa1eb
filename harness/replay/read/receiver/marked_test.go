package receiver_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/receiver"
	"paysandbox/harness/replay/recording"
)

// TestMarked tells what counts as having been taken for paid too soon, by what differs.
func TestMarked(t *testing.T) {
	t.Parallel()
	const id = "ec2d4099-c6c9-4ee9-967f-2440fd77f12c"
	at := time.Date(2026, 9, 8, 17, 25, 30, 0, time.UTC)
	paidEvent := func(after time.Duration) []recording.Received {
		return []recording.Received{{At: at.Add(after), Body: []byte(`{"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"` + id + `","Status":"Paid"}}`)}}
	}
	for name, test := range map[string]struct {
		method, body, status string
		received             []recording.Received
		want                 bool
	}{
		"paid is true":               {"PATCH", `{"paid":true,"source":"` + id + `"}`, "Processing", nil, true},
		"by its reference":           {"POST", `{"order":"HK-7721","paymentStatus":"paid"}`, "Pending", nil, true},
		"paid is false":              {"PATCH", `{"paid":false,"source":"` + id + `"}`, "Processing", nil, false},
		"Processing is told on":      {"PATCH", `{"status":"processing","source":"` + id + `"}`, "Processing", nil, false},
		"of what is not known":       {"PATCH", `{"paid":true,"source":"another"}`, "Processing", nil, false},
		"it is Paid":                 {"PATCH", `{"paid":true,"source":"` + id + `"}`, "Paid", nil, false},
		"an event had told it":       {"PATCH", `{"paid":true,"source":"` + id + `"}`, "Processing", paidEvent(2 * time.Second), false},
		"an event tells it far on":   {"PATCH", `{"paid":true,"source":"` + id + `"}`, "Processing", paidEvent(time.Hour), true},
		"it is only asked":           {"GET", `{"paid":true,"source":"` + id + `"}`, "Processing", nil, false},
		"a payment of another state": {"PATCH", `{"paid":true,"source":"` + id + `"}`, "Failed", nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := recording.Recording{Received: test.received, Exchanges: []recording.Exchange{
				{Method: "POST", Path: "/Payment/Create", Begin: at, Body: []byte(`{"reference":"HK-7721"}`), Answer: recording.Answer{Status: 200, Body: []byte(`{"paymentRequestId":"` + id + `"}`)}},
				{Method: "GET", Path: "/Payment/" + id + "/Status", Begin: at.Add(time.Second), Answer: recording.Answer{Status: 200, Body: []byte(`{"id":"` + id + `","status":"` + test.status + `"}`)}},
			}}
			receiver.Marked([]recording.Exchange{{Method: test.method, Begin: at.Add(3 * time.Second), Body: []byte(test.body), Answer: recording.Answer{Status: 200}}}, &r)
			require.Equal(t, test.want, r.Exchanges[1].TooSoon != "")
		})
	}
}
