package replay_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read"
	"paysandbox/harness/sampling"
)

// TestNoLimitOfWhatStandsIn: a limit of requests refuses some of the calls that make what was there before, all at one moment, and so takes
// rows off a report that the recording does not have. No 429 was recorded: the service is not told to limit anything.
func TestNoLimitOfWhatStandsIn(t *testing.T) {
	sampling.NotRaced(t, "TestCorpus and TestCallsThatMet replay with it")
	t.Parallel()
	id := func(n int) string { return uuid.NewSHA1(uuid.Nil, fmt.Append(nil, "payment", n)).String() }
	var rows []string
	for n := 1; n <= 9; n++ {
		rows = append(rows, fmt.Sprintf(`{"externalTransferId":%q,"paymentRequestId":%q,"status":"Completed","amount":%d,"refundedAmount":0,"currency":"USD","creationDate":"2026-10-02T19:22:%02dZ","senderName":"+182855501%02d","senderAccount":"*12%02d"}`,
			id(n), id(n), 20000+n, n, n, n))
	}
	file := filepath.Join(t.TempDir(), "calls.jsonl")
	require.NoError(t, os.WriteFile(file, []byte(`{"time":"2026-10-06T10:17:40Z","method":"PUT","url":"https://api.example/Payment/`+id(0)+`/Cancel"}
{"time":"2026-10-06T10:17:56Z","method":"GET","url":"https://api.example/Transaction/Report?from=2026-10-01T00:00:00Z","status":200,"answer":{"transactions":[`+strings.Join(rows, ",")+`],"hasMore":false,"nextCursor":null}}
`), 0o600))
	c := made(t, sandbox(t), []string{file}, read.Options{})
	require.NotContains(t, c.Choices, "rate-limit", strings.Join(c.Diagnosis.Lines, "\n"))
}
