package replay_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read"
	"paysandbox/harness/sampling"
	"paysandbox/mockserver/mocktest"
)

// TestTheScriptShowsTheFault runs the script of a case with a shell and curl: at a service
// that answers other ids and has other credentials it shows the fault.
func TestTheScriptShowsTheFault(t *testing.T) {
	t.Parallel()
	sampling.Needs(t, "curl", "the script of a case calls it")
	s := sandbox(t)
	c := made(t, s, []string{"../../fixtures/reports/refund-too-much/session.har"}, read.Options{})
	script := inForm(t, s, c, "curl", "case.sh")
	on := mocktest.Start(t, mocktest.Options{Seed: 99})
	run := exec.CommandContext(t.Context(), "sh", script)
	run.Env = append(os.Environ(), "BASE="+on.URL, "CLIENT_ID="+on.ClientID, "CLIENT_SECRET="+on.ClientSecret)
	out, err := run.CombinedOutput()
	require.NoError(t, err, string(out))
	answers := strings.Split(string(out), "HTTP/1.1 ")
	for _, answer := range answers[1 : len(answers)-1] {
		require.Equal(t, "200", answer[:3], string(out))
	}
	last := answers[len(answers)-1]
	require.Equal(t, "400", last[:3], string(out))
	require.Contains(t, last, "payment.refund.amount-left")
}

// What asks for a token in a written .http file or collection sends the sandbox's credentials: those of the recording are
// struck, and open nothing.
func TestWrittenFilesAskWithTheSandboxsCredentials(t *testing.T) {
	t.Parallel()
	s := sandbox(t)
	c := made(t, s, []string{"../../fixtures/reports/refund-too-much/session.har"}, read.Options{})
	for form, name := range map[string]string{"http": "case.http", "postman": "case.postman_collection.json"} {
		r, err := read.Files([]string{inForm(t, s, c, form, name)}, read.Options{})
		require.NoError(t, err)
		require.JSONEq(t, `{"clientId":"sandbox-client","clientSecret":"sandbox-secret"}`, string(r.Exchanges[0].Body), form)
	}
}
