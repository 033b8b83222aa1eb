package format_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/report"
	"paysandbox/harness/report/redact"
	"paysandbox/harness/report/sample"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// TestALongTapeMakesNoLongReport: however many entries a verdict rests on, few are
// kept, and the others counted.
func TestALongTapeMakesNoLongReport(t *testing.T) {
	t.Parallel()
	const entries = 50_000
	judged := observedOver(entries)
	given := len(judged[0].Evidence)
	r := collected(judged)
	kept := 0
	for _, c := range r.Clauses {
		require.LessOrEqual(t, len(c.Evidence), report.MaxEvidence, c.ID)
		kept += len(c.Evidence) + c.MoreEvidence
	}
	require.Equal(t, entries, kept, "what is left out is counted")
	require.Len(t, judged[0].Evidence, given, "the caller's list stays whole")
	first := r.Clauses[0].Evidence[0]
	for _, c := range r.Clauses {
		if c.ID == judged[0].ID {
			first = c.Evidence[0]
		}
	}
	require.Len(t, first.Entries, report.MaxEntries)
	require.Equal(t, entries-report.MaxEntries, first.MoreEntries)
	for _, name := range []string{"html", "pretty", "junit"} {
		require.Contains(t, string(sample.Written(t, name, r)), ", #20 and 49980 more", name)
		require.Less(t, len(sample.Written(t, name, r)), 512<<10, name)
	}
	require.NoError(t, fits(t, schemaFile(t, "../../report.schema.json"), sample.Written(t, "json", r)))
}

// TestLongTextsAreCut: a megabyte that an application sent is no megabyte of the
// report, and a secret at the cut is struck out as a whole.
func TestLongTextsAreCut(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", report.MaxText-4) + sample.Secret + strings.Repeat("é", 100_000)
	c := report.NewCollector(redact.New(sample.Secret))
	c.ClauseJudged(report.ClauseResult{ID: "a", Verdict: verdict.Fail, Reason: long, Evidence: []report.Evidence{
		{Expected: long, Received: long, Hint: long, Request: long, Response: long},
	}})
	got := c.Report().Clauses[0]
	e := got.Evidence[0]
	for _, text := range []string{got.Reason, e.Expected, e.Received, e.Hint, e.Request, e.Response} {
		require.Less(t, len(text), report.MaxMessage+50)
		require.Regexp(t, `\n\(\d+ more bytes\)$`, text)
		require.NotContains(t, text, sample.Secret[:4])
	}
}

func TestExcerptsAreBounded(t *testing.T) {
	t.Parallel()
	x := sample.Exchange()
	x.Query = strings.Repeat("q", 100_000)
	x.Request.Header = append(x.Request.Header, tape.Header{Name: "User-Agent", Value: strings.Repeat("a", 100_000)})
	for range 1000 {
		x.Response.Header = append(x.Response.Header, tape.Header{Name: "X", Value: "y"})
	}
	request, response := report.Excerpt(x)
	require.Less(t, len(request), 3000)
	require.Contains(t, request, "… (99", "the line and the header say what is left out")
	require.Contains(t, request, "\n\n{", "the body is still there")
	require.Contains(t, response, "\n(961 more headers)\n\n{")
}
