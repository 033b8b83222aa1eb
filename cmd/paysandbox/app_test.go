package main

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/partner/app"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/mocktest"
	"paysandbox/mockserver/tape"
)

// appEnv is the environment that observe gives to a command.
func appEnv(url string) lookup {
	values := map[string]string{
		"PAYSANDBOX_URL": url, "PAYSANDBOX_CLIENT_ID": "sandbox-client", "PAYSANDBOX_CLIENT_SECRET": "sandbox-secret",
		"PAYSANDBOX_WEBHOOK_SECRET": "whsec_test", "PAYSANDBOX_CONTROL_URL": url + "/_sandbox",
	}
	return func(name string) (string, bool) {
		value, has := values[name]
		return value, has
	}
}

// runApp runs the command with tasks on its standard input.
func runApp(t *testing.T, env lookup, tasks string, args ...string) (int, string, string) {
	t.Helper()
	var out, errs bytes.Buffer
	root := newRoot(env)
	root.SetArgs(append([]string{"app"}, args...))
	root.SetIn(strings.NewReader(tasks))
	root.SetOut(&out)
	root.SetErr(&errs)
	err := root.ExecuteContext(context.WithoutCancel(t.Context()))
	if err != nil {
		errs.WriteString(err.Error())
	}
	return exitCode(err), out.String(), errs.String()
}

func TestAppTellsItsVariants(t *testing.T) {
	t.Parallel()
	code, out, _ := runApp(t, appEnv(""), "", "--careless", "list")
	require.Equal(t, verdict.CodeMet, code)
	require.Len(t, regexp.MustCompile(`(?m)^\S`).FindAllString(out, -1), len(app.Careless()), "a line that goes on is indented")
	require.Contains(t, out, "webhook.raw-bytes ")
}

func TestAppIsConfiguredByTheEnvironment(t *testing.T) {
	t.Parallel()
	code, _, errs := runApp(t, none, "")
	require.Equal(t, verdict.CodeConfig, code)
	require.Contains(t, errs, "PAYSANDBOX_URL is not set")
	code, _, errs = runApp(t, appEnv("http://127.0.0.1:1"), "", "--careless", "token.resue")
	require.Equal(t, verdict.CodeConfig, code)
	require.Contains(t, errs, "token.resue")
	code, _, _ = runApp(t, appEnv("http://127.0.0.1:1"), "", "--quiet")
	require.Equal(t, verdict.CodeBroken, code, "no sandbox answers")
	code, _, errs = runApp(t, none, "", "--silent")
	require.Equal(t, verdict.CodeMet, code, errs)
}

// TestAppFollows: tasks come as JSON lines, and the end of them is the end.
func TestAppFollows(t *testing.T) {
	t.Parallel()
	s := mocktest.Start(t, mocktest.Options{Clock: integration.Real})
	tasks := `{"id":1,"do":"createCompany","with":{"companyReferenceId":"gym"}}
{"id":2,"do":"dance"}
{"id":3,"do":"createPayment","with":{"companyReferenceId":"gym","amount":5000,"contactNumber":"+12025550142"}}
`
	code, _, errs := runApp(t, appEnv(s.URL), tasks, "--follow")
	require.Equal(t, verdict.CodeMet, code, errs)
	require.Contains(t, errs, "of 5000 cents")
	require.Contains(t, errs, "task 2 is lost")
	require.Len(t, s.Tape(t, tape.Filter{Operation: "createPayment"}), 1)
	code, _, errs = runApp(t, appEnv(s.URL), `{"id"`, "--follow")
	require.Equal(t, verdict.CodeConfig, code, errs)
}
