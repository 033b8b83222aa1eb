package recheck_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/clause"
	"paysandbox/harness/observe/judge"
	"paysandbox/harness/observe/recheck"
	"paysandbox/harness/report"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

var day = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// judged is what a short tape comes to.
func judged(t *testing.T, seed uint64, o judge.Options) judge.Judgement {
	t.Helper()
	o.Now = day
	entries := []tape.Entry{{Seq: 1, Kind: tape.KindExchange, Exchange: &tape.Exchange{Operation: "listCompanies", Method: "GET", Path: "/company", Response: tape.Response{Status: 200}}}}
	j, err := judge.Tape(tape.Meta{Seed: seed, Environment: "sandbox", Clock: "real"}, entries, o)
	require.NoError(t, err)
	return j
}

// stored is the report on a judgement.
func stored(j judge.Judgement) *report.Report {
	c := report.NewCollector(nil)
	c.RunStarted(report.Run{Tool: "paysandbox", Version: "1.2.3"})
	j.Tell(c)
	return c.Report()
}

// TestCompare is every way in which a stored report can stand to its tape.
func TestCompare(t *testing.T) {
	t.Parallel()
	const id = "partner.token.reuse"
	some, err := clause.ParseClauses("partner.token")
	require.NoError(t, err)
	pass := func(r *report.Report) {
		for i := range r.Clauses {
			if r.Clauses[i].ID == id {
				r.Clauses[i].Verdict = verdict.Pass
			}
		}
	}
	signed := func(last string, of verdict.Word) func(r *report.Report) {
		return func(r *report.Report) {
			for i := range r.Clauses {
				switch c := &r.Clauses[i]; {
				case c.ID != id:
				case of == verdict.Pass:
					c.Verdict, c.Attested = of, &report.Attestation{Passed: true, Lapses: last}
				default:
					c.Deviation, r.Readiness.Ready, r.ExitCode = &report.Deviation{Expires: last}, true, 0
				}
			}
		}
	}
	tests := map[string]struct {
		options judge.Options
		seed    uint64
		edit    func(r *report.Report)
		asked   recheck.Asked
		want    recheck.Outcome
		code    int
		why     string
	}{
		"the same again":          {want: recheck.Valid, why: "Not ready for production access yet"},
		"the build asked for":     {options: judge.Options{Subject: "git 1"}, asked: recheck.Asked{Subject: "git 1"}, want: recheck.Valid},
		"another build":           {options: judge.Options{Subject: "git 1"}, asked: recheck.Asked{Subject: "git 2"}, want: recheck.NotAsked, code: 1, why: "it is about git 1, not about git 2"},
		"an unnamed build":        {asked: recheck.Asked{Subject: "git 2"}, want: recheck.NotAsked, code: 1, why: "about an unnamed build"},
		"another tape":            {seed: 8, want: recheck.NotAsked, code: 1, why: "rests on another tape"},
		"a part of the clauses":   {options: judge.Options{Clauses: some}, want: recheck.NotAsked, code: 1, why: "judged otherwise"},
		"an edited verdict":       {edit: pass, want: recheck.Differs, code: 1, why: "another on " + id},
		"an edited end":           {edit: func(r *report.Report) { r.ExitCode = 0 }, want: recheck.Differs, code: 1, why: "it ends worse"},
		"edited to be ready":      {edit: func(r *report.Report) { r.Readiness.Ready = true }, want: recheck.Differs, code: 1, why: "it ends worse"},
		"an edited headline":      {edit: func(r *report.Report) { r.Readiness.Sentence = "Ready for production access." }, want: recheck.Differs, code: 1, why: "judged again, it says: Not ready"},
		"edited, of another time": {edit: func(r *report.Report) { r.Readiness.Sentence, r.Version = "Ready for production access.", "1.2.2" }, want: recheck.Valid, why: "Not ready for production access yet"},
		"judged by another rule":  {edit: pass, asked: recheck.Asked{Version: "1.3.0"}, want: recheck.Stale, code: 3, why: "changed since it was judged by 1.2.3: " + id},
		"a clause says otherwise": {edit: func(r *report.Report) { r.Clauses[0].Title = "Something else" }, want: recheck.Stale, code: 3, why: "changed since"},
		"judged otherwise":        {edit: func(r *report.Report) { r.Clauses[0].Basis = "0123456789ab" }, want: recheck.Stale, code: 3, why: "changed since"},
		"another choice now":      {asked: recheck.Asked{Changed: []string{"event-order"}}, want: recheck.Stale, code: 3, why: "partner.webhook.before-response, partner.webhook.order"},
		"a clause is new":         {edit: func(r *report.Report) { r.Clauses = r.Clauses[1:] }, want: recheck.Stale, code: 3},
		"a later day":             {options: judge.Options{ValidFor: 24 * time.Hour}, asked: recheck.Asked{Now: day.Add(72 * time.Hour)}, want: recheck.Expired, code: 3, why: "until 2026-03-02"},
		"the last day":            {options: judge.Options{ValidFor: 24 * time.Hour}, asked: recheck.Asked{Now: day.Add(24 * time.Hour)}, want: recheck.Valid},
		"an attestation is over":  {edit: signed("2026-02-28", verdict.Pass), want: recheck.Expired, code: 3, why: "put their names to is over: " + id},
		"an attestation counts":   {edit: signed("2026-03-01", verdict.Pass), want: recheck.Differs, code: 1, why: "another on " + id},
		"a waiver is over":        {edit: signed("2026-02-28", verdict.Fail), want: recheck.Expired, code: 3, why: "put their names to is over: " + id},
		"over, and edited":        {edit: func(r *report.Report) { signed("2026-02-28", verdict.Fail)(r); r.Clauses[0].Verdict = verdict.Pass }, want: recheck.Differs, code: 1, why: "another on"},
		"a condition is over": {edit: func(r *report.Report) {
			r.Readiness.Conditional, r.Readiness.ConditionalUntil = []string{id}, "2026-02-28"
		}, want: recheck.Expired, code: 3, why: "to be met by 2026-02-28: " + id},
		"the command had failed": {edit: func(r *report.Report) { r.ExitCode = verdict.CodeBroken }, want: recheck.Valid},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := stored(judged(t, tc.seed, tc.options))
			if tc.edit != nil {
				tc.edit(r)
			}
			if tc.asked.Version == "" {
				tc.asked.Version = "1.2.3"
			}
			if tc.asked.Now.IsZero() {
				tc.asked.Now = day
			}
			again := judged(t, 0, judge.Options{})
			got := recheck.Compare(r, &again, tc.asked)
			require.Equal(t, tc.want, got.Outcome, got.Why)
			require.Equal(t, tc.code, got.Outcome.Code())
			require.Contains(t, got.Why, tc.why)
		})
	}
}
