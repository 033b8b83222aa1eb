package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/report"
)

func TestTitles(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"html", "markdown", "junit", "ctrf"} {
		require.Contains(t, string(written(t, format, readySample())), "Integration readiness", format)
		require.NotContains(t, string(written(t, format, readySample())), "Service acceptance", format)
		require.Contains(t, string(written(t, format, sample())), "Service acceptance", format)
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
			text := strings.ToLower(string(written(t, "pretty", r)))
			require.Equal(t, 1, strings.Count(text, strings.ToLower(c.want[4:])), "what the headline says is not said again")
		}
	}
}

func TestRerunOfAnIntegration(t *testing.T) {
	t.Parallel()
	r := readySample()
	require.Equal(t, "paysandbox observe --seed 7 -- npm test", r.Rerun("partner.token.reuse"), "a partner's command ends the line")
	r.Command = ""
	require.Equal(t, "paysandbox observe --seed 7", r.Rerun(""))
}

func TestWords(t *testing.T) {
	t.Parallel()
	for _, v := range report.Verdicts() {
		if v == report.NotExercised {
			require.Equal(t, "no evidence", v.Word())
			continue
		}
		require.Equal(t, string(v), v.Word())
	}
}

func TestMutants(t *testing.T) {
	t.Parallel()
	require.Equal(t, "27 of 30 (90 %)", report.Share{Killed: 27, Of: 30}.String())
	require.Equal(t, "199 of 200 (99 %)", report.Share{Killed: 199, Of: 200}.String(), "not rounded up to all")
	require.Equal(t, "none tried", report.Share{}.String())
	for _, format := range []string{"pretty", "markdown"} {
		require.Regexp(t, `(?i)mutants killed: MUST 20 of 20 \(100 %\), all 27 of 30 \(90 %\)`, string(written(t, format, sample())), format)
	}
	_, words := elements(t, written(t, "html", sample()))
	require.Contains(t, words, "Mutants killed: MUST 20 of 20 (100 %), all 27 of 30 (90 %).")
}

// TestReadinessComesFirst sees that every page for people says what blocks, what
// is missing and how to exercise it, in this order and before the rest.
func TestReadinessComesFirst(t *testing.T) {
	t.Parallel()
	_, page := elements(t, written(t, "html", readySample()))
	markdown := string(written(t, "markdown", readySample()))
	for name, text := range map[string]string{"html": page[strings.Index(page, "Integration readiness\n"):], "markdown": markdown} {
		at := -1
		for _, part := range []string{
			"Not ready for production", "2 requirements are broken", "What blocks production access", "An access token is kept and used again",
			"An altered delivery is refused", "What is missing, and how to exercise it", "A late return is reversed", "Let a payment fail after it was paid",
			"tried once, never met by traffic", "List more than 100 companies", "ttempts so far", "What else needs attention", "partner.idempotency.key", "Coverage by area",
			strings.Repeat("ab", 32),
		} {
			next := strings.Index(text[at+1:], part)
			require.GreaterOrEqual(t, next, 0, "%s: %s after byte %d", name, part, at)
			at += 1 + next
		}
	}
}

func TestReadinessAsPrettyText(t *testing.T) {
	t.Parallel()
	text := string(written(t, "pretty", readySample()))
	require.True(t, strings.HasSuffix(text, "\nNot ready for production: 2 requirements are broken, and 1 has not been seen (exit code 1)\n"))
	require.Contains(t, text, "blocks production access:\n  partner.token.reuse  An access token is kept and used again\n  partner.webhook.signature  ")
	require.Contains(t, text, "no evidence yet, and needed:\n  partner.return.late  let a payment fail after it was paid; tried once, never met by traffic: it was paid, and stayed so; [redacted]\n\n")
	require.Contains(t, text, "attempts so far: tried 4 times, met by traffic twice\ntape: sha256 abab")
	require.Contains(t, text, "\n9 clauses: 3 fail, 1 warning, 1 pass, 1 not-reached, 1 not-applicable, 2 no evidence\n")
	require.NotContains(t, text, "scenarios:", "none was to run")
	require.NotContains(t, string(written(t, "pretty", readyHostile())), "\x1b")
}

