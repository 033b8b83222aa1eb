package receiver_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/receiver"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// TestUnheard: somebody says that no event came, and of what the words name one was due.
func TestUnheard(t *testing.T) {
	t.Parallel()
	status := func(id, state string) recording.Exchange {
		return recording.Exchange{Method: "GET", Path: "/Payment/" + id + "/Status", Answer: recording.Answer{Known: recording.Whole, Status: 200, Body: []byte(`{"id":"` + id + `","status":"` + state + `"}`)}}
	}
	for words, want := range map[string]bool{
		"We were never told about a payment.":                  true,
		"Payment P-PAID is there. There is no\nwebhook in it.": true,
		"The webhook did not arrive for p-paid.":               true,
		"Wir haben nie einen Webhook bekommen: p-paid":         true,
		"We never got a webhook for p-open or p-paid.":         false, // none was due of the one
		"We do not use webhooks, we ask. p-paid":               false,
		"The webhook came at once. p-paid":                     false,
	} {
		r := &recording.Recording{Sources: []recording.Source{{Name: "a", Format: recording.Words}}, Exchanges: []recording.Exchange{status("p-paid", "Paid")}}
		if !want {
			r.Exchanges = append(r.Exchanges, status("p-open", "Pending"))
		}
		files := []source.File{{Name: "a", Data: []byte(words)}}
		receiver.Unheard(files, r)
		require.Equal(t, want, r.Sources[0].Unheard, words)
		r.Sources = []recording.Source{{Name: "a", Format: "har"}}
		receiver.Unheard(files, r)
		require.False(t, r.Sources[0].Unheard, "nobody has written it")
		r.Sources, r.Received = []recording.Source{{Name: "a", Format: recording.Words}}, []recording.Received{{}}
		receiver.Unheard(files, r)
		require.False(t, r.Sources[0].Unheard, "one came")
	}
}

// TestUnheardOfOne: where webhooks are shown, a line has to name by its id the payment that none came of.
func TestUnheardOfOne(t *testing.T) {
	t.Parallel()
	const id, other = "2af045a8-07da-4ffc-8187-e178d52c182e", "91141bc7-2328-41a3-ab75-5b7a32c702b1"
	status := func(state string) recording.Exchange {
		return recording.Exchange{Method: "GET", Path: "/Payment/" + id + "/Status", Answer: recording.Answer{Known: recording.Whole, Status: 200, Body: []byte(`{"id":"` + id + `","status":"` + state + `"}`)}}
	}
	unheard := func(words, state, came string) bool {
		r := &recording.Recording{Sources: []recording.Source{{Name: "a", Format: "jsonl"}}, Exchanges: []recording.Exchange{status(state)}}
		r.Received = []recording.Received{{Body: []byte(`{"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"` + came + `","Status":"Paid"}}`)}}
		receiver.Unheard([]source.File{{Name: "a", Data: []byte(words)}}, r)
		return r.Sources[0].Unheard
	}
	require.True(t, unheard("WARN "+id+" is Paid but no webhook was ever stored for it\n", "Paid", other))
	require.False(t, unheard("WARN no webhook was ever stored for it\nGET "+id, "Paid", other), "another line names it")
	require.False(t, unheard("WARN "+id+" is Pending, no webhook yet", "Pending", other), "none was due")
	require.False(t, unheard("WARN "+id+" is Paid but no webhook was ever stored for it", "Paid", id), "one came")
}
