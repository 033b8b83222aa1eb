package verify_test

import (
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"paysandbox/features"
	"paysandbox/harness/clause"
	"paysandbox/harness/report"
	"paysandbox/harness/report/format"
	"paysandbox/harness/report/redact"
	"paysandbox/harness/sampling"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/mocktest"
)

// mutant is a server that breaks one clause.
type mutant struct {
	// clause is the id of the clause that it breaks, breach how, in a few words.
	clause, breach string
	// spoil makes the middleware that stands in front of the good server.
	spoil kind
}

// zoo lists the mutants: those that break a clause in a way of its own, and for
// the clauses that a finding cites the one that does not enforce it.
func zoo(tb testing.TB) []mutant {
	tb.Helper()
	list := slices.Concat(
		wireMutants(), accessMutants(), companyMutants(), payerMutants(), paymentMutants(), moneyMutants(), planMutants(), eventMutants(),
	)
	list = append(list, nearMutants(tb)...)
	for _, id := range unenforcedClauses(tb) {
		list = append(list, mutant{id, "is not enforced", func() spoiler { return unenforced(id) }})
	}
	return list
}

// TestZooIsComplete holds the zoo and the catalogue together.
func TestZooIsComplete(t *testing.T) {
	t.Parallel()
	bred, named := map[string]bool{}, map[string]bool{}
	for _, m := range zoo(t) {
		c, known := clause.Lookup(m.clause)
		require.True(t, known && string(c.ID) == m.clause, "%s is not a clause", m.clause)
		require.NotEmpty(t, m.breach)
		require.False(t, named[m.clause+m.breach], "%s has two mutants in which %s", m.clause, m.breach)
		bred[m.clause], named[m.clause+m.breach] = true, true
	}
	for _, c := range clause.Catalogue() {
		require.True(t, bred[string(c.ID)], "%s has no mutant", c.ID)
	}
}

// TestZoo lets every mutant loose. Each has to be found out by the clause that it
// breaks: a run of the scenarios of that clause ends with exit code 1, and the
// clause has failed.
func TestZoo(t *testing.T) {
	t.Parallel()
	good := mocktest.Start(t, mocktest.Options{}).Server.Handler()
	plays, samples := byClause(t), samplesOf(t, good)
	escaped := &escapes{of: map[string]bool{}}
	t.Run("mutants", func(t *testing.T) {
		for _, m := range sampling.Every(t, 15, zoo(t)) {
			t.Run(m.clause+"/"+m.breach, func(t *testing.T) {
				t.Parallel()
				problem := m.tried(t, good, &keeper{samples: samples}, plays[m.clause])
				escaped.note(m.clause, problem)
				require.Empty(t, problem)
			})
		}
	})
	if tried := len(escaped.of); tried < len(clause.Catalogue()) {
		t.Logf("only the mutants of %d clauses were let loose", tried)
		return
	}
	kill := escaped.share()
	t.Log(summary(t, kill))
	require.Equal(t, kill.Must.Of, kill.Must.Killed, "every MUST has a mutant that is found out")
	require.GreaterOrEqual(t, 10*kill.All.Killed, 9*kill.All.Of, "nine of ten clauses have one")
}

// TestKeptServer lets the machinery of the mutants loose that spoils nothing:
// what passes through it most is not found broken. That the good server passes
// everything else is what every other run of the suite shows.
func TestKeptServer(t *testing.T) {
	sampling.NotRaced(t, "TestFeatures plays the same with it")
	t.Parallel()
	good := mocktest.Start(t, mocktest.Options{}).Server.Handler()
	k := &keeper{}
	all := "* /*, * /*/*, * /*/*/*, * /*/*/*/*, * /*/*/*/*/*, * /*/*/*/*/*/*"
	server := httptest.NewServer(relayed(func(*delivery) {})()(on(all, nil, nil)(good, k), k))
	defer server.Close()
	asked := sampling.Every(t, 4, []string{"wire", "event", "request", "error", "auth.token", "limit", "company.list", "payment.idempotency"})
	r := ran(t, planned(t, server.URL, strings.Join(asked, ",")))
	require.Zero(t, r.ExitCode, r.Reason)
	require.Zero(t, k.hits.Load())
	require.Greater(t, len(r.Clauses), 9*len(asked))
}

