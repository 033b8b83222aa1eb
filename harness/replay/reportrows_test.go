package replay_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/read"
)

// TestWhatAReportNamesIsMade: payments of which a report alone tells have stand-ins, also behind a plan that cannot have brought them, and
// so have those at terminals; nothing else has.
func TestWhatAReportNamesIsMade(t *testing.T) {
	t.Parallel()
	call := func(second, method, path, body, answer string) string {
		return `{"time": "2026-11-30T19:15:` + second + `Z", "method": "` + method + `", "url": "http://localhost:8080` + path + `", "headers": {"Authorization": "Bearer [redacted]", "Content-Type": "application/json"}, "body": ` + body + `, "status": 200, "answer": ` + answer + `}`
	}
	row := func(id, request, amount, method, account string) string {
		return `{"externalTransferId": "` + id + `", "paymentRequestId": ` + request + `, "status": "Pending", "amount": ` + amount + `, "refundedAmount": 0, "currency": "USD", "creationDate": "2026-11-30T19:15:15Z", "dueDate": null, "paymentMethod": "` + method + `", "senderName": "+12025550145", "senderAccount": ` + account + `, "recipientName": "Bright Gym", "recipientAccount": null,` +
			` "recipientAddress": {"streetNumberAndName": "1 Main St", "apartmentNumber": "2", "city": "New York", "zipCode": "10001", "state": "NY", "country": "US"}, "reference": "P-77"}`
	}
	const first, second, transfer = "4f9f4ce3-6da0-4c38-b57b-b74e8676b57f", "acbdac0d-73a4-412e-8f51-7680994d4bf4", "7b963b61-e4f5-4b7c-b51f-54f7b9c36f78"
	plan := call("20.1", "POST", "/PaymentPlan/Create", `{"amount": 1500, "startDate": "2027-01-09", "intervalValue": 1, "intervalUnit": "Month", "companyReferenceId": "gym-17", "name": "Membership"}`, `{"paymentPlanId": "2f56a276-c8bd-4bb3-af2d-453c343e77a4"}`)
	report := call("20.5", "GET", "/Transaction/Report", "null", `{"transactions": [`+
		row(first, `"`+first+`"`, "5000", "BankAccount", `"*1111"`)+", "+row(second, `"`+second+`"`, "700", "BankAccount", `"*1111"`)+", "+row(transfer, "null", "300", "CardTerminal", "null")+`], "hasMore": false, "nextCursor": null}`)
	for name, lines := range map[string][]string{"behind a plan": {plan, report}, "alone": {report}} {
		path := filepath.Join(t.TempDir(), "calls.jsonl")
		require.NoError(t, os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600))
		c := made(t, sandbox(t), []string{path}, read.Options{})
		before := map[string]int{}
		for i := range c.Script.Steps {
			if one := c.Script.Steps[i].Call; one != nil && one.N == play.Prelude {
				before[one.Exchange.Path]++
			}
		}
		assert.Equal(t, 2, before["/Payment/Create"], name)
		assert.Equal(t, 1, before["/CardPayment"], name)
		assert.NotRegexp(t, `/transactions/[0-9]+/(paymentRequestId|amount|paymentMethod)`, differences(c), name)
	}
}
