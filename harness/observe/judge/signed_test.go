package judge_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/observe/judge"
	"paysandbox/harness/report"
	"paysandbox/harness/signoff"
	"paysandbox/harness/verdict"
)

// attest is Bob's word on the clause m, waive Ann's on any.
func attest(result, lapses string) signoff.Attestation {
	return signoff.Attestation{Clause: "m", Who: "Bob", At: "books.py at 3f2a1c9", Digest: strings.Repeat("ab", 32), Result: result, Lapses: lapses}
}

func waive(id, until string) signoff.Waiver {
	return signoff.Waiver{Clause: id, Owner: "Ann", Reason: "next release", Until: until}
}

// TestSigned is what the word of a person changes, and what it does not.
func TestSigned(t *testing.T) {
	t.Parallel()
	const today, yesterday = "2026-03-01", "2026-02-28"
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	pass := judged("p", "MUST", verdict.Pass)
	tests := map[string]struct {
		clause      report.ClauseResult
		attestation signoff.Attestation
		waiver      signoff.Waiver
		is          verdict.Word
		code        int
		ready       bool
		says, note  string
	}{
		"looked, and it holds":      {clause: judged("m", "MUST", verdict.Review), attestation: attest("passed", today), is: verdict.Pass, ready: true, says: "1 of 2 rules were seen to hold, 1 attested (m)"},
		"looked, and it does not":   {clause: judged("m", "MUST", verdict.Review), attestation: attest("failed", today), is: verdict.Fail, code: 1, says: "requirement is broken: m"},
		"looked too long ago":       {clause: judged("m", "MUST", verdict.Review), attestation: attest("passed", yesterday), is: verdict.Review, code: 3, says: "Not shown", note: "The attestation of m lapsed after 2026-02-28"},
		"not shown by the traffic":  {clause: judged("m", "MUST", verdict.Pass), attestation: attest("failed", today), is: verdict.Fail, code: 1, says: "requirement is broken: m"},
		"broken, and never came up": {clause: judged("m", "MUST", verdict.NotExercised), attestation: attest("failed", today), is: verdict.Fail, code: 1, says: "requirement is broken: m"},
		"it does not apply":         {clause: judged("m", "MUST", verdict.NotApplicable), attestation: attest("failed", today), is: verdict.NotApplicable, ready: true, note: "counts for nothing: by the traffic it is"},
		"the traffic shows it":      {clause: judged("m", "MUST", verdict.Fail), attestation: attest("passed", today), is: verdict.Fail, code: 1, says: "requirement is broken: m", note: "counts for nothing: by the traffic it is fail"},
		"it never came up":          {clause: judged("m", "MUST", verdict.NotExercised), attestation: attest("passed", today), is: verdict.NotExercised, code: 3, says: "not seen: m", note: "by the traffic it is no evidence"},
		"broken and accepted":       {clause: judged("m", "MUST", verdict.Fail), waiver: waive("m", today), is: verdict.Fail, ready: true, says: "Ready for production access, with 1 waived: 1 of 2 rules were seen to hold, 1 waived (m)"},
		"accepted for ever":         {clause: judged("m", "MUST", verdict.Fail), waiver: waive("m", "9999-12-31"), is: verdict.Fail, ready: true, says: "1 waived (m)", note: "The waiver of m holds until 9999-12-31, more than a year from now"},
		"looked once and for all":   {clause: judged("m", "MUST", verdict.Review), attestation: attest("passed", "2027-03-02"), is: verdict.Pass, ready: true, says: "1 attested (m)", note: "Give a day up to 2027-03-01"},
		"advice that is waived":     {clause: judged("s", "SHOULD", verdict.Fail), waiver: waive("s", today), is: verdict.Fail, ready: true, says: "with 1 waived"},
		"accepted until yesterday":  {clause: judged("m", "MUST", verdict.Fail), waiver: waive("m", yesterday), is: verdict.Fail, code: 1, says: "requirement is broken: m", note: "The waiver of m expired after 2026-02-28"},
		"accepted and mended":       {clause: judged("m", "MUST", verdict.Pass), waiver: waive("m", today), is: verdict.Pass, code: 5, ready: true, note: "The waiver of m is not needed any more"},
		"accepted and not seen":     {clause: judged("m", "MUST", verdict.NotExercised), waiver: waive("m", today), is: verdict.NotExercised, code: 3, says: "not seen: m", note: "The waiver of m excuses nothing"},
		"a waiver is no word on it": {clause: judged("m", "MUST", verdict.Review), waiver: waive("m", today), is: verdict.Review, code: 3, says: "Not shown", note: "by the traffic it is review"},
		"broken by a person's word": {clause: judged("m", "MUST", verdict.Review), attestation: attest("failed", today), waiver: waive("m", today), is: verdict.Fail, ready: true, says: "1 waived (m)"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := judge.SignedOf([]report.ClauseResult{pass, tc.clause}, now, []signoff.Attestation{tc.attestation}, []signoff.Waiver{tc.waiver})
			require.Equal(t, tc.is, j.Clauses[1].Verdict)
			require.Equal(t, tc.code, j.End.ExitCode, j.End.Readiness.Sentence)
			require.Equal(t, tc.ready, j.End.Readiness.Ready)
			require.Contains(t, j.End.Readiness.Sentence, tc.says)
			require.Equal(t, tc.note != "", len(j.Notes) > 0, j.Notes)
			require.Contains(t, strings.Join(j.Notes, "\n"), tc.note)
			if tc.code == verdict.CodeGone {
				require.Contains(t, j.End.Reason, "take these out of the waivers, they are not broken any more: m")
			}
		})
	}
}
