package receiver_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/receiver"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// TestReplies: a line that divides a webhook from what stands before, and tells when it came, tells what it was answered, too.
func TestReplies(t *testing.T) {
	t.Parallel()
	for above, want := range map[string]int{
		"##### 2026-11-10T18:28:46.286Z  attempt log: verify=false -> we sent 401": 401,
		"----- 2026-11-10 18:28:46.286 answered 200":                               200,
		"=== 2026-11-10T18:28:46Z, status: 503":                                    503,
		"2026-11-10T18:28:46Z => 204":                                              204,
		"##### attempt log: verify=false -> we sent 401":                           0, // it may be the one above's
		"we saw 2026-11-10T18:28:46Z and sent 401":                                 0,
		"##### 2026-11-10T18:28:46.286Z 4012 bytes":                                0,
	} {
		r := &recording.Recording{Received: []recording.Received{{Place: recording.Place{Source: "a", Line: 3}}}}
		receiver.Replies([]source.File{{Name: "a", Data: []byte("hooks\n" + above + "\nPOST /hook HTTP/1.1\n")}}, r)
		require.Equal(t, want, r.Received[0].Status, above)
	}
}

// TestRepliesByID: a server's line of the request, with its id and its path, tells what a webhook was answered; that of another, or of a
// call which the receiver makes meanwhile, does not.
func TestRepliesByID(t *testing.T) {
	t.Parallel()
	const hook = `{"RequestId":"0HNB-0001","RequestPath":"/hooks/pay","Body":"{}"}` + "\n"
	for behind, want := range map[string]int{
		`{"msg":"checked","RequestId":"0HNB-0001"}` + "\n" + `{"RequestPath":"/hooks/pay","StatusCode":401,"RequestId":"0HNB-0001"}`: 401,
		`{"RequestPath":"/hooks/pay","StatusCode":401,"RequestId":"0HNB-0002"}`:                                                      0,
		`{"RequestPath":"/Payment/p-1/Status","StatusCode":404,"RequestId":"0HNB-0001"}`:                                             0,
		strings.Repeat("{}\n", 100) + `{"RequestPath":"/hooks/pay","StatusCode":401,"RequestId":"0HNB-0001"}`:                        0,
	} {
		r := &recording.Recording{Received: []recording.Received{{Place: recording.Place{Source: "a", Line: 1}}}}
		receiver.Replies([]source.File{{Name: "a", Data: []byte(hook + behind + "\n")}}, r)
		require.Equal(t, want, r.Received[0].Status, behind)
	}
}

// TestRepliesInARun: what a function of Lambda returns to its gateway is what the webhook was answered that its run was of.
func TestRepliesInARun(t *testing.T) {
	t.Parallel()
	const run, another = "2026-06-09T13:04:18.935Z\te826a899-86fd-4629-b8bc-dda0aab1863b\tINFO\t", "2026-06-09T13:04:18.935Z\t04206540-19e3-44dd-b75f-1da19d94eb85\tINFO\t"
	for behind, want := range map[string]int{
		run + `checked` + "\n" + run + `response {"statusCode":401,"body":"bad signature"}`:                            401,
		run + `upstream {"statusCode":500,"body":"x"}` + "\n" + run + `response {"statusCode":200,"headers":{}}`:       200,
		another + `response {"statusCode":401,"body":"bad signature"}`:                                                 0,
		run + `the service says {"statusCode":401}`:                                                                    0,
		`"message": "2026\te826a899-86fd-4629-b8bc-dda0aab1863b\tINFO\tresponse {\"statusCode\":403,\"body\":\"\"}\n"`: 403,
	} {
		r := &recording.Recording{Received: []recording.Received{{Place: recording.Place{Source: "a", Line: 1}}}}
		receiver.Replies([]source.File{{Name: "a", Data: []byte(run + "event {}\n" + behind + "\n")}}, r)
		require.Equal(t, want, r.Received[0].Status, behind)
	}
}

// TestAnother: a receiver's line that names the reference of one other payment alone tells that it took the event for that one's.
func TestAnother(t *testing.T) {
	t.Parallel()
	const october, november = "769cd52a-7ad5-403f-9d7d-b7673d916192", "7cef55bf-29a1-421e-b024-7428aac3b4bb"
	event := fmt.Sprintf(`{"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"%s","Status":"Paid"}}`, november)
	made := func(reference, id string) recording.Exchange {
		return recording.Exchange{Place: recording.Place{Source: "calls"}, Body: fmt.Appendf(nil, `{"reference":"%s"}`, reference), Answer: recording.Answer{Status: 200, Body: fmt.Appendf(nil, `{"paymentRequestId":"%s"}`, id)}}
	}
	for said, want := range map[string]string{
		"invoice CB-10-0417 -> settled":                   "CB-10-0417",
		"invoice CB-10-0417, CB-10-0417.":                 "CB-10-0417",
		"invoice CB-11-0417 -> settled":                   "",
		"CB-10-0417 stays open, CB-11-0417 is settled":    "",
		"invoice CB-10-04177 -> settled":                  "",
		"invoice TWICE-1 -> settled":                      "",
		"nothing":                                         "",
		strings.Repeat("x", 1<<14) + "invoice CB-10-0417": "",
	} {
		r := &recording.Recording{
			Exchanges: []recording.Exchange{made("CB-10-0417", october), made("CB-11-0417", november), made("TWICE-1", october), made("TWICE-1", november)},
			Received:  []recording.Received{{Place: recording.Place{Source: "a", Line: 1}, Body: []byte(event)}},
		}
		receiver.Another([]source.File{{Name: "a", Data: []byte(event + " " + said + "\ninvoice CB-10-0417 -> settled\n")}}, r)
		require.Equal(t, want, r.Received[0].Line(recording.Another), said)
	}
}