func TestReadinessPageComesBack(t *testing.T) {
	t.Parallel()
	for _, r := range []*report.Report{readySample(), readyHostile(), never(), ready(t)} {
		ids, links := map[string]bool{}, []string{}
		tags, _ := elements(t, written(t, "html", r))
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
	hostile := string(written(t, "html", readyHostile()))
	require.Equal(t, 1, strings.Count(hostile, "<script>"))
}

func TestReadinessFitsAJobSummary(t *testing.T) {
	t.Parallel()
	r := readySample()
	long := strings.Repeat("é|", 20_000)
	for range 2000 {
		r.Readiness.Missing = append(r.Readiness.Missing, report.Missing{Clause: "a", Level: "MUST", Exercise: long})
	}
	text := written(t, "markdown", r)
	require.Less(t, len(text), 1<<20)
	require.Contains(t, string(text), "\nAnd 1901 clauses more.\n")
}

func TestReadinessInMarkdownIsNotTakenOver(t *testing.T) {
	t.Parallel()
	for line := range strings.Lines(string(written(t, "markdown", readyHostile()))) {
		require.NotContains(t, line, "<script")
		require.NotContains(t, line, " | a | b | ")
	}
}

func TestReadinessAsJSON(t *testing.T) {
	t.Parallel()
	s := schemaOf(t, report.Schema())
	for _, r := range []*report.Report{readySample(), never(), ready(t)} {
		text := written(t, "json", r)
		require.NoError(t, fits(t, s, text))
		got, err := report.Read(bytes.NewReader(text))
		require.NoError(t, err)
		require.Equal(t, r.Readiness, got.Readiness)
	}
	refusesEach(t, s, written(t, "json", readySample()), map[string]string{
		`"ready": false`: `"ready": "no"`, `"armed": 3`: `"armed": -3`, `"sha256": "ab`: `"sha256": "XY`, `"exercise"`: `"do"`, `"sentence"`: `"text"`,
		`"level": "MUST",` + "\n        \"exercise\"": `"level": "must",` + "\n        \"exercise\"",
	})
}

func TestReadinessAsJUnit(t *testing.T) {
	t.Parallel()
	for _, r := range []*report.Report{readySample(), readyHostile(), never()} {
		require.NoError(t, junitCheck(written(t, "junit", r)))
	}
	var d junitDocument
	text := written(t, "junit", readySample())
	require.NoError(t, xml.Unmarshal(text, &d))
	require.Equal(t, []int{9, 2, 0}, []int{d.Tests, d.Failures, d.Errors})
	properties, outcome := map[string]string{}, map[string]string{}
	for _, s := range d.Suites {
		for _, p := range s.Properties {
			properties[p.Name] = p.Value
		}
		for _, c := range s.Cases {
			outcome[c.Name] = map[bool]string{c.Failure != nil: "failure", c.Skipped != nil: "skip"}[true]
		}
	}
	require.Equal(t, map[string]string{
		"partner.token.reuse": "failure", "partner.webhook.signature": "failure", "partner.idempotency.key": "skip", "partner.return.late": "skip",
		"partner.paging.end": "skip", "partner.polling.hot": "", "partner.amount.cents": "", "partner.privacy.urls": "skip", "partner.agent": "skip",
	}, outcome)
	require.Equal(t, "false", properties["readiness.ready"])
	require.Equal(t, "partner.token.reuse partner.webhook.signature", properties["readiness.blocking"])
	require.Equal(t, "2", properties["readiness.missing"])
	require.Equal(t, "tried 4 times, met twice", properties["readiness.attempts"])
	require.Equal(t, strings.Repeat("4111", 16), properties["sha256.integration-clauses"])
	require.Contains(t, string(text), `message="not-exercised (no evidence): no payment was returned; to exercise it: let a payment fail after it was paid"`)
}

// TestWhatBlocksFails holds whatever the clause's own verdict and deviation say.
func TestWhatBlocksFails(t *testing.T) {
	t.Parallel()
	for _, v := range report.Verdicts() {
		r := &report.Report{Readiness: &report.Readiness{Blocking: []string{"a"}}, Clauses: []report.ClauseResult{
			{ID: "a", Title: "t", Verdict: v, Deviation: &report.Deviation{Reason: "later", Occurs: true}},
		}}
		if v == report.HarnessError {
			continue // an error, which is no pass either
		}
		var d junitDocument
		require.NoError(t, xml.Unmarshal(written(t, "junit", r), &d))
		if v.Judged() && v != report.Fail {
			continue // nothing that held can block
		}
		require.NotNil(t, d.Suites[0].Cases[0].Failure, v)
		require.Contains(t, string(written(t, "ctrf", r)), `"status": "failed"`, v)
		require.Contains(t, string(written(t, "cucumber", r)), `"status": "failed"`, v)
	}
}

func TestReadinessAsCTRF(t *testing.T) {
	t.Parallel()
	s := schemaFile(t, "ctrf.schema.json")
	for _, r := range []*report.Report{readySample(), readyHostile(), never()} {
		require.NoError(t, fits(t, s, written(t, "ctrf", r)))
	}
	var d struct {
		Results struct {
			Summary map[string]int64
			Tests   []struct{ Name, Status, RawStatus, Message string }
			Extra   struct {
				Report, Headline string
				Readiness        *report.Readiness
			}
		}
	}
	require.NoError(t, json.Unmarshal(written(t, "ctrf", readySample()), &d))
	require.Equal(t, readySample().Readiness, d.Results.Extra.Readiness)
	require.Equal(t, "Integration readiness", d.Results.Extra.Report)
	require.Equal(t, []int64{2, 2, 5}, []int64{d.Results.Summary["passed"], d.Results.Summary["failed"], d.Results.Summary["skipped"]})
	for _, x := range d.Results.Tests {
		if x.RawStatus == "not-exercised" || x.RawStatus == "not-reached" {
			require.Equal(t, "skipped", x.Status, x.Name)
		}
	}
	require.Contains(t, string(written(t, "ctrf", readySample())), "to exercise it: let a payment fail")
}

func TestReadinessAsCucumber(t *testing.T) {
	t.Parallel()
	s := schemaFile(t, "cucumber.schema.json")
	for _, r := range []*report.Report{readySample(), readyHostile(), never()} {
		require.NoError(t, fits(t, s, written(t, "cucumber", r)))
	}
	var features []struct {
		Name, Description string
		Elements          []struct {
			Name  string
			Steps []struct{ Result struct{ Status string } }
		}
	}
	require.NoError(t, json.Unmarshal(written(t, "cucumber", readySample()), &features))
	require.Equal(t, "Integration readiness", features[0].Name)
	require.Contains(t, features[0].Description, "tape: sha256 abab")
	status := map[string]string{}
	for _, e := range features[0].Elements {
		require.Len(t, e.Steps, 1)
		status[e.Name] = e.Steps[0].Result.Status
	}
	require.Equal(t, map[string]string{
		"partner.token.reuse": "failed", "partner.webhook.signature": "failed", "partner.idempotency.key": "skipped", "partner.return.late": "skipped",
		"partner.paging.end": "skipped", "partner.polling.hot": "passed", "partner.amount.cents": "passed", "partner.privacy.urls": "skipped", "partner.agent": "skipped",
	}, status)
	require.NotContains(t, string(written(t, "cucumber", sample())), "clause:company.create.zip\"\n      }\n    ],\n    \"steps\": [\n      {\n       \"keyword\": \"* ")
}

// TestNoEvidenceIsGrey looks at what never was exercised, in each format for
// people.
func TestNoEvidenceIsGrey(t *testing.T) {
	t.Parallel()
	page := string(written(t, "html", never()))
	require.Contains(t, page, `<div class="verdict none large"`)
	require.Contains(t, page, `<li class="badge none"><span aria-hidden="true">○</span> 49 no evidence</li>`)
	require.Contains(t, page, `<option value="not-exercised">no evidence</option>`)
	require.NotContains(t, page, ">not-exercised<")
	require.Regexp(t, regexp.MustCompile(`(?m)^## ➖ Not ready for production: too little evidence$`), string(written(t, "markdown", never())))
	require.Contains(t, string(written(t, "markdown", never())), "| ➖ no evidence | 49 |\n")
	require.Contains(t, string(written(t, "pretty", never())), "\n49 clauses: 49 no evidence\n")
	require.NotContains(t, string(written(t, "junit", never())), "<failure")
	var d junitDocument
	require.NoError(t, xml.Unmarshal(written(t, "junit", never()), &d))
	for _, s := range d.Suites {
		require.Equal(t, s.Tests, s.Skipped)
	}
}

// TestVerdictInLargeType cuts the sentence where it can be cut.
func TestVerdictInLargeType(t *testing.T) {
	t.Parallel()
	for sentence, want := range map[string][2]string{
		"Not ready for production access: broken are partner.token.reuse. More is not.": {"Not ready for production access", "Broken are partner.token.reuse. More is not."},
		"Nothing was seen. Call it: then look again.":                                   {"Nothing was seen", "Call it: then look again."},
		"Ready for production":               {"Ready for production", ""},
		strings.Repeat("so ", 30) + ": what": {strings.TrimSpace(strings.Repeat("so ", 30)) + " : what", ""},
	} {
		r := readySample()
		r.Readiness.Sentence = sentence
		page := string(written(t, "html", r))
		require.Contains(t, page, "</span> "+want[0]+"</h1>")
		require.Equal(t, want[1] != "", strings.Contains(page, `<p class="detail">`))
		require.Contains(t, page, want[1])
	}
}

// TestGateAndReadinessDisagree: a failed advice spoils the gate, not production
// access; what is missing can be allowed.
func TestGateAndReadinessDisagree(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		ready   bool
		verdict report.Verdict
		page    string
		mark    string
	}{
		{true, report.Pass, "good", "✅"},
		{true, report.Fail, "note", "⚠️"},
		{true, report.HarnessError, "note", "⚠️"},
		{false, report.Pass, "note", "⚠️"},
		{false, report.Fail, "bad", "❌"},
		{false, report.Inconclusive, "note", "⚠️"},
		{false, report.NotExercised, "none", "➖"},
	} {
		r := &report.Report{Verdict: c.verdict, Readiness: &report.Readiness{Ready: c.ready}}
		require.Contains(t, string(written(t, "html", r)), `<div class="verdict `+c.page+` large"`, c)
		require.True(t, strings.HasPrefix(string(written(t, "markdown", r)), "## "+c.mark+" "), c)
	}
}

