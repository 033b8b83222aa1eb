package explain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/explain"
)

// TestWhatIsNotShownDecidesWhatItIsAbout: a payment that was asked for with a body which no file shows is played with usual values, so that
// what differs about it is nobody's; about another one, and after a token was asked for so, it is the service's.
func TestWhatIsNotShownDecidesWhatItIsAbout(t *testing.T) {
	t.Parallel()
	const ours, other = "6f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f10", "0f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f11"
	for _, c := range []struct {
		operation, line, answer, read string
		class                         compare.Class
	}{
		{"createPayment", "POST /Payment/Create", `{"paymentRequestId":"` + ours + `"}`, ours, compare.Nobody},
		{"createPayment", "POST /Payment/Create", `{"paymentRequestId":"` + ours + `"}`, other, compare.Service},
		{"createToken", "POST /Authentication/Token", `{"accessToken":"` + ours + `"}`, ours, compare.Service},
	} {
		in := new(played).call(c.operation, c.line, "", whole(200, c.answer), 200, "{}").
			call("getTransaction", "GET /Transaction/PaymentRequest/"+c.read, "", whole(200, `{"fee":1}`), 200, `{"fee":2}`)
		in.Recording.Exchanges[0].BodyMissing = true
		list := []compare.Difference{{N: 1, Operation: "getTransaction", Where: "/fee", Recorded: "1", Replayed: "2", Class: compare.Unexplained}}
		explain.Explain(&in.Recording, &in.Run, list)
		require.Equal(t, c.class, list[0].Class, "%s, then %s", c.line, c.read)
	}
}

// TestAListGoesOnByItsRows: where these are others than the replay's, nothing is said of that.
func TestAListGoesOnByItsRows(t *testing.T) {
	t.Parallel()
	for where, class := range map[string]compare.Class{"/transactions/0/amount": compare.Unexplained, "/nextCursor": compare.Service} {
		in := new(played).call("reportTransactions", "GET /Transaction/Report", "", whole(200, `{"hasMore":true}`), 200, `{"hasMore":false}`)
		list := []compare.Difference{
			{Operation: "reportTransactions", Where: "/hasMore", Recorded: "true", Replayed: "false", Class: compare.Unexplained},
			{Operation: "reportTransactions", Where: where, Recorded: "7", Class: compare.Unexplained},
		}
		explain.Explain(&in.Recording, &in.Run, list)
		require.Equal(t, class, list[0].Class, where)
	}
}
