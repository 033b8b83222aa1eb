package signoff_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/signoff"
)

func TestReadDeviations(t *testing.T) {
	t.Parallel()
	const good = `- {clause: company.create, owner: Ann, reason: late, expires: "2027-01-31"}`
	list, err := signoff.ReadDeviations(strings.NewReader(good))
	require.NoError(t, err)
	require.Equal(t, []signoff.Deviation{{Clause: "company.create", Owner: "Ann", Reason: "late", Expires: "2027-01-31"}}, list)

	list, err = signoff.ReadDeviations(strings.NewReader("# none\n"))
	require.NoError(t, err)
	require.Empty(t, list)

	for text, problem := range map[string]string{
		strings.Replace(good, "company.create", "company.crete", 1): "which there is not",
		strings.Replace(good, "Ann", `""`, 1):                       "needs an owner",
		strings.Replace(good, "late", `""`, 1):                      "needs an owner and a reason",
		strings.Replace(good, "2027-01-31", "soon", 1):              "give a day",
		strings.Replace(good, "owner", "ownr", 1):                   "not a list",
		good + "\n" + good:                                          "two deviations",
		"clause: company.create":                                    "not a list",
	} {
		_, err := signoff.ReadDeviations(strings.NewReader(text))
		require.ErrorIs(t, err, signoff.ErrFile, text)
		require.ErrorContains(t, err, problem, text)
	}
}

// TestReadWhatIntegrationsSign: waivers and attestations name a clause of an
// integration, somebody, and a last day.
func TestReadWhatIntegrationsSign(t *testing.T) {
	t.Parallel()
	const waiver = `- {clause: partner.retry.backoff, owner: Ann, reason: next release, until: "2027-01-31"}`
	waivers, err := signoff.ReadWaivers(strings.NewReader(waiver))
	require.NoError(t, err)
	require.Equal(t, []signoff.Waiver{{Clause: "partner.retry.backoff", Owner: "Ann", Reason: "next release", Until: "2027-01-31"}}, waivers)
	for text, problem := range map[string]string{
		strings.Replace(waiver, "partner.retry.backoff", "company.create", 1): "which is a clause of the service",
		strings.Replace(waiver, "partner.retry.backoff", "partner.x", 1):      "a waiver names the clause",
		strings.Replace(waiver, "Ann", `""`, 1):                               "the waiver of partner.retry.backoff needs an owner",
		strings.Replace(waiver, "2027-01-31", "soon", 1):                      "is accepted until \"soon\"",
		strings.Replace(waiver, "until", "expires", 1):                        "not a list of clause, owner, reason and until: line 1: there is no member expires",
		strings.TrimPrefix(waiver, "- "):                                      "not a list of clause, owner, reason and until: line 1: received a map",
		"- {clause: [a], owner: Ann}":                                         "line 1: received a seq",
		"- partner.retry.backoff":                                             "line 1: received a str",
		"{{{":                                                                 "until: (while parsing",
	} {
		_, err := signoff.ReadWaivers(strings.NewReader(text))
		require.ErrorIs(t, err, signoff.ErrFile, text)
		require.ErrorContains(t, err, problem, text)
	}
	digest := strings.Repeat("ab", 32)
	attestation := `- {clause: partner.webhook.duplicate, who: Bob, at: books.py at 3f2a1c9, digest: ` + digest + `, result: passed, lapses: "2027-01-31"}`
	attestations, err := signoff.ReadAttestations(strings.NewReader(attestation))
	require.NoError(t, err)
	require.Equal(t, []signoff.Attestation{{
		Clause: "partner.webhook.duplicate", Who: "Bob", At: "books.py at 3f2a1c9", Digest: digest, Result: signoff.Passed, Lapses: "2027-01-31",
	}}, attestations)
	for text, problem := range map[string]string{
		strings.Replace(attestation, "passed", "fine", 1):       `says "fine": give result: passed, or failed`,
		strings.Replace(attestation, digest, "abc", 1):          "needs the digest of what was looked at",
		strings.Replace(attestation, "Bob", `""`, 1):            "needs who has looked",
		strings.Replace(attestation, "2027-01-31", "later", 1):  `lapses on "later"`,
		strings.Replace(attestation, "duplicate", "nothing", 1): "an attestation names the clause",
		attestation + "\n" + attestation:                        "has two attestations",
	} {
		_, err := signoff.ReadAttestations(strings.NewReader(text))
		require.ErrorIs(t, err, signoff.ErrFile, text)
		require.ErrorContains(t, err, problem, text)
	}
}

func TestTheLastDayCounts(t *testing.T) {
	t.Parallel()
	evening := time.Date(2027, 1, 31, 23, 59, 0, 0, time.UTC)
	require.False(t, signoff.Over("2027-01-31", evening))
	require.True(t, signoff.Over("2027-01-31", evening.Add(time.Minute)))
	require.False(t, signoff.Over("2027-01-31T23:59:59Z", evening))
	require.True(t, signoff.Over("2027-01-31T11:00:00Z", evening), "hours end within a day")
}

// FuzzRead: whatever a file holds, it is read or refused as a file, and what is read passes again.
func FuzzRead(f *testing.F) {
	f.Add(`- {clause: company.create, owner: Ann, reason: late, expires: "2027-01-31"}`)
	f.Add(`- {clause: partner.retry.pause, owner: Ann, reason: late, until: "2027-01-31"}`)
	f.Add("a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := signoff.ReadDeviations(strings.NewReader(text))
		_, second := signoff.ReadWaivers(strings.NewReader(text))
		_, third := signoff.ReadAttestations(strings.NewReader(text))
		for _, err := range []error{err, second, third} {
			if err != nil {
				require.ErrorIs(t, err, signoff.ErrFile)
			}
		}
		if err == nil {
			require.NoError(t, signoff.CheckDeviations(list))
		}
	})
}
