package format_test

import (
	"encoding/xml"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/clause"
	"paysandbox/harness/report"
	"paysandbox/harness/report/sample"
	"paysandbox/harness/verdict"
)

func TestTitles(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"html", "markdown", "junit", "ctrf"} {
		require.Contains(t, string(sample.Written(t, name, sample.Integration())), "Integration readiness", name)
		require.NotContains(t, string(sample.Written(t, name, sample.Integration())), "Service acceptance", name)
		require.Contains(t, string(sample.Written(t, name, sample.Service())), "Service acceptance", name)
	}
}

func TestHeadlineOfAnIntegration(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		r    report.Readiness
		code int
		want string
	}{
		{report.Readiness{Ready: true}, 0, "Ready for production"},
		{report.Readiness{Ready: true, Sentence: " Ready, with 2 warnings. "}, 0, "Ready, with 2 warnings"},
		{report.Readiness{Blocking: []string{"a"}}, 1, "Not ready for production: 1 clause blocks it"},
		{report.Readiness{Blocking: []string{"a", "b"}}, 1, "Not ready for production: 2 clauses block it"},
		{report.Readiness{}, 3, "Not ready for production: too little evidence"},
		{report.Readiness{}, 4, "The harness or the target broke: nothing is said about the service"},
		{report.Readiness{Sentence: "The command failed"}, 4, "The command failed"},
	} {
		r := &report.Report{ExitCode: c.code, Readiness: &c.r}
		require.Equal(t, c.want, r.Headline())
		for _, again := range []string{c.want + ".", strings.ToUpper(c.want[4:])} {
			r.Reason = again
			text := strings.ToLower(string(sample.Written(t, "pretty", r)))
			require.Equal(t, 1, strings.Count(text, strings.ToLower(c.want[4:])), "what the headline says is not said again")
		}
	}
}

func TestRerunOfAnIntegration(t *testing.T) {
	t.Parallel()
	r := sample.Integration()
	require.Equal(t, "paysandbox observe --seed 7 -- npm test", r.Rerun("partner.token.reuse"), "a partner's command ends the line")
	r.Command = ""
	require.Equal(t, "paysandbox observe --seed 7", r.Rerun(""))
}

func TestRerunOfJourneys(t *testing.T) {
	t.Parallel()
	r := &report.Report{Kind: report.KindJourneys, Seed: 7, Command: "paysandbox journey run late-return"}
	require.Equal(t, "Partner journeys", r.Title())
	require.Equal(t, "paysandbox journey run late-return", r.Rerun("partner.token.reuse"), "it takes no clauses")
	r.Command = ""
	require.Equal(t, "paysandbox journey run --all --seed 7", r.Rerun(""))
}

func TestWords(t *testing.T) {
	t.Parallel()
	for _, v := range verdict.Words() {
		if v == verdict.NotExercised {
			require.Equal(t, "no evidence", v.Label())
			continue
		}
		require.Equal(t, string(v), v.Label())
	}
}

func TestMutants(t *testing.T) {
	t.Parallel()
	require.Equal(t, "27 of 30 (90 %)", report.Share{Killed: 27, Of: 30}.String())
	require.Equal(t, "199 of 200 (99 %)", report.Share{Killed: 199, Of: 200}.String(), "not rounded up to all")
	require.Equal(t, "none tried", report.Share{}.String())
	for _, name := range []string{"pretty", "markdown"} {
		require.Regexp(t, `(?i)mutants killed: MUST 20 of 20 \(100 %\), all 27 of 30 \(90 %\)`, string(sample.Written(t, name, sample.Service())), name)
	}
	_, words := elements(t, sample.Written(t, "html", sample.Service()))
	require.Contains(t, words, "Mutants killed: MUST 20 of 20 (100 %), all 27 of 30 (90 %).")
}

// TestReadinessComesFirst sees that every page for people says what blocks, what
// is missing and how to exercise it, in this order and before the rest.
func TestReadinessComesFirst(t *testing.T) {
	t.Parallel()
	_, page := elements(t, sample.Written(t, "html", sample.Integration()))
	markdown := string(sample.Written(t, "markdown", sample.Integration()))
	for name, text := range map[string]string{"html": page[strings.Index(page, "Integration readiness\n"):], "markdown": markdown} {
		at := -1
		for _, part := range []string{
			"Not ready for production", "2 requirements are broken", "What blocks production access", "An access token is kept and used again",
			"An altered delivery is refused", "What is missing, and how to exercise it", "A late return is reversed", "Let a payment fail after it was paid",
			"tried once, never met by traffic", "List more than 100 companies", "What else needs attention", "partner.idempotency.key", "ttempts so far", "Coverage by area",
			strings.Repeat("ab", 32),
		} {
			next := strings.Index(text[at+1:], part)
			require.GreaterOrEqual(t, next, 0, "%s: %s after byte %d", name, part, at)
			at += 1 + next
		}
	}
}

