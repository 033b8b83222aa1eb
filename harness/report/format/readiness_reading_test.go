package format_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/clause"
	"paysandbox/harness/report"
	"paysandbox/harness/report/redact"
	"paysandbox/harness/report/sample"
	"paysandbox/harness/verdict"
)

// TestWhatBlocksIsReadWithoutAClick in a job summary: what was seen, what was
// expected, how to mend it and where it stands on the tape; the exchange is folded.
func TestWhatBlocksIsReadWithoutAClick(t *testing.T) {
	t.Parallel()
	text := string(sample.Written(t, "markdown", sample.Integration()))
	_, text, _ = strings.Cut(text, "### What blocks production access\n")
	open, folded, found := strings.Cut(text, "<details>")
	require.True(t, found)
	for _, part := range []string{
		"An access token is kept and used again", `tape \#4, \#9`, "**Seen:** 12 tokens in 3 minutes", "**Expected:** 1 token for an hour", "**To mend it:** Keep the token",
	} {
		require.Contains(t, open, part)
	}
	require.Contains(t, folded, "POST /company")
	page := string(sample.Written(t, "html", sample.Integration()))
	page = page[strings.Index(page, `data-testid="blocking"`):strings.Index(page, `data-testid="missing"`)]
	require.Contains(t, page, `Tape <a href="#entry-4">#4</a>, <a href="#entry-9">#9</a> · <a href="#partner.token.reuse">what was sent and answered</a>`)
}

// TestNumbersLeadToTheirEntries, which stand on the page: each link of a page leads to a
// place of it, also by an entry that would like to be more than text.
func TestNumbersLeadToTheirEntries(t *testing.T) {
	t.Parallel()
	place := regexp.MustCompile(` id="([^"]*)"`)
	for name, r := range map[string]*report.Report{
		"integration": sample.Integration(), "service": sample.Service(), "hostile": sample.HostileService(), "hostile integration": sample.HostileIntegration(),
	} {
		page := string(sample.Written(t, "html", r))
		var places []string
		for _, m := range place.FindAllStringSubmatch(page, -1) {
			require.NotContains(t, places, m[1], "%s: one place, one name", name)
			places = append(places, m[1])
		}
		for _, m := range regexp.MustCompile(` href="#([^"]*)"`).FindAllStringSubmatch(page, -1) {
			require.Contains(t, places, m[1], name)
		}
	}
	page := string(sample.Written(t, "html", sample.Integration()))
	require.Contains(t, page, `<div class="body" id="entry-4"><pre>Request`)
	require.Contains(t, page, `<p class="cited" id="entry-9">#9 `)
	page = string(sample.Written(t, "html", sample.Service()))
	require.Contains(t, page, `Tape <a href="#company.create.zip-1-12">#12</a>, #13<`, "a number without an entry is a number")
	require.Contains(t, page, `<p class="cited" id="company.create.zip-1-12">#12 `)
}

