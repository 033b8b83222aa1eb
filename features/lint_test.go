package features_test

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	messages "github.com/cucumber/messages/go/v21"
	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/harness/check/service"
	"paysandbox/harness/clause"
	"paysandbox/harness/steps"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/mocktest"
	"paysandbox/mockserver/world"
)

// mostSteps is how many step definitions the house allows itself.
const mostSteps = 150

// choices is where the alternatives of the latitude ledger are played; its rules
// are named for knobs.
const choices = "latitude/"

// rule is a Rule with what a linter asks of it.
type rule struct {
	uri, name string
	tags      []string
	scenarios int
}

// rules lists the rules of all features.
func rules(tb testing.TB) []rule {
	tb.Helper()
	var list []rule
	for _, doc := range documents(tb) {
		for _, child := range doc.Feature.Children {
			require.Nil(tb, child.Scenario, "%s: a scenario stands outside of a rule", doc.Uri)
			require.Nil(tb, child.Background, "%s: a background hides what a scenario needs", doc.Uri)
			r := rule{uri: doc.Uri, name: child.Rule.Name}
			for _, tag := range child.Rule.Tags {
				r.tags = append(r.tags, tag.Name)
			}
			for _, c := range child.Rule.Children {
				if c.Scenario != nil {
					r.scenarios++
				}
			}
			list = append(list, r)
		}
	}
	return list
}

// clauseOf is the one clause of a rule.
func clauseOf(tb testing.TB, r rule) clause.Clause {
	tb.Helper()
	var ids []string
	for _, tag := range r.tags {
		if id, ok := strings.CutPrefix(tag, "@clause:"); ok {
			ids = append(ids, id)
		}
	}
	require.Len(tb, ids, 1, "%s: the rule %q has one clause tag", r.uri, r.name)
	c, ok := clause.Lookup(ids[0])
	require.True(tb, ok, "%s: no clause is called %s", r.uri, ids[0])
	require.Equal(tb, clause.ID(ids[0]), c.ID, r.uri)
	return c
}

func TestEveryClauseHasAScenario(t *testing.T) {
	t.Parallel()
	judged := map[clause.ID]bool{}
	for _, r := range rules(t) {
		require.Positive(t, r.scenarios, "%s: the rule %q has no scenario", r.uri, r.name)
		if !strings.HasPrefix(r.uri, choices) {
			judged[clauseOf(t, r).ID] = true
		}
	}
	untested := 0
	var bare []string
	for _, c := range clause.Catalogue() {
		switch {
		case c.Untested != "":
			untested++
			require.False(t, judged[c.ID], "%s is marked as untested and has a scenario", c.ID)
		case !judged[c.ID]:
			bare = append(bare, string(c.ID))
		}
	}
	require.Empty(t, bare, "clauses that no scenario judges")
	require.Zero(t, untested)
}

func TestRulesSayWhatTheirClausesSay(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, r := range rules(t) {
		c := clauseOf(t, r)
		if strings.HasPrefix(r.uri, choices) {
			continue
		}
		require.Equal(t, c.Title, r.name, "%s: the rule of %s", r.uri, c.ID)
		require.Empty(t, seen[string(c.ID)], "%s: %s has another rule", r.uri, c.ID)
		seen[string(c.ID)] = r.uri
		require.Equal(t, c.Applies.Surface != clause.SpecSurface, slices.Contains(r.tags, "@surface:"+string(c.Applies.Surface)),
			"%s: the surface of %s", r.uri, c.ID)
	}
}

// known are the tags that mean something: @needs:control for what cannot be
// played without the control API, @needs:fresh for what needs an integration that
// nobody else uses, @choice:KNOB=VALUE for what expects the service to have made that
// choice although its clause is about something else.
var known = regexp.MustCompile(`^@(clause:[a-z0-9.-]+|area:[a-z]+|surface:(docs|provisional)|needs:(control|fresh)|drawn|choice:[a-z-]+=[a-zA-Z0-9./-]+)$`)

func TestTagsAreKnown(t *testing.T) {
	t.Parallel()
	for _, p := range pickles(t) {
		clauses := 0
		for _, tag := range p.Tags {
			require.Regexp(t, known, tag.Name, p.Uri)
			if strings.HasPrefix(tag.Name, "@clause:") {
				clauses++
			}
		}
		require.Equal(t, 1, clauses, "%s: %s", p.Uri, p.Name)
	}
}

