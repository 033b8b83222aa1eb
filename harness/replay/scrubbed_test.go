package replay_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read"
	"paysandbox/harness/replay/read/record"
	"paysandbox/harness/replay/scrub"
	"paysandbox/harness/sampling"
)

// scrubbed is a file into which other files were scrubbed.
func scrubbed(t *testing.T, files []string, o read.Options) string {
	t.Helper()
	r, err := read.Files(files, o)
	require.NoError(t, err)
	clean := scrub.New([]byte("scrubbed"), scrub.Options{}).Recording(r)
	name := filepath.Join(t.TempDir(), "scrubbed.jsonl")
	f, err := os.Create(name)
	require.NoError(t, err)
	require.NoError(t, record.WriteJSONLines(f, &clean))
	require.NoError(t, f.Close())
	return name
}

// onlyTold are reports whose side follows from what no call or webhook tells by itself: of which file it is, what a log says behind
// it, what of the files could not be read, or when something came to a receiver; and some with answers in which a name stands where none is.
var onlyTold = []string{
	"blind-declined-and-marked-paid", "blind-empty-answer-file", "blind-haproxy-arrivals", "blind-kibana-never-told", "blind-never-told", "blind-nginx-json-redirected",
	"blind-paid-in-the-booking-system", "blind-pod-was-down", "blind-signature-of-one", "blind-symfony-gateway-missing", "blind-token-by-command",
	"blind-plan-paused-over", "blind-wrapped-details-and-cancel-again",
}

// TestScrubbedReportsKeepTheirSide: who scrubs a report's files into one is told the same as who has the files.
func TestScrubbedReportsKeepTheirSide(t *testing.T) {
	sampling.NotRaced(t, "TestCorpus and TestCallsThatMet replay with it")
	t.Parallel()
	s := sandbox(t)
	chosen := some(t, 2, 24)
	for _, name := range onlyTold {
		chosen = append(chosen, filepath.Join("../../fixtures/reports", name, "expect.yaml"))
	}
	slices.Sort(chosen)
	for _, path := range slices.Compact(chosen) {
		e := readReport(t, path)
		c := made(t, s, []string{scrubbed(t, e.files, e.options)}, read.Options{ReceivedComplete: e.ReceivedComplete})
		assert.Equal(t, e.Side, string(c.Diagnosis.Side), "%s: %s", e.name, strings.Join(c.Diagnosis.Lines, "\n"))
	}
}

// TestScrubbedFilesKeepTheirClocks: a webhook of a file that tells no times came at any time, also when it stands behind the calls in one
// file; files are told by numbers, for their names may be people's.
func TestScrubbedFilesKeepTheirClocks(t *testing.T) {
	t.Parallel()
	const id = "4f9f4ce3-6da0-4c38-b57b-b74e8676b57f"
	folder := t.TempDir()
	calls, hooks := filepath.Join(folder, "jane-doe.jsonl"), filepath.Join(folder, "hooks.txt")
	require.NoError(t, os.WriteFile(calls, []byte(`{"time":"2026-03-02T10:00:14Z","method":"GET","url":"https://api.pay.example/Payment/`+id+`/Status","headers":{"User-Agent":"gym/2"},"status":200,"answer":{"id":"`+id+`","status":"Pending","amount":{"value":5000,"currency":"USD"},"creationDate":"2026-03-02T10:00:05Z","dueDate":null}}`+"\n"), 0o600))
	require.NoError(t, os.WriteFile(hooks, []byte("POST /hooks HTTP/1.1\nHost: hooks.gym.example\nContent-Type: application/json\n\n"+
		`{"Live":false,"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"`+id+`","RegistrationId":"8e40a866-8b1a-4b18-9e40-b1c8ee3c7301","Amount":5000,"Currency":"USD","Status":"Processing","Timestamp":"2026-03-02T10:00:09Z","AccountNumberMasked":"*1111"}}`+"\n"), 0o600))
	s := sandbox(t)
	before := made(t, s, []string{calls, hooks}, read.Options{})
	one := scrubbed(t, []string{calls, hooks}, read.Options{})
	after := made(t, s, []string{one}, read.Options{})
	require.Equal(t, "nobody", string(before.Diagnosis.Side))
	require.Equal(t, before.Signature(), after.Signature(), strings.Join(after.Diagnosis.Lines, "\n"))
	require.Equal(t, one+" (file 2)", after.Recording.Received[0].Place.Source)
	text, err := os.ReadFile(one)
	require.NoError(t, err)
	require.NotContains(t, string(text), "jane-doe")
	again := made(t, s, []string{scrubbed(t, []string{one}, read.Options{})}, read.Options{})
	require.Equal(t, after.Signature(), again.Signature(), "scrubbed twice")
}
