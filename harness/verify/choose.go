package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cucumber/godog"

	"paysandbox/harness/clause"
	"paysandbox/harness/verdict"
)

// choice is what the filters leave of the features.
type choice struct {
	// scenarios are all that were chosen, in their order, and clauses what they
	// are to judge.
	scenarios []Scenario
	clauses   []string
	// files are the features that hold them, and all of them by their ids.
	files []godog.Feature
}

// choose applies the filters. To name nothing is ErrNothing.
func (p *Plan) choose() (*choice, error) {
	files, err := readFeatures(p.Features)
	if err != nil {
		return nil, err
	}
	all, err := parse(files)
	if err != nil {
		return nil, err
	}
	if err := p.named(all); err != nil {
		return nil, err
	}
	c := &choice{}
	holds := map[string]bool{}
	for i := range all {
		holds[all[i].File] = holds[all[i].File] || p.takes(&all[i])
	}
	for _, f := range files {
		if holds[f.Name] {
			c.files = append(c.files, f)
		}
	}
	if len(c.files) < len(files) { // the ids depend on the files that are played
		if all, err = parse(c.files); err != nil {
			return nil, err
		}
	}
	for i := range all {
		if p.takes(&all[i]) {
			c.scenarios = append(c.scenarios, all[i])
			c.clauses = append(c.clauses, all[i].Clauses...)
		}
	}
	if len(c.scenarios) == 0 {
		return nil, fmt.Errorf("%w: no scenario fits the filters", ErrNothing)
	}
	slices.Sort(c.clauses)
	c.clauses = slices.Compact(c.clauses)
	return c, nil
}

// takes says whether the filters take a scenario.
func (p *Plan) takes(s *Scenario) bool {
	return p.Tags.Takes(s.Tags...) && p.Clauses.Takes(s.Clauses...)
}

// named refuses words of the filters that name nothing.
func (p *Plan) named(all []Scenario) error {
	var tags, clauses []string
	for i := range all {
		tags = append(tags, all[i].Tags...)
		clauses = append(clauses, all[i].Clauses...)
	}
	if idle := p.Tags.Idle(tags); len(idle) > 0 {
		return fmt.Errorf("%w: no scenario has the tag %s; there are %s, and one for each clause and choice", ErrNothing, strings.Join(idle, ", "), strings.Join(broad(tags), ", "))
	}
	if idle := p.Clauses.Idle(clauses); len(idle) > 0 {
		return fmt.Errorf("%w: no scenario judges the clause %s (`paysandbox clauses` lists them)", ErrNothing, strings.Join(idle, ", "))
	}
	return nil
}

// broad are the tags that many scenarios have, each once: not those of a clause or a
// choice.
func broad(tags []string) []string {
	tags = slices.DeleteFunc(tags, func(t string) bool { return strings.HasPrefix(t, "@clause:") || strings.HasPrefix(t, "@choice:") })
	slices.Sort(tags)
	return slices.Compact(tags)
}

// set lays aside what cannot be played against the target, or is not about it.
func (c *choice) set(p *Plan, control bool) {
	for i := range c.scenarios {
		s := &c.scenarios[i]
		switch {
		case beyond(s, p.Surface):
			s.verdict, s.skip = verdict.NotApplicable, "it is about more of the API than the surface "+string(p.Surface)
		case !control && s.has(controlTag):
			s.verdict, s.skip = verdict.NotReached, "it needs the control API, which the target does not have"
		case !control && s.has(freshTag):
			s.verdict, s.skip = verdict.NotReached, "it needs an integration that nobody else uses, and the target has no control API to make one"
		case !control && p.otherwise(s) != "":
			s.verdict, s.skip = verdict.NotReached, "the target chooses "+p.otherwise(s)
		}
	}
}

// beyond says whether a scenario is about more than a surface: one of its clauses
// is.
func beyond(s *Scenario, surface clause.Surface) bool {
	return slices.ContainsFunc(s.Clauses, func(id string) bool {
		c, _ := clause.Lookup(id)
		switch surface {
		case clause.SpecSurface:
			return c.Applies.Surface != clause.SpecSurface
		case clause.DocsSurface:
			return c.Applies.Surface == clause.Provisional
		default:
			return false
		}
	})
}
