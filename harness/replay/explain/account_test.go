package explain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/recording"
)

// TestWhichAccountItIs: that the replay's account is another means nothing where the recording tells of one alone for the payer and the
// payment; where it tells of two, the service contradicts itself. A row of a report is compared by its own payment.
func TestWhichAccountItIs(t *testing.T) {
	t.Parallel()
	const payer, paid, other = "5f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f10", "6f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f10", "7f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f10"
	event := func(mask string) recording.Received {
		return recording.Received{Body: []byte(`{"Event":"PAYMENT_STATUS_CHANGED","Data":{"RegistrationId":"` + payer + `","PaymentId":"` + paid + `","AccountNumberMasked":"` + mask + `"}}`)}
	}
	rows := `{"transactions":[{"paymentRequestId":"` + paid + `","senderAccount":"*1001"},{"paymentRequestId":"` + other + `","senderAccount":"*2002"}]}`
	for name, c := range map[string]struct {
		told   string
		d      compare.Difference
		class  compare.Class
		status string
	}{
		"an event's":                       {"*1001", compare.Difference{N: -1, Heard: 1, Where: "/Data/AccountNumberMasked", Recorded: "*1001", Replayed: "*1111"}, compare.Nobody, "*1001"},
		"an event's, another by an answer": {"*1001", compare.Difference{N: -1, Heard: 1, Where: "/Data/AccountNumberMasked", Recorded: "*1001", Replayed: "*3003"}, compare.Service, "*3003"},
		"an event's, no mask":              {"12341001", compare.Difference{N: -1, Heard: 1, Where: "/Data/AccountNumberMasked", Recorded: "12341001", Replayed: "*1001"}, compare.Service, "*1001"},
		"an answer's":                      {"*1001", compare.Difference{N: 0, Operation: "getUserStatus", Where: "/accountMask", Recorded: "*1001", Replayed: "*1111"}, compare.Nobody, "*1001"},
		"an answer's, another by an event": {"*3003", compare.Difference{N: 0, Operation: "getUserStatus", Where: "/accountMask", Recorded: "*1001", Replayed: "*3003"}, compare.Service, "*1001"},
		"a row's":                          {"*1001", compare.Difference{N: 1, Operation: "reportTransactions", Where: "/transactions/1/senderAccount", Recorded: "*2002", Replayed: "*1001"}, compare.Nobody, "*1001"},
		"a row's, another by an event":     {"*3003", compare.Difference{N: 1, Operation: "reportTransactions", Where: "/transactions/0/senderAccount", Recorded: "*1001", Replayed: "*3003"}, compare.Service, "*1001"},
	} {
		status := `{"status":"Registered","accountMask":"` + c.status + `"}`
		in := new(played).call("getUserStatus", "GET /User/"+payer+"/Status", "", whole(200, status), 200, status).
			call("reportTransactions", "GET /Transaction/Report", "", whole(200, rows), 200, rows)
		in.Received = append(in.Received, event(c.told))
		c.d.Class = compare.Unexplained
		require.Equal(t, c.class, in.explained(c.d)[0].Class, name)
	}
}
