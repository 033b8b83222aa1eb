package format_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/report"
	"paysandbox/harness/report/diff"
	"paysandbox/harness/report/sample"
	"paysandbox/harness/verdict"
)

// overlong is a report in which every text and every list is far too long, and
// each letter takes the most bytes that it can.
func overlong(n int, letter string, readiness bool) *report.Report {
	long := strings.Repeat(letter, 2000)
	r := &report.Report{Tool: long, Version: long, Target: long, Observed: long, Command: long, Reason: "reason " + long}
	if readiness {
		r.Readiness = &report.Readiness{Sentence: long, Subject: long, Environment: long, Choices: []string{long}}
	}
	for i := range n {
		c := report.ClauseResult{
			ID: fmt.Sprint(i, long), Title: long, Level: "MUST", Area: fmt.Sprint(i, long), Source: long, Verdict: verdict.Fail, Reason: long,
			Deviation: &report.Deviation{Owner: long, Reason: long, Expires: long},
			Evidence:  []report.Evidence{{Expected: long, Received: long, Hint: long, Request: long, Response: long}},
		}
		r.Clauses, r.Notes = append(r.Clauses, c), append(r.Notes, long)
		if !readiness {
			continue
		}
		r.Readiness.Blocking = append(r.Readiness.Blocking, c.ID)
		r.Readiness.Missing = append(r.Readiness.Missing, report.Missing{Clause: c.ID, Level: []string{"MUST", "SHOULD"}[i%2], Exercise: long, Why: long})
		r.Readiness.Warnings = append(r.Readiness.Warnings, report.Warning{Clause: long, Title: long, Pointer: long, Expected: long, Fix: long, Count: 9})
		r.Readiness.Invisible = append(r.Readiness.Invisible, report.Invisible{Title: long, Instead: long})
		r.Readiness.Digests = append(r.Readiness.Digests, report.Digest{Name: long, SHA256: long})
	}
	return r
}

// TestAJobSummaryIsNeverTooLong: GitHub shows nothing at all of one beyond 1 MiB.
func TestAJobSummaryIsNeverTooLong(t *testing.T) {
	t.Parallel()
	for _, letter := range []string{"<", "`", "é", "|", "😀", "&"} {
		for _, readiness := range []bool{true, false} {
			r := overlong(250, letter, readiness)
			require.Less(t, len(sample.Written(t, "markdown", r)), 1<<20, "%s %v", letter, readiness)
		}
	}
}

// TestADifferenceIsNeverTooLong holds for a job summary of one, too.
func TestADifferenceIsNeverTooLong(t *testing.T) {
	t.Parallel()
	for _, letter := range []string{"<", "😀"} {
		from, to := overlong(1250, letter, false), overlong(1250, letter, false)
		to.Target = "b"
		for i := range from.Clauses {
			from.Clauses[i].Level, to.Clauses[i].Level = to.Target, strings.Repeat(letter, 2000)
			from.Clauses[i].Deviation, to.Clauses[i].Deviation = nil, nil
			pair := [][2]verdict.Word{{verdict.Pass, verdict.Fail}, {verdict.Fail, verdict.Fail}, {verdict.Fail, verdict.NotReached}, {verdict.NotReached, verdict.Fail}, {verdict.Fail, verdict.Warning}}[i%5]
			from.Clauses[i].Verdict, to.Clauses[i].Verdict = pair[0], pair[1]
		}
		d := diff.Compare(from, to)
		var b strings.Builder
		require.NoError(t, diff.Write("markdown", &d, &b))
		require.Less(t, b.Len(), 1<<20, letter)
		require.Contains(t, b.String(), "more.\n", "what is left out is counted")
	}
}

// TestMarkdownMeansNothing: what an application sent is no link, mention, formula,
// entity or emphasis in a job summary.
func TestMarkdownMeansNothing(t *testing.T) {
	t.Parallel()
	r := sample.Integration()
	r.Reason = "see https://evil.example @octocat $x^2$ &lt;b&gt; **b** ~~s~~ [a](b) ![c](d) `e` <u> #1"
	text := string(sample.Written(t, "markdown", r))
	require.Contains(t, text, "See https\\://evil.example \\@octocat \\$x^2\\$ \\&lt;b\\&gt; \\*\\*b\\*\\* \\~\\~s\\~\\~ \\[a\\](b) !\\[c\\](d) \\`e\\` &lt;u&gt; \\#1.\n")
}
