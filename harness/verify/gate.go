package verify

import (
	"fmt"

	"paysandbox/harness/verdict"
)

// reason says in one sentence why a run ends as it does.
func reason(g *verdict.Gate) string {
	missed := fmt.Sprintf("%d clauses of level MUST were not reached", len(g.Unseen))
	switch g.Outcome() {
	case verdict.Misconfigured:
		return g.Misconfigured.Error()
	case verdict.Failed:
		if g.Broke != nil {
			return "broken: " + verdict.Some(g.Failed) + "; besides, " + g.Broke.Error()
		}
		return "broken: " + verdict.Some(g.Failed)
	case verdict.RunBroke:
		if len(g.Failed) > 0 {
			return g.Broke.Error() + "; broken before that: " + verdict.Some(g.Failed)
		}
		return g.Broke.Error()
	case verdict.RuleBroke:
		return "the harness or the way to the target broke at " + verdict.Some(g.Broken)
	case verdict.NothingJudged:
		return "nothing was judged"
	case verdict.Unseen:
		return missed + ": " + verdict.Some(g.Unseen)
	case verdict.DeviationGone:
		return "take these out of the deviations, they no longer occur: " + verdict.Some(g.Gone)
	case verdict.MetWithout:
		return missed + ", which was allowed: " + verdict.Some(g.Unseen)
	default:
		return ""
	}
}
