package format_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/report"
	"paysandbox/harness/report/format"
	"paysandbox/harness/verdict"
)

// TestBriefIsAScreenLong: however much there is to tell, the verdict stands first and
// last, and all of it fits on a screen.
func TestBriefIsAScreenLong(t *testing.T) {
	t.Parallel()
	r := &report.Report{Readiness: &report.Readiness{Sentence: "Not ready: much is broken."}, Verdict: verdict.Fail, ExitCode: 1}
	for n := range 60 {
		id := fmt.Sprintf("partner.x.%d", n)
		r.Clauses = append(r.Clauses, report.ClauseResult{
			ID: id, Title: "It holds.", Level: "MUST", Verdict: verdict.Fail, Evidence: []report.Evidence{{Received: strings.Repeat("long ", 200)}},
		})
		r.Readiness.Blocking = append(r.Readiness.Blocking, id)
		r.Readiness.Missing = append(r.Readiness.Missing, report.Missing{Clause: "partner.y", Level: "MUST", Exercise: "do it"})
		r.Notes = append(r.Notes, "a note \x1b[2J")
	}
	var b bytes.Buffer
	paint := func(part, text string) string { return "<" + part + ">" + text }
	require.NoError(t, format.Brief(r, &b, 80, paint, "more there"))
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	require.LessOrEqual(t, len(lines), 40)
	require.Equal(t, "<fail>Not ready: much is broken (exit code 1)", lines[len(lines)-1])
	require.Equal(t, 1, strings.Count(b.String(), "much is broken"), "it is told once")
	require.Contains(t, b.String(), "  and 55 more\n")
	require.Contains(t, b.String(), "more there")
	require.NotContains(t, b.String(), "\x1b")
	for _, line := range lines {
		require.LessOrEqual(t, utf8.RuneCountInString(line), 80, line)
	}
}

// TestBriefSaysWhoFoundItBroken: what blocks by the word of a person names the person, and
// not the traffic that does not show it.
func TestBriefSaysWhoFoundItBroken(t *testing.T) {
	t.Parallel()
	r := &report.Report{Readiness: &report.Readiness{Sentence: "Not ready.", Blocking: []string{"partner.x"}}, Verdict: verdict.Fail, ExitCode: 1}
	r.Clauses = []report.ClauseResult{{
		ID: "partner.x", Title: "It holds.", Level: "MUST", Verdict: verdict.Fail, Evidence: []report.Evidence{{Received: "only the application knows"}},
		Attested: &report.Attestation{Who: "Bob", At: "books.py", SHA256: strings.Repeat("ab", 32), Lapses: "2027-01-31"},
	}}
	var b bytes.Buffer
	require.NoError(t, format.Brief(r, &b, 0, func(_, text string) string { return text }, ""))
	require.Contains(t, b.String(), "attested not to hold by Bob at books.py")
	require.NotContains(t, b.String(), "only the application knows")
}
