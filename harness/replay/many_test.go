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
	"paysandbox/harness/sampling"
)

// events are those of some payments of before, each Processing and Paid.
func events(t *testing.T, payments int) string {
	t.Helper()
	var lines strings.Builder
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	for i := range payments {
		payment, payer := uuid.NewSHA1(uuid.Nil, fmt.Append(nil, "payment", i)), uuid.NewSHA1(uuid.Nil, fmt.Append(nil, "payer", i))
		for _, status := range []string{"Processing", "Paid"} {
			at = at.Add(7 * time.Second)
			stamp := at.Format(time.RFC3339)
			fmt.Fprintf(&lines, `{"time":%q,"webhook":true,"body":{"Live":true,"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":%q,"RegistrationId":%q,"Amount":%d,"Currency":"USD","Status":%q,"Timestamp":%q,"AccountNumberMasked":"*%04d"}},"status":204}`+"\n",
				stamp, payment, payer, 1000+i, status, stamp, 1000+i)
		}
	}
	return lines.String()
}

// TestEventsOfManyPayments: what stands in for payments of before is made for each, however many a file tells of; of many events
// one that differs does not make all be played once for each choice of the service.
func TestEventsOfManyPayments(t *testing.T) {
	sampling.NotRaced(t, "TestCorpus and TestCallsThatMet replay with it")
	t.Parallel()
	file := filepath.Join(t.TempDir(), "webhooks.jsonl")
	require.NoError(t, os.WriteFile(file, []byte(events(t, 60)), 0o600))
	c := made(t, sandbox(t), []string{file}, read.Options{})
	require.Equal(t, diagnose.Nobody, c.Diagnosis.Side, strings.Join(c.Diagnosis.Lines, "\n"))
	require.Empty(t, c.Differences)
	require.Len(t, c.Recording.Received, 120)
	require.Contains(t, strings.Join(c.Notes, "\n"), "The webhooks come from production")

	require.NoError(t, os.WriteFile(file, []byte(strings.Replace(events(t, 160), `"USD"`, `"EUR"`, 1)), 0o600))
	c = made(t, sandbox(t), []string{file}, read.Options{})
	require.Len(t, c.Differences, 1)
	require.Contains(t, strings.Join(c.Notes, "\n"), "The recording has 0 calls and 320 webhooks: other choices of the service are tried for at most 300 together")
}
