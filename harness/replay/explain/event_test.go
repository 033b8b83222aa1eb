package explain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// TestAMisshapenWebhook breaks the clause of its form, where the service has sent it: its signature was checked, or it is signed and
// about something that an answer shows. Others may have sent what is not signed, and who prints a body anew may leave out of it.
func TestAMisshapenWebhook(t *testing.T) {
	t.Parallel()
	const id, other = "6f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f10", "0f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f11"
	payment := func(id, status string) string {
		return `{"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"` + id + `","Status":"` + status + `"}}`
	}
	signed := []tape.Header{{Name: trail.SignatureHeader, Value: "sha256=00"}}
	for name, c := range map[string]struct {
		w      recording.Received
		clause string
	}{
		"a status of no kind":        {recording.Received{Header: signed, Body: []byte(payment(id, "Settled"))}, "event.payment.shape"},
		"no status":                  {recording.Received{Header: signed, Body: []byte(payment(id, ""))}, "event.payment.shape"},
		"what is only asked for":     {recording.Received{Header: signed, Body: []byte(payment(id, "Pending"))}, "event.payment.pending"},
		"no name":                    {recording.Received{Header: signed, Body: []byte(`{"Data":{"CompanyId":"` + id + `","Status":"Verified"}}`)}, "event.company.shape"},
		"a company's of no kind":     {recording.Received{Header: signed, Body: []byte(`{"Event":"COMPANY_VERIFICATION_STATUS_CHANGED","Data":{"CompanyId":"` + id + `","Status":"Paid"}}`)}, "event.company.shape"},
		"about nothing, checked":     {recording.Received{Signature: recording.Valid, Body: []byte(payment("", "Paid"))}, "event.payment.shape"},
		"printed anew, checked":      {recording.Received{Signature: recording.Valid, Reprinted: true, Body: []byte(payment("", "Paid"))}, "event.payment.shape"},
		"of no fault":                {recording.Received{Header: signed, Body: []byte(payment(id, "Paid"))}, ""},
		"not signed":                 {recording.Received{Body: []byte(payment(id, "Settled"))}, ""},
		"about what no answer shows": {recording.Received{Header: signed, Body: []byte(payment(other, "Settled"))}, ""},
		"printed anew":               {recording.Received{Header: signed, Reprinted: true, Body: []byte(payment(id, ""))}, ""},
		"cut":                        {recording.Received{Header: signed, Body: []byte(payment(id, "Settled")[:90])}, ""},
	} {
		in := new(played).call("createPayment", "POST /Payment/Create", "{}", whole(200, `{"paymentRequestId":"`+id+`"}`), 200, "{}")
		in.Received = []recording.Received{c.w}
		d := in.explained(compare.Difference{N: -1, Heard: 1, Where: "event", Class: compare.Unexplained})[0]
		require.Equal(t, c.clause, d.Clause, name)
		require.Equal(t, c.clause != "", d.Class == compare.Service, name)
	}
}
