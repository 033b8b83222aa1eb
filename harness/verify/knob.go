package verify

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"paysandbox/harness/clause"
	"paysandbox/harness/report/words"
	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// choiceTag begins the tag that names a choice which a scenario wants of the service.
const choiceTag = "@choice:"

// extraMembers is the knob by which answers have members that nothing describes, or none.
// The steps allow them where they are not known to be chosen away: steps.Config.MayAdd.
const extraMembers = "extra-response-fields"

// otherwise is a choice of which the target is known to have made another one than a
// scenario wants; empty for none.
func (p *Plan) otherwise(s *Scenario) string {
	for _, choice := range s.wants() {
		knob, value, _ := strings.Cut(choice, "=")
		if chosen, told := p.Choices[knob]; told && chosen != value && knob != extraMembers {
			return knob + "=" + chosen
		}
	}
	return ""
}

// explaining are the knobs by which it may be explained that something comes otherwise,
// which nobody could prevent: a target without control makes its own choices. Those that
// are known to be made as the scenario expects explain nothing.
func (p *player) explaining(s *Scenario, last *tape.Exchange) []string {
	if p.control {
		return nil // the choices were asked for
	}
	knobs := s.knobs()
	if last != nil && last.Response.Status >= http.StatusBadRequest {
		if media, _ := trail.Header(last.Response.Header, "Content-Type"); !strings.HasPrefix(media, "application/problem+json") {
			knobs = append(knobs, "error-body")
		}
	}
	knobs = slices.DeleteFunc(knobs, func(k string) bool {
		name, wanted, _ := strings.Cut(k, "=")
		chosen, told := p.plan.Choices[name]
		return told && chosen == cmp.Or(wanted, p.plan.Defaults[name])
	})
	slices.Sort(knobs)
	return slices.CompactFunc(knobs, func(a, b string) bool { return a == b || strings.HasPrefix(b, a+"=") })
}

// openly says why a clause is not judged of which something came otherwise.
func openly(knobs []string) string {
	return "it came otherwise, which is no fault where the service chooses otherwise by the knob " + strings.Join(knobs, " or ") +
		": --latitude KNOB=VALUE says what it chooses (`paysandbox latitude` lists the choices)"
}

// open says of how many clauses nothing was found but what choices may explain, by which
// knobs, the one that explains most first; nothing where none is.
func (l *ledger) open() string {
	n, often := 0, map[string]int{}
	for id, knobs := range l.choices {
		if standingOf(l.judged[id]) != verdict.Inconclusive {
			continue
		}
		n++
		for _, k := range knobs {
			name, _, _ := strings.Cut(k, "=")
			often[name]++
		}
	}
	if n == 0 {
		return ""
	}
	named := slices.SortedFunc(maps.Keys(often), func(a, b string) int { return cmp.Or(often[b]-often[a], strings.Compare(a, b)) })
	return fmt.Sprintf("; %s left open: what came otherwise rests on the target's choices by the knobs %s (--latitude KNOB=VALUE says what it chooses)",
		words.Plural(n, "clause is", "clauses are"), verdict.Some(named))
}

// beside says what else is to be known of a target without control.
func (l *ledger) beside(broken bool) string {
	if l.twice != "" {
		return "; the target answers the same whatever it is asked, so nothing counts that it seems to fulfil"
	}
	return l.open() + l.unjudged(broken)
}

// unjudged says how many other clauses nothing could be said about, and why, unless the
// target broke; nothing where there is none.
func (l *ledger) unjudged(broken bool) string {
	n := 0
	for id, judgements := range l.judged {
		if !standingOf(judgements).Judged() && len(l.choices[id]) == 0 {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	said := "; " + words.Plural(n, "clause was", "clauses were") + " not judged"
	if broken {
		return said
	}
	return said + ", as the target has no control API"
}

// knobs are the choices on which a scenario rests: those that it wants, and those that
// its clauses are about.
func (s *Scenario) knobs() []string {
	list := s.wants()
	for _, id := range s.Clauses {
		if c, known := clause.Lookup(id); known && c.Source.Knob != "" {
			list = append(list, c.Source.Knob)
		}
	}
	return list
}

// wants are the choices, KNOB=VALUE, that a scenario expects the service to have made.
func (s *Scenario) wants() []string {
	var list []string
	for _, tag := range s.Tags {
		if choice, ok := strings.CutPrefix(tag, choiceTag); ok {
			list = append(list, strings.TrimSpace(choice))
		}
	}
	return list
}