// TestWhatIsNotAboutTheRunIsNotNeeded: a clause of level MUST that does not apply
// is listed, but the verdict does not wait for it.
func TestWhatIsNotAboutTheRunIsNotNeeded(t *testing.T) {
	t.Parallel()
	for v, needed := range map[report.Verdict]bool{report.NotExercised: true, report.NotReached: true, report.NotApplicable: false, report.Disabled: false} {
		r := &report.Report{
			Clauses:   []report.ClauseResult{{ID: "a.b", Verdict: v}},
			Readiness: &report.Readiness{Ready: !needed, Missing: []report.Missing{{Clause: "a.b", Level: "MUST", Exercise: "do"}}},
		}
		require.Equal(t, needed, strings.Contains(string(written(t, "pretty", r)), "no evidence yet, and needed"), v)
		require.NotEqual(t, needed, strings.Contains(string(written(t, "html", r)), "the verdict does not wait for"), v)
		require.NotEqual(t, needed, strings.Contains(string(written(t, "markdown", r)), "the verdict does not wait for"), v)
		require.NotContains(t, string(written(t, "html", r)), "So far", v)
	}
}

// TestAdviceIsShownLikeWhatBlocks says of broken advice what was seen, what was
// expected and how to mend it, without a click.
func TestAdviceIsShownLikeWhatBlocks(t *testing.T) {
	t.Parallel()
	r := &report.Report{
		Verdict: report.Fail, ExitCode: 1, Readiness: &report.Readiness{Ready: true},
		Clauses: []report.ClauseResult{
			{ID: "a.b", Title: "Advice", Level: "SHOULD", Verdict: report.Fail, Evidence: []report.Evidence{{Expected: "growing pauses", Received: "none", Hint: "wait longer"}}},
			{ID: "a.c", Title: "Doubt", Level: "SHOULD", Verdict: report.Review, Reason: "look at it"},
		},
	}
	page := string(written(t, "html", r))
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
