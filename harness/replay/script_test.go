package replay_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/read"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/sampling"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/mocktest"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
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
	run.Env = append(os.Environ(), "PAYSANDBOX_URL="+on.URL, "PAYSANDBOX_CLIENT_ID="+on.ClientID, "PAYSANDBOX_CLIENT_SECRET="+on.ClientSecret)
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

// TestScriptsComeToTheSame runs the scripts of many cases: each call is answered there as in the replay.
func TestScriptsComeToTheSame(t *testing.T) {
	t.Parallel()
	sampling.Needs(t, "curl", "the script of a case calls it")
	comeToTheSame(t, 10, func(s *play.Sandbox, c *replay.Case, on *mocktest.Sandbox) string {
		run := exec.CommandContext(t.Context(), "sh", inForm(t, s, c, "curl", "case.sh"))
		run.Env = append(os.Environ(), "PAYSANDBOX_URL="+on.URL, "PAYSANDBOX_CLIENT_ID="+on.ClientID, "PAYSANDBOX_CLIENT_SECRET="+on.ClientSecret)
		out, _ := run.CombinedOutput() // a call that is cut off is none that curl likes
		return string(out)
	})
}

// comeToTheSame holds the calls that reach a sandbox of their own, when cases are carried out, to be answered as in the replay. It
// takes some of the reports, of which every nth is the next.
func comeToTheSame(t *testing.T, nth int, carryOut func(s *play.Sandbox, c *replay.Case, on *mocktest.Sandbox) string) {
	t.Helper()
	s := sandbox(t)
	for _, path := range some(t, 20, nth) {
		c := readReport(t, path).made(t, s).Case
		w := &c.Run.Script.World
		var settings latitude.Settings
		require.NoError(t, settings.UnmarshalText([]byte(strings.Join(c.Chosen(), " "))))
		on := mocktest.Start(t, mocktest.Options{Seed: 99, Environment: world.Environment(w.Environment), Settings: settings})
		if late := w.Start.Sub(integration.DefaultStart); late > 0 {
			on.Advance(t, late)
		}
		out := carryOut(s, c, on)
		var got []string
		for _, x := range on.Tape(t, tape.Filter{Kinds: []tape.Kind{tape.KindExchange}}) {
			got = append(got, fmt.Sprint(x.Exchange.Method, " ", x.Exchange.Operation, " ", x.Exchange.Response.Status))
		}
		assert.Equal(t, strings.Join(replayed(c), "\n"), strings.Join(got, "\n"), "%s:\n%s", filepath.Dir(path), out)
	}
}

// replayed are the calls of a case with what they are answered; 0 where they are cut off.
func replayed(c *replay.Case) []string {
	var list []string
	for i := range c.Run.Answers {
		a := &c.Run.Answers[i]
		if a.Paged { // which the sandbox has on a page before
			continue
		}
		call, status, operation := c.Run.Script.Steps[a.Step].Call, a.Status, a.Operation
		if call.Exchange.Answer.Known == recording.NeverArrived && call.Exchange.Answer.Status == 0 && call.Fault != "" {
			status = 0
		}
		if status == 405 { // which is no operation
			operation = ""
		}
		list = append(list, fmt.Sprint(call.Exchange.Method, " ", operation, " ", status))
	}
	return list
}

// TestGoTestsAreBuiltAndPass builds the Go tests of some cases, as packages of this module that are not on the disk, and runs them.
func TestGoTestsAreBuiltAndPass(t *testing.T) {
	sampling.NotRaced(t, "it builds another program")
	t.Parallel()
	sampling.Needs(t, "go", "it builds what was written")
	s := sandbox(t)
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	overlay := map[string]string{}
	built := t.TempDir()
	args := []string{"test", "-overlay", filepath.Join(built, "overlay.json"), "-vet=off", "-c", "-o", built}
	for i, file := range sampling.Every(t, 5, []string{
		"newman-open-token/run.json", "struck-har-expired/backend.har", "company-too-early/calls.jsonl", "double-charge/calls.jsonl", "choice-names-pascal/httpyac.txt",
	}) {
		folder := fmt.Sprintf("written%d", i)
		overlay[filepath.Join(root, folder, "case_test.go")] = inForm(t, s, made(t, s, []string{"../../fixtures/reports/" + file}, read.Options{}), "go", "case_test.go")
		args = append(args, "./"+folder)
	}
	text, err := json.Marshal(map[string]any{"Replace": overlay})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(args[2], text, 0o600))
	build := exec.CommandContext(t.Context(), "go", args...)
	build.Dir = root
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	for i := range overlay {
		run := exec.CommandContext(t.Context(), filepath.Join(built, filepath.Base(filepath.Dir(i))+".test"))
		run.Dir = built
		out, err := run.CombinedOutput()
		require.NoError(t, err, string(out))
	}
}

// TestAFeatureLosesTheAnswer: the shortest scenario of a payment that was made again after its answer was lost has one When, in
// which the answer is lost, says how many payments there are then, and is about the clause of the call.
func TestAFeatureLosesTheAnswer(t *testing.T) {
	sampling.NotRaced(t, "TestCorpus and TestCallsThatMet replay with it")
	t.Parallel()
	s := sandbox(t)
	c := made(t, s, []string{"../../fixtures/reports/double-charge/calls.jsonl"}, read.Options{})
	small, _, err := c.Minimise(t.Context(), "", replay.Options{Sandbox: s})
	require.NoError(t, err)
	text, err := os.ReadFile(inForm(t, s, small, "feature", "case.feature"))
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(text), "When "), string(text))
	require.Contains(t, string(text), "When nothing is answered when the client sends \"POST /Payment/Create\":")
	require.Regexp(t, `Then [\s\S]*the answer lists [12] transactions`, string(text))
	require.Contains(t, string(text), "@clause:payment.create ")
}
