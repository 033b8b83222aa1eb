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

// explaining are the knobs by which a failure is explained that nobody could prevent: a
// target without control makes its own choices.
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
	slices.Sort(knobs)
	return slices.Compact(knobs)
}

// knobHint tells what explains a failure.
func knobHint(knobs []string) string {
	if len(knobs) == 0 {
		return ""
	}
	return "the specification leaves open what is expected here: where the service chooses otherwise by the knob " +
		strings.Join(knobs, " or ") + ", that explains it, and nothing is broken (`paysandbox latitude` lists the choices)"
}

// openly says how many of the clauses that failed are explained by nothing but choices,
// and by which, the one that explains most first; nothing where none is.
func (l *ledger) openly(failed []string) string {
	n, often := 0, map[string]int{}
	for _, id := range failed {
		if knobs := l.choices[clause.ID(id)]; len(knobs) > 0 && !l.plain[clause.ID(id)] {
			n++
			for _, k := range knobs {
				name, _, _ := strings.Cut(k, "=")
				often[name]++
			}
		}
	}
	if n == 0 {
		return ""
	}
	named := slices.SortedFunc(maps.Keys(often), func(a, b string) int { return cmp.Or(often[b]-often[a], strings.Compare(a, b)) })
	return fmt.Sprintf("; of these %d, %d may be choices that the specification leaves open, by the knobs %s: each says so",
		len(failed), n, verdict.Some(named))
}

// beside says what else is to be known of failures in a target without control.
func (l *ledger) beside(failed []string, broken bool) string {
	if l.twice != "" {
		return "; the target answers the same whatever it is asked, so nothing counts that it seems to fulfil"
	}
	return l.openly(failed) + l.unjudged(broken)
}

// unjudged says how many clauses nothing could be said about, and why, unless the target
// broke; nothing where there is none.
func (l *ledger) unjudged(broken bool) string {
	n := 0
	for _, judgements := range l.judged {
		if !standingOf(judgements).Judged() {
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
