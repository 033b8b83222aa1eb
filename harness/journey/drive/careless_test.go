package drive_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/check"
	"paysandbox/harness/journey"
	"paysandbox/harness/journey/drive"
	"paysandbox/harness/partner/app"
	"paysandbox/harness/sampling"
	"paysandbox/harness/verdict"
	"paysandbox/scenarios"
)

// elsewhere are the clauses that no journey shows in drive mode, and why.
var elsewhere = map[string]string{
	"partner.privacy.output":      "nobody reads what an application prints in drive mode",
	"partner.intent.amount":       announcedAlready,
	"partner.intent.split":        announcedAlready,
	"partner.intent.location":     announcedAlready,
	"partner.intent.due-date":     announcedAlready,
	"partner.client.timeout":      "how long a client waits for an answer is wall time, which stands still in drive mode",
	"partner.token.single-flight": "in drive mode the application does one thing after the other, so that tapes are equal",
	"partner.webhook.quick":       "how long a receiver takes is wall time, which is on no tape of a clock that stands still",
}

// honoured lets keys mean something, which by default they do not.
var honoured = map[string]string{"idempotency": "honoured"}

// naming lists the journeys that name a clause.
func naming(tb testing.TB, clause string) []string {
	tb.Helper()
	list, err := journey.List(scenarios.FS())
	require.NoError(tb, err)
	var names []string
	for _, j := range list {
		if slices.Contains(j.Clauses, clause) {
			names = append(names, j.Name)
		}
	}
	return names
}

// For every clause there is an application that breaks it, and a journey that
// names the clause and finds that out.
func TestJourneysFindCarelessness(t *testing.T) {
	t.Parallel()
	for _, variant := range app.Careless() {
		why, names := elsewhere[variant.Clause], naming(t, variant.Clause)
		require.Equal(t, why == "", len(names) > 0, "%s: a journey of scenarios/ that shows it has it among its tags; %s", variant.Clause, why)
	}
	hosts := sandbox(t) // its description is made once
	for _, variant := range sampling.Every(t, 9, app.Careless()) {
		t.Run(string(variant.Name), func(t *testing.T) { // one after the other: they share the names of hosts
			if elsewhere[variant.Clause] != "" {
				return
			}
			var seen []string
			for _, name := range naming(t, variant.Clause) {
				plan := drive.Plan{Names: []string{name}, Hosts: hosts, New: drive.Careless(string(variant.Name))}
				if strings.HasPrefix(string(variant.Name), "idempotency.") {
					plan.Latitude = honoured
				}
				list, end := live(t, plan)
				problems := strings.Join(list[0].Problems, "\n")
				broken := slices.ContainsFunc(list[0].Clauses, func(r check.Result) bool {
					return r.Check == variant.Clause && r.Word == verdict.Fail
				})
				if broken {
					require.Equal(t, verdict.CodeFailed, end.ExitCode)
					require.Contains(t, problems, variant.Clause)
					return
				}
				seen = append(seen, name+": "+problems)
			}
			require.Fail(t, "no journey finds it out", strings.Join(seen, "\n"))
		})
	}
}

const announcedAlready = "a journey's task says what is meant, and is judged by what follows"

// A partner that reads what became of a payment, instead of asking again, is
// followed as well.
func TestDriveFollowsWhoReads(t *testing.T) {
	t.Parallel()
	list, _ := live(t, drive.Plan{Names: []string{"lost-answer"}, Latitude: honoured, New: drive.Careless("idempotency.key")})
	require.NoError(t, list[0].Err, list[0].Step)
}
