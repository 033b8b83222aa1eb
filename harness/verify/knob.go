package verify

import (
	"net/http"
	"slices"
	"strings"

	"paysandbox/harness/clause"
	"paysandbox/mockserver/tape"
)

// choiceTag begins the tag that names a choice which a scenario wants of the service.
const choiceTag = "@choice:"

// knobHint tells how a failure is explained that nobody could prevent: a target without
// control makes its own choices.
func (p *player) knobHint(t *take, last *tape.Exchange) string {
	if p.control {
		return "" // the choices were asked for
	}
	knobs := t.scenario.knobs()
	if last != nil && last.Response.Status >= http.StatusBadRequest {
		knobs = append(knobs, "error-body")
	}
	if len(knobs) == 0 {
		return ""
	}
	slices.Sort(knobs)
	return "the specification leaves open what is expected here: where the service chooses otherwise by the knob " +
		strings.Join(slices.Compact(knobs), " or ") + ", that explains it, and nothing is broken (`paysandbox latitude` lists the choices)"
}

// knobs are the choices on which a scenario rests: those that it wants, and those that
// its clauses are about.
func (s *Scenario) knobs() []string {
	var list []string
	for _, tag := range s.Tags {
		if choice, ok := strings.CutPrefix(tag, choiceTag); ok {
			list = append(list, strings.TrimSpace(choice))
		}
	}
	for _, id := range s.Clauses {
		if c, known := clause.Lookup(id); known && c.Source.Knob != "" {
			list = append(list, c.Source.Knob)
		}
	}
	return list
}
