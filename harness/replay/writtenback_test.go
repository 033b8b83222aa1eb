package replay_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay"
	"paysandbox/harness/replay/diagnose"
	"paysandbox/harness/replay/minimise"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/read"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/replay/writeout"
	"paysandbox/harness/sampling"
)

// TestWrittenBack: what a case is written as is read again, whole or, of every fourth, minimised, and never accuses the service of
// what the case does not. Of calls alone, a HAR says what the case said of them.
func TestWrittenBack(t *testing.T) {
	sampling.NotRaced(t, "TestCorpus and TestCallsThatMet replay with it")
	t.Parallel()
	s := sandbox(t)
	forms := []string{"har", "postman", "curl", "http", "tape"}
	for n, path := range some(t, 3, 24) {
		c := readReport(t, path).made(t, s).Case
		if len(c.Recording.Exchanges) == 0 {
			continue // a form has calls
		}
		har := writtenBack(t, s, c, "har", path)
		if f := c.Diagnosis.Fault; f != nil && f.Clause != "" && !slices.Contains(logged, f.Clause) && len(c.Recording.Received) == 0 && !slices.ContainsFunc(c.Recording.Exchanges, pageLogged) {
			require.NotNil(t, har.Fault, path)
			assert.Equal(t, f.Clause, har.Fault.Clause, path)
		}
		writtenBack(t, s, c, forms[n%len(forms)], path)
		if n%4 != 0 {
			continue // minimising takes the most of it
		}
		small, _, err := c.Minimise(t.Context(), "", replay.Options{Sandbox: s, Parallel: 2})
		if err == nil {
			writtenBack(t, s, small, forms[(n+1)%len(forms)], path+", minimised")
		} else {
			assert.True(t, errors.Is(err, replay.ErrKeep) || errors.Is(err, minimise.ErrNotShown), "%s: %v", path, err)
		}
	}
}

// logged are the clauses that may rest on what a log says around its calls, or on calls to other hosts, which no HAR of ours has.
var logged = []string{"partner.amount.cents", "partner.paging.complete", "partner.payment.paid-first"}

// pageLogged says whether a log tells in words of its own what an answer was: no HAR of ours has that.
func pageLogged(x recording.Exchange) bool { return x.Page != nil }

// endings are how files of the forms are called.
var endings = map[string]string{"har": ".har", "postman": ".json", "curl": ".sh", "http": ".http", "tape": ".tape"}

// writtenBack is what is said of a case that is written in a form and read again.
func writtenBack(t *testing.T, s *play.Sandbox, c *replay.Case, form, of string) *diagnose.Diagnosis {
	t.Helper()
	text, err := writeout.Write(form, c.Written(s))
	require.NoError(t, err, of)
	path := filepath.Join(t.TempDir(), "case"+endings[form])
	require.NoError(t, os.WriteFile(path, text, 0o600))
	if !slices.ContainsFunc(c.Script.Steps, func(s play.Step) bool { return s.Call != nil && s.Call.N >= 0 }) {
		return &diagnose.Diagnosis{} // minimised to what is no call
	}
	d := made(t, s, []string{path}, read.Options{}).Diagnosis
	if c.Diagnosis.Side != diagnose.Service {
		assert.NotEqual(t, diagnose.Service, d.Side, "%s, as %s: %v", of, form, d.Lines)
	}
	return &d
}

// TestFeaturesNameWhatStepsMake: an id that no step of the features knows would be refused when the feature is run.
func TestFeaturesNameWhatStepsMake(t *testing.T) {
	sampling.NotRaced(t, "TestCorpus and TestCallsThatMet replay with it")
	t.Parallel()
	s := sandbox(t)
	for file, says := range map[string]string{
		"blind-guzzle-twice/guzzle.log":         `"locationId":"{location}"`,
		"blind-mail-attached-har/mail.eml":      "the partner adds the payer to the plan\n    And the client sends \"GET /Consent/List\"",
		"undecidable-n8n-bodies/execution.json": "# POST /Payment/ChargeSavedCard: its answer never came, and what was sent is not known",
	} {
		text, err := writeout.Write("feature", made(t, s, []string{"../../fixtures/reports/" + file}, read.Options{}).Written(s))
		require.NoError(t, err)
		require.Contains(t, string(text), says, file)
	}
}
