package format_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/report"
	"paysandbox/harness/report/format"
	"paysandbox/harness/report/readiness"
	"paysandbox/harness/report/sample"
	"paysandbox/harness/verdict"
)

// notShown is a report about an integration of which one requirement cannot be seen
// by calls alone.
func notShown(t *testing.T) *report.Report {
	t.Helper()
	r := sample.Ready(t)
	c := &r.Clauses[0]
	c.Verdict, c.Evidence = verdict.Review, []report.Evidence{{Entries: []uint64{7}, Received: "both copies were answered with 200"}}
	r.Verdict, r.ExitCode = verdict.Inconclusive, verdict.CodeLittle
	r.Readiness.Ready, r.Readiness.NotShown = false, []string{c.ID}
	r.Readiness.Sentence = "Not shown to be ready for production access: nothing that is required was seen to be broken."
	return r
}

// TestNotShownIsNeverCalledSeen: as long as nobody has looked, no format says that
// everything was seen and held, and each says what to do.
func TestNotShownIsNeverCalledSeen(t *testing.T) {
	t.Parallel()
	r := notShown(t)
	id := r.Clauses[0].ID
	for name, want := range map[string][]string{
		"pretty":   {"not shown by calls and answers alone, and needed:\n  " + id, "--state-url"},
		"html":     {"What calls and answers alone do not show", "--state-url", "Not shown to be ready"},
		"markdown": {"### What calls and answers alone do not show", "--state-url", "both copies were answered with 200"},
		"junit":    {`<skipped message="not shown by calls and answers alone: a person has to look">`, `name="readiness.notShown" value="` + id + `"`},
		"json":     {`"notShown": [`},
		"ctrf":     {`"notShown": [`, `"status": "other"`},
		"cucumber": {`"status": "pending"`},
	} {
		text := string(sample.Written(t, name, r))
		for _, w := range want {
			require.Contains(t, text, w, name)
		}
		require.NotContains(t, text, "was seen, and held", name)
		require.NotContains(t, text, "blocks nothing", name)
	}
	require.Len(t, format.Names(), 7, "every format is looked at")
}

// TestWarningsStandInTheReport: what the service has warned of is told with its count
// and its first calls, and what nobody can see is told not to have been judged.
func TestWarningsStandInTheReport(t *testing.T) {
	t.Parallel()
	r := sample.Integration()
	for name, want := range map[string][]string{
		"pretty":   {"warnings that your calls received:\n  23 times  A due date lies in the future /dueDate (payment.create.due-date); tape #4, #9, #31 and 20 more", "once  company.create.unknown-member /locations/*/colour", "not visible from outside, and not judged:\n  Signatures"},
		"html":     {"Warnings that your calls received", `<a href="#entry-4">#4</a>, <a href="#entry-9">#9</a>, #31 and 20 more`, "Not visible from outside", "and was not judged (1)"},
		"markdown": {"### Warnings that your calls received", "| 23 | today or later |", "Not visible from outside, and not judged"},
		"json":     {`"warnings": [`, `"invisible": [`},
	} {
		text := string(sample.Written(t, name, r))
		for _, w := range want {
			require.Contains(t, strings.ReplaceAll(text, `\#`, "#"), w, name)
		}
	}
}

// TestAttestedIsNotWaived: two words, in every format that has room for them.
func TestAttestedIsNotWaived(t *testing.T) {
	t.Parallel()
	r := sample.Ready(t)
	attested, waived := &r.Clauses[0], &r.Clauses[1]
	attested.Attested = &report.Attestation{Who: "Bob", At: "books.py", SHA256: strings.Repeat("ab", 32), Passed: true, Lapses: "2027-01-31"}
	waived.Verdict = verdict.Fail
	waived.Deviation = &report.Deviation{Owner: "Ann", Reason: "next release", Expires: "2026-06-30", Occurs: true}
	for name, want := range map[string][]string{
		"pretty":   {"attested by Bob at books.py (sha256 abab", "waived: next release (Ann, until 2026-06-30)"},
		"html":     {"attested by Bob at books.py", ", attested</span>", ", waived</span>", "Waived: next release"},
		"markdown": {"### Attested", "attested by Bob at books.py", "Waived: next release"},
		"junit":    {"attested by Bob at books.py", `<skipped message="waived: next release">`},
		"ctrf":     {"waived: next release"},
		"cucumber": {"waived: next release"},
		"json":     {`"attested": {`, `"deviation": {`},
	} {
		text := string(sample.Written(t, name, r))
		for _, w := range want {
			require.Contains(t, text, w, name)
		}
		require.NotContains(t, text, "nown deviation", name)
	}
	_, others := readiness.View{Report: r}.Blocking()
	require.Len(t, others, 1, "what is waived blocks nothing, and is told")
}
