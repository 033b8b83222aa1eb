package replay_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/read"
)

// reported is the case of two payments with the report of them, where the company's account ends with some digits.
func reported(t *testing.T, s *play.Sandbox, digits string) *replay.Case {
	t.Helper()
	text, err := os.ReadFile("testdata/two-payments.jsonl")
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	row := func(id, status, amount string) string {
		return `{"externalTransferId": "` + id + `", "paymentRequestId": "` + id + `", "status": "` + status + `", "amount": ` + amount + `, "refundedAmount": 0, "currency": "USD", "creationDate": "2026-11-30T19:15:15Z", "dueDate": null, "paymentMethod": "BankAccount", "senderName": "+12025550145", "senderAccount": "*1111",` +
			` "recipientName": "Bright Gym", "recipientAccount": "*` + digits + `",` +
			` "recipientAddress": {"streetNumberAndName": "1 Main St", "apartmentNumber": "2", "city": "New York", "zipCode": "10001", "state": "NY", "country": "US"}, "reference": ""}`
	}
	lines = append(lines, `{"time": "2026-11-30T19:15:20.8Z", "method": "GET", "url": "http://localhost:8080/Transaction/Report", "headers": {"Authorization": "Bearer [redacted]"}, "status": 200, "answer": {"transactions": [`+
		row("4f9f4ce3-6da0-4c38-b57b-b74e8676b57f", "Completed", "5000")+`, `+row("acbdac0d-73a4-412e-8f51-7680994d4bf4", "Cancelled", "700")+`], "hasMore": false, "nextCursor": null}}`)
	path := filepath.Join(t.TempDir(), "calls.jsonl")
	require.NoError(t, os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600))
	return made(t, s, []string{path}, read.Options{})
}

// TestTheCompanysBankLinkIsInferred: an account that an answer shows was linked before, and is so in the replay.
func TestTheCompanysBankLinkIsInferred(t *testing.T) {
	t.Parallel()
	s := sandbox(t)
	c := reported(t, s, "1111")
	require.Contains(t, strings.Join(c.Assumptions, "\n"), "the company gym-17 linked a bank account, before call 11 shows it")
	require.NotContains(t, differences(c), "recipientAccount")
	text, untold := scenario(t, s, c)
	require.Empty(t, untold)
	require.Contains(t, text, "the company links its bank\n")
	plays(t, s, "with a bank link", text)
}

// TestADifferenceOfNobodyIsKept: what is told as a difference can be kept, whoever's it is.
func TestADifferenceOfNobodyIsKept(t *testing.T) {
	t.Parallel()
	s := sandbox(t)
	c := reported(t, s, "2222")
	require.Nil(t, c.Diagnosis.First)
	require.Contains(t, differences(c), "recipientAccount was *2222, the replay gives *1111")
	small, _, err := c.Minimise(t.Context(), "difference", replay.Options{Sandbox: s})
	require.NoError(t, err)
	require.Contains(t, differences(small), "recipientAccount was *2222")
	require.Less(t, len(small.Script.Steps), len(c.Script.Steps))
}
