package seal_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/report"
	"paysandbox/harness/seal"
	"paysandbox/harness/verdict"
)

// told is a report about an integration.
func told() *report.Report {
	return &report.Report{
		Tool: "paysandbox", Version: "1.2.3", Seed: 7, Target: "the sandbox",
		Clauses: []report.ClauseResult{
			{ID: "partner.a", Verdict: verdict.Pass},
			{ID: "partner.b", Verdict: verdict.NotReached},
		},
		Readiness: &report.Readiness{
			Ready: true, Subject: "registry.example/shop@sha256:" + strings.Repeat("ab", 32),
			Digests: []report.Digest{{Name: "tape", SHA256: "5ba5fc2d1a3f"}, {Name: "plan", SHA256: "00ff"}},
		},
	}
}

func state(t *testing.T, r *report.Report) seal.Statement {
	t.Helper()
	raw, err := seal.State(r, []byte("the report"))
	require.NoError(t, err)
	s, err := seal.ReadStatement(raw)
	require.NoError(t, err)
	return *s
}

func TestStatement(t *testing.T) {
	t.Parallel()
	s := state(t, told())
	require.Equal(t, []string{"report", "tape", told().Readiness.Subject}, []string{s.Subject[0].Name, s.Subject[1].Name, s.Subject[2].Name})
	require.Equal(t, strings.Repeat("ab", 32), s.Subject[2].Digest["sha256"])
	require.Equal(t, "PASSED", s.Predicate.Result)
	require.Equal(t, []string{"partner.a"}, s.Predicate.Passed)
	require.Equal(t, []string{"partner.b"}, s.Predicate.Warned)
	require.Equal(t, "plan", s.Predicate.Configuration[1].Name)
}

// TestResultIsNeverRosier changes one thing at a time of a report that passes.
func TestResultIsNeverRosier(t *testing.T) {
	t.Parallel()
	for want, changes := range map[string][]func(r *report.Report){
		"FAILED": {
			func(r *report.Report) { r.ExitCode = verdict.CodeFailed },
			func(r *report.Report) { r.ExitCode = verdict.CodeLittle },
			func(r *report.Report) { r.ExitCode = verdict.CodeGone },
		},
		"WARNED": {
			func(r *report.Report) { r.Readiness.Ready = false },
			func(r *report.Report) { r.Clauses[0].Verdict = verdict.Fail },
		},
	} {
		for _, change := range changes {
			r := told()
			change(r)
			require.Equal(t, want, state(t, r).Predicate.Result)
		}
	}
	r := told()
	r.Clauses[0].Attested = &report.Attestation{Who: "Ann"}
	require.Empty(t, state(t, r).Predicate.Passed, "somebody's word is no test that passed")
	r = told()
	r.Clauses[0].Verdict, r.Clauses[0].Deviation = verdict.Fail, &report.Deviation{Owner: "Ann"}
	require.Equal(t, []string{"partner.a", "partner.b"}, state(t, r).Predicate.Warned)
}

func TestBuilds(t *testing.T) {
	t.Parallel()
	for subject, digest := range map[string]string{
		"sha256:" + strings.Repeat("0", 64):         "sha256",
		"git " + strings.Repeat("c", 40):            "gitCommit",
		"git 3f2a1c9d0b7e":                          "",
		"git " + strings.Repeat("c", 40) + "-dirty": "",
		"": "",
	} {
		r := told()
		r.Readiness.Subject = subject
		s := state(t, r)
		if digest == "" {
			require.Len(t, s.Subject, 2, subject)
			continue
		}
		require.Contains(t, s.Subject[2].Digest, digest)
	}
}

func TestAbout(t *testing.T) {
	t.Parallel()
	tape := []byte("the tape")
	r := told()
	r.Readiness.Digests[0].SHA256 = "5b6ff6c58cbf4e6e6db4d8d1a8a1bbc2a0b6e8d5"
	s := state(t, r)
	require.NoError(t, s.About([]byte("the report"), nil))
	require.ErrorContains(t, s.About([]byte("another report"), nil), "another report")
	require.ErrorContains(t, s.About([]byte("the report"), tape), "another tape")
	r.Readiness.Digests = r.Readiness.Digests[1:]
	s = state(t, r)
	require.ErrorContains(t, s.About([]byte("the report"), tape), "names no tape")
}

// TestTells: who signs may have written the statement: it says what the report tells, to
// the byte, or is refused with its place. Two members of one name are read otherwise elsewhere.
func TestTells(t *testing.T) {
	t.Parallel()
	stored := []byte("the report")
	raw, err := seal.State(told(), stored)
	require.NoError(t, err)
	require.NoError(t, seal.Tells(raw, told(), stored))
	for old, to := range map[string]string{
		`"result": "PASSED"`: `"result": "WARNED"`,
		`"subject": [`:       `"subject": [], "subject": [`,
		"@sha256:abab":       "@sha256:cdcd",
		"  }\n}\n":           "  }\n}\n{}\n",
	} {
		other := strings.Replace(string(raw), old, to, 1)
		require.NotEqual(t, string(raw), other, old)
		err := seal.Tells([]byte(other), told(), stored)
		require.ErrorIs(t, err, seal.ErrStatement, to)
		require.ErrorContains(t, err, "its line")
	}
	require.ErrorContains(t, seal.Tells(raw[:len(raw)-4], told(), stored), "its line")
}

func TestForeignStatements(t *testing.T) {
	t.Parallel()
	for text, says := range map[string]string{
		"":                              "no JSON",
		"{}":                            "its types",
		strings.Repeat(" ", 5<<20):      "are the most",
		`{"_type":"x","subject":"all"}`: "no JSON",
	} {
		_, err := seal.ReadStatement([]byte(text))
		require.ErrorIs(t, err, seal.ErrStatement)
		require.ErrorContains(t, err, says)
	}
}
