package diagnose_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/explain"
)

// TestARefusalForWhatWasThere: what was refused for what calls that nobody recorded may have done is the service's fault only where a
// later answer shows that it was not so.
func TestARefusalForWhatWasThere(t *testing.T) {
	t.Parallel()
	const id = "6f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f10"
	row := func(back string) string {
		return `{"transactions":[{"paymentRequestId":"` + id + `","status":"Completed","amount":9000,"refundedAmount":` + back + `}],"hasMore":false}`
	}
	companies := `{"companies":[{"referenceId":"other-1"}]}`
	for name, c := range map[string]struct {
		operation, line, sent, refusal string
		read, path, shows              string
		class                          compare.Class
	}{
		"a refund, of which nothing is shown": {"refundPayment", "POST /Payment/Refund/" + id, `{"amount":5000}`, `{"errors":{"amount":["too much"]}}`, "getCompanyStatus", "GET /Company/x/Status", "{}", compare.Unexplained},
		"a refund of what is left":            {"refundPayment", "POST /Payment/Refund/" + id, `{"amount":5000}`, `{"errors":{"amount":["too much"]}}`, "reportTransactions", "GET /Transaction/Report", row("4000"), compare.Service},
		"a refund of more than is left":       {"refundPayment", "POST /Payment/Refund/" + id, `{"amount":5000}`, `{"errors":{"amount":["too much"]}}`, "reportTransactions", "GET /Transaction/Report", row("4001"), compare.Unexplained},
		"a reference that is free":            {"createCompany", "POST /Company/Create", `{"companyReferenceId":"Gym-1"}`, `{"errors":{"companyReferenceId":["is taken"]}}`, "listCompanies", "GET /Company/List", companies, compare.Service},
		"a reference that is taken":           {"createCompany", "POST /Company/Create", `{"companyReferenceId":"OTHER-1"}`, `{"errors":{"companyReferenceId":["is taken"]}}`, "listCompanies", "GET /Company/List", companies, compare.Unexplained},
	} {
		in := newInput().call(c.operation, c.line, whole(400, c.refusal), 200, "{}")
		in.Recording.Exchanges[0].Body = []byte(c.sent)
		in.call(c.read, c.path, whole(200, c.shows), 200, c.shows)
		list := []compare.Difference{{N: 0, Where: "status", Recorded: "400", Replayed: "200", Operation: c.operation, Class: compare.Unexplained}}
		explain.Explain(in.Recording, in.Run, list)
		require.Equal(t, c.class, list[0].Class, name)
	}
}
