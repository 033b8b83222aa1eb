package features_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cucumber/godog"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/clause"
	"paysandbox/harness/sampling"
	"paysandbox/harness/steps"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/mocktest"
)

// aFew is every which alternative a run plays that is not about them alone. All of
// them are the suite some 150 times over: `make alternatives` plays them.
const aFew = 23

// alternatives are the choices that are not their knob's default.
func alternatives() []latitude.Choice {
	var list []latitude.Choice
	for _, k := range latitude.Knobs() {
		list = append(list, k.Choices()[1:]...)
	}
	return list
}

// TestEveryAlternative plays the whole suite against a service that has made
// another choice. Only clauses that name the knob may come out differently; one of
// the specification may not, unless the choice is held back for it.
func TestEveryAlternative(t *testing.T) {
	t.Parallel()
	list := alternatives()
	if os.Getenv("PAYSANDBOX_ALTERNATIVES") != "all" {
		list = sampling.Nth(t, aFew, list, "`make alternatives`")
	}
	for _, c := range list {
		t.Run(c.String(), func(t *testing.T) {
			for _, b := range broken(t, c) {
				known, _ := clause.Lookup(b.clause)
				if known.Source.Knob != c.Knob().Name() {
					t.Errorf("%s breaks %s, which does not name the knob: %s", c, b.clause, b.what)
				}
				if known.Source.Kind == clause.Spec && c.Drawn() {
					t.Errorf("%s breaks %s, which the specification states: %s", c, b.clause, b.what)
				}
				t.Logf("%s changes %s", c, b.clause)
			}
		})
	}
}

// breach is a clause that does not hold, and what was seen.
type breach struct{ clause, what string }

// broken plays the suite under a choice, and gives the clauses that do not hold.
func broken(tb testing.TB, c latitude.Choice) []breach {
	tb.Helper()
	sandbox := mocktest.Start(tb, mocktest.Options{Settings: latitude.Settings{}.Choose(c)})
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 2 * parallel}}
	tb.Cleanup(client.CloseIdleConnections)
	var mu sync.Mutex
	found := map[string]string{}
	suite := godog.TestSuite{
		TestSuiteInitializer: func(sc *godog.TestSuiteContext) {
			hooks := sc.ScenarioContext()
			hooks.After(func(ctx context.Context, s *godog.Scenario, err error) (context.Context, error) {
				mu.Lock()
				defer mu.Unlock()
				for _, tag := range s.Tags {
					if id, ok := strings.CutPrefix(tag.Name, "@clause:"); ok && err != nil {
						found[id] = fmt.Sprintf("%s: %s: %.300s", s.Uri, s.Name, err)
					}
				}
				return ctx, nil
			})
			steps.Register(hooks, steps.Config{BaseURL: sandbox.URL, ControlURL: sandbox.URL, HTTP: client})
		},
		Options: &godog.Options{
			FeatureContents: contents(tb), Strict: true, Concurrency: parallel, Format: "progress", Output: &discard{}, NoColors: true,
		},
	}
	suite.Run() // what came of it is in found
	require.Less(tb, len(found), len(clause.Catalogue())/2, "the suite was played")
	list := make([]breach, 0, len(found))
	for id, what := range found {
		list = append(list, breach{id, what})
	}
	slices.SortFunc(list, func(a, b breach) int { return strings.Compare(a.clause, b.clause) })
	return list
}