// tried runs the scenarios of the mutant's clause against it and tells what is
// wrong with the outcome, if anything is.
func (m *mutant) tried(t *testing.T, good http.Handler, k *keeper, plays fs.FS) string {
	t.Helper()
	// Without a description nothing but the scenarios can find it out, and a run
	// begins four times as fast.
	hidden := on("GET /openapi.json", func(x *exchange) { x.kept = true }, func(x *exchange) { x.refuse(http.StatusNotFound, "$", "error.unknown-path") })
	server := httptest.NewServer(hidden(m.spoil()(good, k), new(keeper)))
	defer server.Close()
	p := planned(t, server.URL, m.clause)
	p.Features, p.Concurrency, p.FailFast = plays, 2, true
	r := ran(t, p)
	c := clauseOf(t, r, m.clause)
	switch {
	case k.hits.Load() == 0:
		return "nothing was spoilt"
	case r.ExitCode != verdict.CodeFailed || c.Verdict != verdict.Fail:
		return fmt.Sprintf("the run ends with %d, and %s is %s: %s", r.ExitCode, m.clause, c.Verdict, r.Reason)
	}
	return ""
}

// escapes notes which clauses have let a mutant of theirs escape.
type escapes struct {
	mu sync.Mutex
	of map[string]bool
}

func (e *escapes) note(id, problem string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.of[id] = e.of[id] || problem != ""
}

// share counts the clauses that have found out every mutant of theirs, of all
// that are judged.
func (e *escapes) share() report.Kill {
	var kill report.Kill
	for _, c := range clause.Catalogue() {
		escaped, bred := e.of[string(c.ID)]
		killed := 0
		if bred && !escaped {
			killed = 1
		}
		kill.All.Of, kill.All.Killed = kill.All.Of+1, kill.All.Killed+killed
		if c.Level == clause.Must {
			kill.Must.Of, kill.Must.Killed = kill.Must.Of+1, kill.Must.Killed+killed
		}
	}
	return kill
}

// summary is how a report tells the share.
func summary(tb testing.TB, kill report.Kill) string {
	tb.Helper()
	collector := report.NewCollector(redact.New())
	collector.RunFinished(report.RunEnd{Verdict: verdict.Pass, Kill: &kill})
	var text strings.Builder
	require.NoError(tb, format.Write("pretty", collector.Report(), io.Writer(&text)))
	for line := range strings.Lines(text.String()) {
		if strings.Contains(line, "MUST") {
			return strings.TrimSpace(line)
		}
	}
	require.Fail(tb, "the report does not tell the share", text.String())
	return ""
}

// byClause cuts the features into those of single clauses: the same scenarios,
// and nothing else to read.
func byClause(tb testing.TB) map[string]fs.FS {
	tb.Helper()
	const begins = "\n  @clause:"
	cut := map[string]fs.FS{}
	for _, name := range features.Names() {
		raw, err := fs.ReadFile(features.FS(), name)
		require.NoError(tb, err)
		head, rules, _ := strings.Cut(string(raw), begins)
		for rule := range strings.SplitSeq(rules, begins) {
			id := strings.Fields(rule)[0]
			files, _ := cut[id].(fstest.MapFS)
			if files == nil {
				files = fstest.MapFS{}
				cut[id] = files
			}
			text := []byte(head)
			if f := files[name]; f != nil {
				text = f.Data
			}
			files[name] = &fstest.MapFile{Data: slices.Concat(text, []byte(begins+rule))}
		}
	}
	return cut
}
