package verify_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/clause"
	"paysandbox/harness/report"
	"paysandbox/harness/report/format"
	"paysandbox/harness/sampling"
	"paysandbox/harness/signoff"
	"paysandbox/harness/verdict"
	"paysandbox/harness/verify"
	"paysandbox/harness/verify/given"
	"paysandbox/harness/verify/words"
	"paysandbox/mockserver/mocktest"
)

func TestGateMet(t *testing.T) {
	t.Parallel()
	r := ran(t, target(t, "company.list"))
	require.Equal(t, verdict.Pass, r.Verdict, r.Reason)
	require.Zero(t, r.ExitCode)
	c := clauseOf(t, r, "company.list")
	require.Equal(t, verdict.Pass, c.Verdict)
	require.NotEmpty(t, c.Title)
	require.NotEmpty(t, c.Source)
	require.NotEmpty(t, c.Scenarios)
	require.Len(t, r.Clauses, len(filtered(t, r)), "only what was asked for is told")
	for _, s := range r.Scenarios {
		require.Equal(t, report.Passed, s.Status)
		require.Positive(t, s.Line)
		require.NotEmpty(t, s.Steps)
	}
}

// filtered are the clauses below company.list.
func filtered(tb testing.TB, r report.Report) []string {
	tb.Helper()
	f, err := clause.ParseClauses("company.list")
	require.NoError(tb, err)
	var ids []string
	for _, c := range r.Clauses {
		if f.Takes(c.ID) {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// TestSameRunSameReport expects the same bytes whatever the concurrency.
func TestSameRunSameReport(t *testing.T) {
	t.Parallel()
	var first []byte
	for _, atOnce := range []int{1, 8} {
		p := target(t, "company.create,payment.cancel")
		p.Concurrency = atOnce
		r := ran(t, p)
		require.Zero(t, r.ExitCode, r.Reason)
		var b bytes.Buffer
		require.NoError(t, format.Write("json", &r, &b))
		if first == nil {
			first = b.Bytes()
		}
		require.Equal(t, string(first), b.String())
	}
}

// wrongCasing is a server that spells one member wrong.
func wrongCasing(t *testing.T) verify.Plan {
	t.Helper()
	return planned(t, spoiled(t, replacing("/Company/Create", `"companyId"`, `"companyID"`)), "company.create")
}

func TestBrokenServerFails(t *testing.T) {
	sampling.NotRaced(t, "TestSameRunSameReport plays the same with it")
	t.Parallel()
	r := ran(t, wrongCasing(t))
	require.Equal(t, verdict.CodeFailed, r.ExitCode)
	require.Equal(t, verdict.Fail, r.Verdict)
	require.Contains(t, r.Reason, "company.create")
	c := clauseOf(t, r, "company.create")
	require.Equal(t, verdict.Fail, c.Verdict)
	require.NotEmpty(t, c.Evidence[0].Received)
	require.NotEmpty(t, c.Evidence[0].Entries)
	require.Contains(t, c.Evidence[0].Request, "POST /Company/Create")
	require.Contains(t, c.Evidence[0].Response, "companyID")
	require.Contains(t, c.Evidence[0].Request, `"ssn":"[redacted]"`)
}

func TestDeviations(t *testing.T) {
	sampling.NotRaced(t, "TestSameRunSameReport plays the same with it")
	t.Parallel()
	broken := ran(t, wrongCasing(t))
	var excuses []signoff.Deviation
	for _, c := range broken.Clauses {
		if c.Verdict == verdict.Fail {
			excuses = append(excuses, signoff.Deviation{Clause: c.ID, Owner: "Ann", Reason: "spelling", Expires: "2026-11-21"})
		}
	}
	p := wrongCasing(t)
	p.Deviations = excuses
	r := ran(t, p)
	require.Zero(t, r.ExitCode, "the last day counts: %s", r.Reason)
	require.Equal(t, &report.Deviation{Owner: "Ann", Reason: "spelling", Expires: "2026-11-21", Occurs: true}, clauseOf(t, r, "company.create").Deviation)

	excuses[0].Expires = "2026-11-20"
	p = wrongCasing(t)
	p.Deviations = excuses
	r = ran(t, p)
	require.Equal(t, verdict.CodeFailed, r.ExitCode)
	require.Contains(t, r.Reason, excuses[0].Clause)
	require.Nil(t, clauseOf(t, r, excuses[0].Clause).Deviation)
	require.Contains(t, r.Notes[len(r.Notes)-1], "expired after 2026-11-20")

	p = target(t, "company.create")
	p.Deviations = []signoff.Deviation{{Clause: "company.create", Owner: "Ann", Reason: "spelling", Expires: "2026-12-31"}}
	r = ran(t, p)
	require.Equal(t, verdict.CodeGone, r.ExitCode)
	require.Equal(t, verdict.Fail, r.Verdict)
	require.False(t, clauseOf(t, r, "company.create").Deviation.Occurs)
}

// TestStandingChecks spoils nothing that the scenario looks at, but what the
// service has noted.
func TestStandingChecks(t *testing.T) {
	t.Parallel()
	at := spoiled(t, replacing("/tape", `\"locationIds\":`, `\"LocationIds\":`))
	r := ran(t, planned(t, at, "company.create.name"))
	require.Equal(t, verdict.CodeFailed, r.ExitCode, r.Reason)
	require.Equal(t, verdict.Pass, clauseOf(t, r, "company.create.name").Verdict)
	var hints []string
	for _, c := range r.Clauses {
		if c.Verdict == verdict.Fail {
			require.NotEmpty(t, c.Evidence[0].Entries)
			require.NotEmpty(t, c.Evidence[0].Response)
			require.Equal(t, c.Evidence[0].Entries[0], c.Evidence[0].Cited[0].Seq, "the tape is gone when the report is read")
			hints = append(hints, c.Evidence[0].Hint)
		}
	}
	require.NotEmpty(t, hints)
	require.Contains(t, hints[0], "the standing check ")
}

// TestStandingCheckBlames expects the clause that a check names to be blamed, not
// the first that it judges.
func TestStandingCheckBlames(t *testing.T) {
	t.Parallel()
	at := spoiled(t, replacing("/tape", `"{\"status\":`, `"{\"Status\":`))
	r := ran(t, planned(t, at, "company.status.sandbox"))
	require.Equal(t, verdict.CodeFailed, r.ExitCode, r.Reason)
	require.Equal(t, verdict.Pass, clauseOf(t, r, "company.status.sandbox").Verdict)
	for _, c := range r.Clauses {
		require.Equal(t, c.ID == "wire.company-status", c.Verdict == verdict.Fail, c.ID)
	}
}

// TestATapeIsAsItsEndSays spoils the digest at the end of the tape alone.
func TestATapeIsAsItsEndSays(t *testing.T) {
	t.Parallel()
	at := spoiled(t, replacing("/tape", `"sha256":"`, `"sha256":"0`))
	r := ran(t, planned(t, at, "company.status.sandbox"))
	require.Equal(t, verdict.CodeBroken, r.ExitCode, r.Reason)
	require.Contains(t, clauseOf(t, r, "company.status.sandbox").Reason, "is changed since it was written")
}

func TestWithoutControl(t *testing.T) {
	sampling.NotRaced(t, "TestSameRunSameReport plays the same with it")
	t.Parallel()
	sandbox := mocktest.Start(t, mocktest.Options{ControlToken: "a token"})
	p := planned(t, sandbox.URL, "company.create,company.kyb")
	p.ClientID, p.ClientSecret = sandbox.ClientID, sandbox.ClientSecret
	r := ran(t, p)
	require.Equal(t, verdict.CodeLittle, r.ExitCode, r.Reason)
	require.Equal(t, verdict.Inconclusive, r.Verdict)
	require.Equal(t, verdict.Pass, clauseOf(t, r, "company.create").Verdict)
	c := clauseOf(t, r, "company.kyb.verified")
	require.Equal(t, verdict.NotReached, c.Verdict)
	require.Contains(t, c.Reason, "control API")
	require.Contains(t, r.Notes[0], "wants a token")

	p.AllowUnreached, p.Run = true, "second"
	r = ran(t, p)
	require.Zero(t, r.ExitCode, r.Reason)

	p.ControlToken = "a token"
	r = ran(t, p)
	require.Zero(t, r.ExitCode, r.Reason)
	require.Equal(t, verdict.Pass, clauseOf(t, r, "company.kyb.verified").Verdict)

	p.ControlURL, p.ControlToken, p.Run = verify.NoControl, "", "third"
	require.Equal(t, verdict.NotReached, clauseOf(t, ran(t, p), "company.kyb.verified").Verdict)
}

// TestACompanyThatIsNotVerifiedWithoutControl: where nobody can end a verification, the
// service's advice about it is not held against what a scenario is about.
func TestACompanyThatIsNotVerifiedWithoutControl(t *testing.T) {
	t.Parallel()
	sandbox := mocktest.Start(t, mocktest.Options{Environment: "rehearsal"})
	p := planned(t, sandbox.URL, "payment.create.metadata,payment.create.return-url,user.register.period")
	p.ClientID, p.ClientSecret, p.ControlURL = sandbox.ClientID, sandbox.ClientSecret, verify.NoControl
	r := ran(t, p)
	require.Zero(t, r.ExitCode, r.Reason)
}

func TestSurface(t *testing.T) {
	sampling.NotRaced(t, "TestSameRunSameReport plays the same with it")
	t.Parallel()
	for surface, want := range map[clause.Surface][2]verdict.Word{
		clause.SpecSurface: {verdict.NotApplicable, verdict.NotApplicable},
		clause.DocsSurface: {verdict.Pass, verdict.NotApplicable},
		"":                 {verdict.Pass, verdict.Pass},
	} {
		p := target(t, "transaction,plan.create,company.list")
		p.Surface = surface
		r := ran(t, p)
		require.Zero(t, r.ExitCode, r.Reason)
		require.Equal(t, verdict.Pass, clauseOf(t, r, "company.list").Verdict)
		for _, c := range r.Clauses {
			switch known, _ := clause.Lookup(c.ID); known.Applies.Surface {
			case clause.DocsSurface:
				require.Equal(t, want[0], c.Verdict, c.ID)
			case clause.Provisional:
				require.Equal(t, want[1], c.Verdict, c.ID)
			default:
				require.Equal(t, verdict.Pass, c.Verdict, c.ID)
			}
		}
	}
}

// TestWhatIsGivenIsHeldToTheRecord spoils a member that no step reads.
func TestWhatIsGivenIsHeldToTheRecord(t *testing.T) {
	sampling.NotRaced(t, "TestSameRunSameReport plays the same with it")
	t.Parallel()
	at := spoiled(t, func(path string, body []byte) []byte {
		if !strings.HasSuffix(path, "/restore") {
			return body
		}
		return bytes.Replace(body, []byte(`"environment":"sandbox"`), []byte(`"environment":"rehearsal"`), 1)
	})
	p := planned(t, at, "event.delivery.retry")
	require.Equal(t, verdict.CodeMet, ran(t, p).ExitCode, "nobody has written down what is given")
	p.Given = given.Known()
	r := ran(t, p)
	require.Equal(t, verdict.CodeFailed, r.ExitCode)
	require.Contains(t, fmt.Sprint(r.Clauses), "given.txt")
	p = target(t, strings.Join(sampling.Every(t, 2, []string{"event.delivery.retry", "event.delivery"}), ","))
	p.Given, p.Words, p.Concurrency = given.Known(), words.Known(), 8
	require.Equal(t, verdict.CodeMet, ran(t, p).ExitCode)
}
