package trouble

import (
	"slices"
)

// Enough says whether all trouble is over for good: each clause has its verdict, or
// no more is made for it. It takes trouble that was made.
func (p *Planner) Enough(judged Judged) bool {
	if p.active != nil || len(p.resend) > 0 {
		return false
	}
	return p.resigned || p.made > 0 && !slices.ContainsFunc(p.queue, func(at int) bool { return p.wanted(at, judged) })
}

// wanted says whether a trouble is still to be made, as soon as there is traffic
// for it.
func (p *Planner) wanted(at int, judged Judged) bool {
	t := &p.troubles[at]
	if t.Returns && p.seen.returned.IsZero() {
		return false
	}
	return !p.spentAll(at) && (p.needed(t, judged) || p.unpaid(t, judged) || p.besides(at, judged))
}

// spentAll says whether a trouble was made as often as it may be.
func (p *Planner) spentAll(at int) bool {
	t := &p.troubles[at]
	most := vain
	if t.Returns { // it is soon over when it is made in vain
		most = 4 * vain
	}
	return p.met[at] >= t.tries() || p.unmet[at] >= most
}

// givenUp are the clauses of a trouble that stay open, because no trouble is made
// for them any more.
func (p *Planner) givenUp(at int, judged Judged) []string {
	var list []string
	for _, id := range p.troubles[at].Clauses {
		hope := slices.ContainsFunc(p.queue, func(other int) bool {
			return slices.Contains(p.troubles[other].Clauses, id) && !p.spentAll(other)
		})
		if !hope && Open(judged(id)) {
			list = append(list, id)
		}
	}
	return list
}