// TestStepsAreDefinedAndUsed holds the steps and the features together: each
// line of a scenario has exactly one definition, each definition a line, and the
// tag @needs:control stands exactly where a step needs the control API.
func TestStepsAreDefinedAndUsed(t *testing.T) {
	t.Parallel()
	all := steps.All()
	require.LessOrEqual(t, len(all), mostSteps)
	used := make([]bool, len(all))
	for _, p := range pickles(t) {
		staged := false
		for _, s := range p.Steps {
			at := matching(all, s.Text)
			require.Len(t, at, 1, "%s: definitions of %q", p.Uri, s.Text)
			used[at[0]] = true
			staged = staged || all[at[0]].Control
		}
		require.Equal(t, staged, tagged(p, "@needs:control"), "%s: @needs:control of %q", p.Uri, p.Name)
	}
	var idle []string
	for i, s := range all {
		if !used[i] {
			idle = append(idle, s.Pattern.String())
		}
	}
	require.Empty(t, idle, "steps that no scenario uses")
}

func matching(all []steps.Step, text string) []int {
	var at []int
	for i, s := range all {
		if s.Pattern.MatchString(text) {
			at = append(at, i)
		}
	}
	return at
}

func tagged(p *messages.Pickle, name string) bool {
	return slices.ContainsFunc(p.Tags, func(tag *messages.PickleTag) bool { return tag.Name == name })
}

// TestScenariosAreShort holds them to one When and a handful of steps.
func TestScenariosAreShort(t *testing.T) {
	t.Parallel()
	for _, p := range pickles(t) {
		whens := 0
		for i, s := range p.Steps {
			if s.Type == messages.PickleStepType_ACTION && (i == 0 || p.Steps[i-1].Type != messages.PickleStepType_ACTION) {
				whens++
			}
		}
		require.Equal(t, 1, whens, "%s: the Whens of %q", p.Uri, p.Name)
		require.LessOrEqual(t, len(p.Steps), 8, "%s: the steps of %q", p.Uri, p.Name)
		require.Equal(t, messages.PickleStepType_OUTCOME, p.Steps[len(p.Steps)-1].Type, "%s: %q ends with a Then", p.Uri, p.Name)
	}
}

// TestPlainLanguage keeps paths and JSON in features/wire, authentication's list
// of operations and errors' list of methods apart.
func TestPlainLanguage(t *testing.T) {
	t.Parallel()
	technical := regexp.MustCompile(`^the client sends|^the answer('s text)? is exactly`)
	for _, p := range pickles(t) {
		for _, s := range p.Steps {
			if technical.MatchString(s.Text) {
				folder, _, _ := strings.Cut(p.Uri, "/")
				require.Contains(t, []string{"wire", "authentication", "errors", "latitude"}, folder, "%s: %s", p.Uri, s.Text)
			}
		}
	}
}

// TestTheHarnessKnowsEveryMove holds the machines of the sandbox to those by which a
// service is judged.
func TestTheHarnessKnowsEveryMove(t *testing.T) {
	t.Parallel()
	for _, m := range world.Machines() {
		if m.Name == "webhook delivery" { // which stands on no tape
			continue
		}
		for _, move := range m.Moves {
			from := ""
			if move.From != 0 {
				from = m.States[move.From]
			}
			require.Contains(t, service.Moves(m.Name), [3]string{move.Event, from, m.States[move.To]}, m.Name)
		}
	}
}

// TestAlternativesArePlayed asks for a scenario for every choice of the latitude
// ledger that is not the default.
func TestAlternativesArePlayed(t *testing.T) {
	t.Parallel()
	played := map[string]bool{}
	for _, p := range pickles(t) {
		for _, s := range p.Steps {
			played[s.Text] = true
		}
	}
	for _, row := range latitude.Ledger() {
		for _, c := range row.Choices[1:] {
			text := fmt.Sprintf("the service's choice of %q is %q", row.Name, c.Name)
			require.True(t, played[text], text)
		}
	}
}

func TestClausesNameOperations(t *testing.T) {
	t.Parallel()
	surfaces := map[string]clause.Surface{}
	for _, op := range mocktest.Start(t, mocktest.Options{}).Server.Operations() {
		surfaces[op.ID] = clause.Surface(op.Surface)
	}
	covered := map[string]bool{}
	for _, c := range clause.Catalogue() {
		specific := clause.Provisional
		for _, id := range c.Applies.Operations {
			surface, ok := surfaces[id]
			require.True(t, ok, "%s: no operation is called %s", c.ID, id)
			covered[id] = true
			if surface == clause.SpecSurface || specific == clause.Provisional && surface == clause.DocsSurface {
				specific = surface
			}
		}
		if len(c.Applies.Operations) > 0 && specific == clause.SpecSurface {
			require.Equal(t, clause.SpecSurface, c.Applies.Surface, c.ID)
		}
	}
	for id := range surfaces {
		require.True(t, covered[id], "no clause is about %s", id)
		does := trail.OperationNamed(id)
		for _, about := range []string{does.Clause, cmp.Or(does.Shape, does.Clause)} {
			_, known := clause.Lookup(about)
			require.True(t, known, "%s: the operations table of harness/trail has no row, or the clause %q that nobody knows", id, about)
		}
		if does.Payload != "" {
			_, err := fixtures.Payload(does.Payload)
			require.NoError(t, err, id)
		}
	}
}