// TestNoEvidenceIsGrey looks at what never was exercised, in each format for
// people.
func TestNoEvidenceIsGrey(t *testing.T) {
	t.Parallel()
	page := string(sample.Written(t, "html", sample.Silent()))
	require.Contains(t, page, `<div class="verdict none large"`)
	require.Contains(t, page, `<li class="badge none"><span aria-hidden="true">○</span> `+every()+` no evidence</li>`)
	require.Contains(t, page, `<option value="not-exercised">no evidence</option>`)
	require.NotContains(t, page, ">not-exercised<")
	require.Regexp(t, regexp.MustCompile(`(?m)^## ➖ Not ready for production\n\nToo little evidence\.$`), string(sample.Written(t, "markdown", sample.Silent())))
	require.Contains(t, string(sample.Written(t, "markdown", sample.Silent())), "| ➖ no evidence | "+every()+" |\n")
	require.Contains(t, string(sample.Written(t, "pretty", sample.Silent())), "\n"+every()+" clauses: "+every()+" no evidence\n")
	require.NotContains(t, string(sample.Written(t, "junit", sample.Silent())), "<failure")
	var d junitDocument
	require.NoError(t, xml.Unmarshal(sample.Written(t, "junit", sample.Silent()), &d))
	for _, s := range d.Suites {
		require.Equal(t, s.Tests, s.Skipped)
	}
}

// TestGateAndReadinessDisagree: a failed advice spoils the gate, not production
// access; what is missing can be allowed.
func TestGateAndReadinessDisagree(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		ready   bool
		verdict verdict.Word
		page    string
		mark    string
	}{
		{true, verdict.Pass, "good", "✅"},
		{true, verdict.Fail, "note", "⚠️"},
		{true, verdict.HarnessError, "note", "⚠️"},
		{false, verdict.Pass, "note", "⚠️"},
		{false, verdict.Fail, "bad", "❌"},
		{false, verdict.Inconclusive, "note", "⚠️"},
		{false, verdict.NotExercised, "none", "➖"},
	} {
		r := &report.Report{Verdict: c.verdict, Readiness: &report.Readiness{Ready: c.ready}}
		require.Contains(t, string(sample.Written(t, "html", r)), `<div class="verdict `+c.page+` large"`, c)
		require.True(t, strings.HasPrefix(string(sample.Written(t, "markdown", r)), "## "+c.mark+" "), c)
	}
}

// TestWhatIsNotAboutTheRunIsNotNeeded: a clause of level MUST that does not apply
// is listed, but the verdict does not wait for it.
func TestWhatIsNotAboutTheRunIsNotNeeded(t *testing.T) {
	t.Parallel()
	for v, needed := range map[verdict.Word]bool{verdict.NotExercised: true, verdict.NotReached: true, verdict.NotApplicable: false, verdict.Disabled: false} {
		r := &report.Report{
			Clauses:   []report.ClauseResult{{ID: "a.b", Verdict: v}},
			Readiness: &report.Readiness{Ready: !needed, Missing: []report.Missing{{Clause: "a.b", Level: "MUST", Exercise: "do"}}},
		}
		require.Equal(t, needed, strings.Contains(string(sample.Written(t, "pretty", r)), "no evidence yet, and needed"), v)
		require.NotEqual(t, needed, strings.Contains(string(sample.Written(t, "html", r)), "the verdict does not wait for"), v)
		require.NotEqual(t, needed, strings.Contains(string(sample.Written(t, "markdown", r)), "the verdict does not wait for"), v)
		require.NotContains(t, string(sample.Written(t, "html", r)), "So far", v)
	}
}

// TestWhatBlocksFails holds whatever the clause's own verdict and deviation say.
func TestWhatBlocksFails(t *testing.T) {
	t.Parallel()
	for _, v := range verdict.Words() {
		r := &report.Report{Readiness: &report.Readiness{Blocking: []string{"a"}}, Clauses: []report.ClauseResult{
			{ID: "a", Title: "t", Verdict: v, Deviation: &report.Deviation{Reason: "later", Occurs: true}},
		}}
		if v == verdict.HarnessError {
			continue // an error, which is no pass either
		}
		var d junitDocument
		require.NoError(t, xml.Unmarshal(sample.Written(t, "junit", r), &d))
		if v.Judged() && v != verdict.Fail {
			continue // nothing that held can block
		}
		require.NotNil(t, d.Suites[0].Cases[0].Failure, v)
		require.Contains(t, string(sample.Written(t, "ctrf", r)), `"status": "failed"`, v)
		require.Contains(t, string(sample.Written(t, "cucumber", r)), `"status": "failed"`, v)
	}
}

// every is the number of clauses of an integration.
func every() string { return strconv.Itoa(len(clause.Integration())) }
