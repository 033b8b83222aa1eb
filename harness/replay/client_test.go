package replay_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/diagnose"
	"paysandbox/harness/replay/read"
)

// TestTheClientAtFaultIsTheCase adds a call that is refused to the second of two
// integrations: it is the case, and of the first one it is told that it is innocent.
func TestTheClientAtFaultIsTheCase(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../fixtures/reports/innocent-two-integrations/calls.jsonl")
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(raw)), "\n")
	wrong := strings.NewReplacer(`ForProfit`, `Wrong`, `gym-1`, `gym-9`, `"status":200`, `"status":400`, `application/json; charset=utf-8`, `application/problem+json`).Replace(lines[3])
	wrong = wrong[:strings.Index(wrong, `"answer":"`)] + wrong[strings.Index(wrong, `"answerHeaders"`):]
	file := filepath.Join(t.TempDir(), "calls.jsonl")
	require.NoError(t, os.WriteFile(file, []byte(strings.Join(append(lines, wrong), "\n")), 0o600))
	c := made(t, sandbox(t), []string{file}, read.Options{})
	require.Equal(t, diagnose.Partner, c.Diagnosis.Side, c.Diagnosis.Lines)
	require.Equal(t, len(lines)+1, c.Diagnosis.Fault.Place.Line)
	require.Len(t, c.Recording.Exchanges, 4, "the second client's own")
	notes := strings.Join(c.Notes, "\n")
	require.Contains(t, notes, "calls of 2 integrations")
	require.Contains(t, notes, "The client sandbox-client, 2 calls: First went wrong: nothing did. Side: nobody's.")
}

// TestWhoseItIsIsTold of a call that names what another client has, with the token of the wrong one.
func TestWhoseItIsIsTold(t *testing.T) {
	t.Parallel()
	const at = "../../fixtures/reports/blind-token-of-the-other-client/"
	f := made(t, sandbox(t), []string{at + "collect.sh", at + "run.log"}, read.Options{}).Diagnosis.Fault
	require.Contains(t, f.What, " is of the client ")
	require.Contains(t, f.Fix, "get the token with the client id of the integration whose it is")
}

// TestEachPayersOwnDebitAuthorisationIsAccepted, and one from before the recording is there.
func TestEachPayersOwnDebitAuthorisationIsAccepted(t *testing.T) {
	t.Parallel()
	c := made(t, sandbox(t), []string{"../../fixtures/reports/blind-rider-debit-limit/debit-auth.http"}, read.Options{})
	require.Empty(t, c.Differences)
}
