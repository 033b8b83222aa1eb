package format_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/report"
	"paysandbox/harness/report/format"
	"paysandbox/harness/report/sample"
	"paysandbox/harness/verdict"
)

func TestReadinessPageComesBack(t *testing.T) {
	t.Parallel()
	for _, r := range []*report.Report{sample.Integration(), sample.HostileIntegration(), sample.Silent(), sample.Ready(t)} {
		ids, links := map[string]bool{}, []string{}
		tags, _ := elements(t, sample.Written(t, "html", r))
		for _, x := range tags {
			if id := attribute(x, "id"); id != "" {
				require.False(t, ids[id], id)
				ids[id] = true
			}
			if href := attribute(x, "href"); href != "" {
				links = append(links, href)
			}
			require.Empty(t, attribute(x, "src"))
		}
		for _, l := range links {
			require.True(t, ids[strings.TrimPrefix(l, "#")], l)
		}
		require.True(t, ids["blocking"] && ids["missing"] && ids["basis"])
	}
	hostile := string(sample.Written(t, "html", sample.HostileIntegration()))
	require.Equal(t, 1, strings.Count(hostile, "<script>"))
}

// TestWhatNobodyJudgedIsCountedAboveTheFold: who reads the verdict alone learns how much it
// does not speak of, and where that stands.
func TestWhatNobodyJudgedIsCountedAboveTheFold(t *testing.T) {
	t.Parallel()
	above, below, found := strings.Cut(string(sample.Written(t, "html", sample.Integration())), "</header>")
	require.True(t, found)
	require.Contains(t, above, `<a href="#unseen">1 rule for want of evidence</a> and <a href="#unseeable">1 thing that nobody can see from outside</a>`)
	require.Contains(t, below, `<summary id="unseen">`)
	require.Contains(t, below, `<summary id="unseeable">`)
	const said = "Not judged, and not waited for: 1 rule for want of evidence and 1 thing that nobody can see from outside"
	require.Contains(t, string(sample.Written(t, "markdown", sample.Integration())), said)
	var b strings.Builder
	require.NoError(t, format.Brief(sample.Integration(), &b, 0, func(_, text string) string { return text }, ""))
	require.Contains(t, b.String(), said)
	r := sample.Integration()
	at := slices.IndexFunc(r.Clauses, func(c report.ClauseResult) bool { return c.Verdict == verdict.Pass })
	r.Clauses[at].Reason = "as far as it was met; not seen: a refund whose answer is lost"
	require.Contains(t, string(sample.Written(t, "markdown", r)), "1 rule for want of evidence, parts of 1 rule that holds otherwise and 1 thing that nobody can see from outside")
	r = sample.Integration()
	r.Readiness.Missing, r.Readiness.Invisible = r.Readiness.Missing[:1], nil
	require.NotContains(t, string(sample.Written(t, "html", r)), "Not judged")
}

// TestReadyIsNotAllHeld: a requirement that is broken on condition, or accepted, blocks
// nothing, and nobody is told that all have held.
func TestReadyIsNotAllHeld(t *testing.T) {
	t.Parallel()
	must := func(v verdict.Word) []report.ClauseResult {
		return []report.ClauseResult{{ID: "a.b", Title: "It holds", Level: "MUST", Verdict: v}}
	}
	const held = "Nothing: every requirement that has to be seen was seen, and held."
	for want, r := range map[string]*report.Report{
		"Nothing yet: what is broken on condition stands below, and is to be mended by 2026-12-27.": {Clauses: must(verdict.Fail), Readiness: &report.Readiness{Ready: true, Conditional: []string{"a.b"}, ConditionalUntil: "2026-12-27"}},
		"Nothing: what is broken and accepted stands below.":                                        {Clauses: must(verdict.Fail), Readiness: &report.Readiness{Ready: true}},
		held: {Clauses: must(verdict.Pass), Readiness: &report.Readiness{Ready: true}},
	} {
		page := string(sample.Written(t, "html", r))
		require.Contains(t, page, want)
		require.Equal(t, want == held, strings.Contains(page, held))
	}
}

// TestVerdictInLargeType cuts the sentence where it can be cut.
func TestVerdictInLargeType(t *testing.T) {
	t.Parallel()
	for sentence, want := range map[string][2]string{
		"Not ready for production access: broken are partner.token.reuse. More is not.": {"Not ready for production access", "Broken are “An access token is kept and used again”. More is not."},
		"Nothing was seen. Call it: then look again.":                                   {"Nothing was seen", "Call it: then look again."},
		"Ready for production":               {"Ready for production", ""},
		strings.Repeat("so ", 30) + ": what": {strings.TrimSpace(strings.Repeat("so ", 30)) + " : what", ""},
	} {
		r := sample.Integration()
		r.Readiness.Sentence = sentence
		page := string(sample.Written(t, "html", r))
		require.Contains(t, page, "</span> "+want[0]+"</h1>")
		require.Equal(t, want[1] != "", strings.Contains(page, `<p class="detail">`))
		require.Contains(t, page, want[1])
	}
}

// TestAdviceIsShownLikeWhatBlocks says of broken advice what was seen, what was
// expected and how to mend it, without a click.
func TestAdviceIsShownLikeWhatBlocks(t *testing.T) {
	t.Parallel()
	r := &report.Report{
		Verdict: verdict.Fail, ExitCode: 1, Readiness: &report.Readiness{Ready: true},
		Clauses: []report.ClauseResult{
			{ID: "a.b", Title: "Advice", Level: "SHOULD", Verdict: verdict.Fail, Evidence: []report.Evidence{{Expected: "growing pauses", Received: "none", Hint: "wait longer"}}},
			{ID: "a.c", Title: "Doubt", Level: "SHOULD", Verdict: verdict.Review, Reason: "look at it"},
		},
	}
	page := string(sample.Written(t, "html", r))
	_, others, found := strings.Cut(page, `<ul class="blocks others">`)
	require.True(t, found)
	others, _, _ = strings.Cut(others, "</section>")
	for _, text := range []string{
		"<strong>Seen:</strong> none", "<strong>Expected:</strong> growing pauses", "<strong>To mend it:</strong> wait longer",
		`<li class="bad-edge">`, `<li class="note-edge">`, "<p>look at it</p>",
	} {
		require.Contains(t, others, text)
	}
}

// TestALongReportIsFolded: what is in trouble is shown at once, the rest when it is
// asked for.
func TestALongReportIsFolded(t *testing.T) {
	t.Parallel()
	r := sample.Service()
	closed := regexp.MustCompile(`<details class="group">\s*<summary><h3[^>]*>(\w+)`)
	require.Empty(t, closed.FindAll(sample.Written(t, "html", r), -1))
	for range 100 {
		r.Clauses = append(r.Clauses, report.ClauseResult{ID: "long.clause", Area: "long", Verdict: verdict.Pass})
		r.Scenarios = append(r.Scenarios, report.ScenarioResult{ScenarioRef: report.ScenarioRef{File: "long.feature"}, Feature: "Longer", Status: report.Passed})
	}
	folded := map[string]bool{}
	for _, m := range closed.FindAllSubmatch(sample.Written(t, "html", r), -1) {
		folded[string(m[1])] = true
	}
	require.True(t, folded["long"])
	require.True(t, folded["Longer"])
	require.False(t, folded["companies"], "a clause of it failed")
}
