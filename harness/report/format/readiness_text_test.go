package format_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/report"
	"paysandbox/harness/report/sample"
	"paysandbox/harness/verdict"
)

func TestReadinessAsPrettyText(t *testing.T) {
	t.Parallel()
	text := string(sample.Written(t, "pretty", sample.Integration()))
	require.True(t, strings.HasSuffix(text, "\nNot ready for production: 2 requirements are broken, and 1 has not been seen (exit code 1)\n"))
	require.Contains(t, text, "blocks production access:\n  partner.token.reuse  An access token is kept and used again\n  partner.webhook.signature  ")
	require.Contains(t, text, "no evidence yet, and needed:\n  partner.return.late  A late return is reversed\n      let a payment fail after it was paid; tried once, never met by traffic: it was paid, and stayed so; [redacted]\n\n")
	require.Contains(t, text, "attempts so far: tried 4 times, met by traffic twice\ntape: sha256 abab")
	require.Contains(t, text, "\n9 clauses: 3 fail, 1 warning, 1 pass, 1 not-reached, 1 not-applicable, 2 no evidence\n")
	require.NotContains(t, text, "scenarios:", "none was to run")
	require.NotContains(t, string(sample.Written(t, "pretty", sample.HostileIntegration())), "\x1b")
}

func TestWhatHeldInPartIsTold(t *testing.T) {
	t.Parallel()
	r := sample.Integration()
	at := slices.IndexFunc(r.Clauses, func(c report.ClauseResult) bool { return c.Verdict == verdict.Pass })
	for _, format := range []string{"pretty", "markdown"} {
		r.Clauses[at].Reason = ""
		require.NotContains(t, string(sample.Written(t, format, r)), "to hold in part", format)
		r.Clauses[at].Reason = "as far as it was met; not seen: a refund whose answer is lost"
		text := string(sample.Written(t, format, r))
		require.Contains(t, text, "to hold in part", format)
		require.Contains(t, text, "not seen: a refund whose answer is lost", format)
	}
}

func TestReadinessFitsAJobSummary(t *testing.T) {
	t.Parallel()
	r := sample.Integration()
	long := strings.Repeat("é|", 20_000)
	for range 2000 {
		r.Readiness.Missing = append(r.Readiness.Missing, report.Missing{Clause: "a", Level: "MUST", Exercise: long})
	}
	text := sample.Written(t, "markdown", r)
	require.Less(t, len(text), 1<<20)
	require.Contains(t, string(text), "\nAnd 1941 clauses more.\n")
}

func TestReadinessInMarkdownIsNotTakenOver(t *testing.T) {
	t.Parallel()
	for line := range strings.Lines(string(sample.Written(t, "markdown", sample.HostileIntegration()))) {
		require.NotContains(t, line, "<script")
		require.NotContains(t, line, " | a | b | ")
	}
}
