package replay_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/diagnose"
	"paysandbox/harness/replay/read"
)

// TestEventsOfManyPayments: what stands in for payments of before is made for each, however many a file tells of.
func TestEventsOfManyPayments(t *testing.T) {
	t.Parallel()
	var lines strings.Builder
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	for i := range 60 {
		payment, payer := uuid.NewSHA1(uuid.Nil, fmt.Append(nil, "payment", i)), uuid.NewSHA1(uuid.Nil, fmt.Append(nil, "payer", i))
		for _, status := range []string{"Processing", "Paid"} {
			at = at.Add(7 * time.Second)
			stamp := at.Format(time.RFC3339)
			fmt.Fprintf(&lines, `{"time":%q,"webhook":true,"body":{"Live":true,"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":%q,"RegistrationId":%q,"Amount":%d,"Currency":"USD","Status":%q,"Timestamp":%q,"AccountNumberMasked":"*%04d"}},"status":204}`+"\n",
				stamp, payment, payer, 1000+i, status, stamp, 1000+i)
		}
	}
	file := filepath.Join(t.TempDir(), "webhooks.jsonl")
	require.NoError(t, os.WriteFile(file, []byte(lines.String()), 0o600))
	c := made(t, sandbox(t), []string{file}, read.Options{})
	require.Equal(t, diagnose.Nobody, c.Diagnosis.Side, strings.Join(c.Diagnosis.Lines, "\n"))
	require.Empty(t, c.Differences)
	require.Len(t, c.Recording.Received, 120)
	require.Contains(t, strings.Join(c.Notes, "\n"), "The webhooks come from production")
}