// TestAdviceCanBeFollowed explains each word of the advices that a newcomer does not
// know, and no other.
func TestAdviceCanBeFollowed(t *testing.T) {
	t.Parallel()
	list := [][2]string{
		{"meet a token that was withdrawn: the fault token-revoked", "POST …/faults"},
		{"be sent an altered delivery: the delivery profile altered-byte", "--webhook-url or POST …/webhooks"},
		{"see a late return: the persona unauthorised-late-return", "POST …/registrations/{id}/complete"},
		{"keep calling: move the clock past expiresInSeconds", "POST …/clock/advance"},
	}
	for i, c := range list {
		r := &report.Report{Readiness: &report.Readiness{Missing: []report.Missing{{Clause: "a", Level: "MUST", Exercise: c[0]}}}}
		for _, name := range []string{"html", "markdown", "pretty"} {
			text := strings.ReplaceAll(string(sample.Written(t, name, r)), `\`, "")
			require.Contains(t, text, "paysandbox observe --all", name)
			require.Contains(t, text, "PAYSANDBOX_CONTROL_URL", name)
			for k, other := range list {
				require.Equal(t, i == k, strings.Contains(text, other[1]), "%s: %s", name, other[1])
			}
		}
	}
	for _, name := range []string{"html", "markdown", "pretty"} {
		require.NotContains(t, string(sample.Written(t, name, sample.Ready(t))), "--all", "nothing is missing")
		require.NotContains(t, string(sample.Written(t, name, sample.Service())), "--all", "about the service")
	}
}

// TestJourneysAreNamed where the evidence comes up in one.
func TestJourneysAreNamed(t *testing.T) {
	t.Parallel()
	r := sample.Integration()
	r.Readiness.Missing[0].Journeys = []string{"late-return", "plan", "third"}
	for _, name := range []string{"html", "markdown", "pretty", "junit"} {
		require.Contains(t, string(sample.Written(t, name, r)), "paid; or live the journey late-return or plan", name)
	}
	require.NoError(t, fits(t, schemaFile(t, "../../report.schema.json"), sample.Written(t, "json", r)))
	r.Readiness.Missing[0].Exercise, r.Readiness.Missing[0].Journeys = "live through an outage: the journey outage", []string{"outage"}
	require.NotContains(t, string(sample.Written(t, "pretty", r)), "; or live", "not twice")
}

// TestWhatWasObservedIsNamed: an integration's target is no more than the sandbox.
func TestWhatWasObservedIsNamed(t *testing.T) {
	t.Parallel()
	c := report.NewCollector(redact.New(sample.Secret))
	c.RunStarted(report.Run{Tool: "paysandbox", Target: "http://127.0.0.1:1", Observed: "npm test --key " + sample.Secret})
	c.RunFinished(report.RunEnd{Readiness: sample.Readiness()})
	r := c.Report()
	require.Equal(t, "npm test --key [redacted]", r.Observed)
	require.Contains(t, string(sample.Written(t, "pretty", r)), "paysandbox on npm test --key [redacted], evidence from http://127.0.0.1:1, seed 0")
	require.Contains(t, string(sample.Written(t, "html", r)), "<dt>Observed</dt><dd>npm test --key [redacted]</dd>")
	require.Contains(t, string(sample.Written(t, "markdown", r)), `paysandbox on npm test --key \[redacted\], evidence from`)
	require.NoError(t, fits(t, schemaFile(t, "../../report.schema.json"), sample.Written(t, "json", sample.Integration())))
	r.Readiness = nil
	require.Contains(t, string(sample.Written(t, "pretty", r)), "paysandbox against http://127.0.0.1:1, seed 0")
}

// TestNothingIsToldTwice: a note that says what the reason says is left out.
func TestNothingIsToldTwice(t *testing.T) {
	t.Parallel()
	r := sample.Integration()
	r.Reason, r.Notes = "the observed command failed: exit status 7", []string{"The observed command failed: exit status 7.", "another note"}
	for _, name := range []string{"html", "markdown", "pretty"} {
		text := strings.ToLower(string(sample.Written(t, name, r)))
		require.Equal(t, 1, strings.Count(text, "the observed command failed: exit status 7"), name)
		require.Contains(t, text, "another note", name)
	}
	require.Contains(t, string(sample.Written(t, "html", r)), "<p>The observed command failed: exit status 7.</p>")
}

// TestWhatIsSeenElsewhereOnlyIsNeeded when it is what keeps an integration from
// being ready, as in the environment in which every company is Verified.
func TestWhatIsSeenElsewhereOnlyIsNeeded(t *testing.T) {
	t.Parallel()
	r := sample.Integration()
	i := slices.IndexFunc(r.Clauses, func(c report.ClauseResult) bool { return c.ID == "partner.return.late" })
	r.Clauses[i].Verdict = verdict.NotApplicable
	r.Readiness.Blocking = nil
	for name, needed := range map[string]string{"pretty": "and needed:\n  partner.return.late", "markdown": "how to exercise it\n\n| Clause | How to exercise it | So far |\n| --- | --- | --- |\n| partner.return.late", "html": `<tbody><tr><td><a href="#partner.return.late">`} {
		text := string(sample.Written(t, name, r))
		require.Contains(t, text, needed, name)
		require.NotContains(t, text, "Nothing that the verdict needs", name)
	}
}

// TestAPartSaysNothingIsMissing where only some clauses were asked for: there is no
// list below that could be pointed to.
func TestAPartSaysNothingIsMissing(t *testing.T) {
	t.Parallel()
	r := &report.Report{Verdict: verdict.Pass, Readiness: &report.Readiness{Sentence: "Only 6 clauses were asked for."}}
	page := string(sample.Written(t, "html", r))
	require.NotContains(t, page, "What is missing below")
	require.Contains(t, page, "Nothing of what was looked at, which was not all that is required.")
	require.Contains(t, string(sample.Written(t, "html", sample.Silent())), "What is missing below")
}

// TestOneExchangeOfEachClause in texts: the further pieces say what was received.
func TestOneExchangeOfEachClause(t *testing.T) {
	t.Parallel()
	n := len(clause.Integration())
	r := collected(observedOver(5 * n))
	for _, name := range []string{"pretty", "junit"} {
		text := string(sample.Written(t, name, r))
		require.Equal(t, n, strings.Count(text, "request: POST /company"), name)
		require.Equal(t, 5*n, strings.Count(text, "received: 5 reads of payment"), name)
	}
}
