package main

import (
	"net/http"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/sampling"
)

// TestSupportStandsWhereThePartnerStood stops before the second request of a payment:
// the world has what was made before, the call that is shown can be pasted, and the
// clock stands until it is moved.
func TestSupportStandsWhereThePartnerStood(t *testing.T) {
	t.Parallel()
	sampling.Needs(t, "curl", "the call that is printed to be pasted is one of it")
	said, end := beside(t, "replay", "../../fixtures/reports/gateway-then-again/session.har", "--until", "5", "--serve", "--addr", "127.0.0.1:0")
	text := said.until(t, "Ctrl-C stops it.")
	world := regexp.MustCompile(`control API +(\S+)`).FindStringSubmatch(text)
	require.NotNil(t, world, text)
	tape := asked(t, http.MethodGet, world[1]+"/tape", "")
	require.Contains(t, tape, `"path":"/User/Register"`)
	require.Equal(t, 1, strings.Count(tape, `"path":"/Payment/Create"`), "the call that the gateway answered, and no other")

	_, rest, found := strings.Cut(text, "edit it as you like):\n\n")
	require.True(t, found, text)
	pasted, _, _ := strings.Cut(rest, "\n\nThe clock stands")
	answer, err := exec.CommandContext(t.Context(), "sh", "-c", pasted).CombinedOutput()
	require.NoError(t, err, string(answer))
	require.Contains(t, string(answer), `"paymentRequestId"`)

	_, rest, _ = strings.Cut(text, "let a minute pass:\n\n")
	minute, _, _ := strings.Cut(rest, "\n")
	before := asked(t, http.MethodGet, world[1]+"/clock", "")
	require.Equal(t, before, asked(t, http.MethodGet, world[1]+"/clock", ""))
	answer, err = exec.CommandContext(t.Context(), "sh", "-c", minute).CombinedOutput()
	require.NoError(t, err, string(answer))
	require.NotEqual(t, before, asked(t, http.MethodGet, world[1]+"/clock", ""))
	require.Zero(t, end())
}

// TestWhereToStopIsChecked: both flags, and a call that there is.
func TestWhereToStopIsChecked(t *testing.T) {
	t.Parallel()
	report := "../../fixtures/reports/gateway-then-again/session.har"
	for _, args := range [][]string{{"--serve"}, {"--until", "2"}, {"--until", "-1", "--serve"}, {"--until", "-1"}} {
		code, _, said := ran(t, append([]string{"replay", report}, args...)...)
		require.Equal(t, 2, code)
		require.Contains(t, said, "--until N, from 1, and --serve go together")
	}
	code, _, said := ran(t, "replay", report, "--until", "6", "--serve", "--addr", "127.0.0.1:0")
	require.Equal(t, 2, code)
	require.Contains(t, said, "the case has 5 calls")
}
