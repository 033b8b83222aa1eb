package trouble

import (
	"slices"
	"time"

	"paysandbox/harness/verdict"
)

// Enough says whether all trouble is over for good: each clause has its verdict, or
// no more is made for it. It takes trouble that was made.
func (p *Planner) Enough(judged Judged) bool {
	if p.active != nil || len(p.resend) > 0 {
		return false
	}
	return p.resigned || p.made > 0 && !slices.ContainsFunc(p.queue, func(at int) bool { return p.wanted(at, judged) })
}

// Left is the trouble that is still to be made when a session ends.
type Left struct {
	// Short are the clauses without a verdict whose trouble traffic came for, and that had no
	// turn yet, or too few. Traffic is how many more calls and deliveries all that takes at least,
	// at the pace of the session; 0 where no trouble was made.
	Short   []string `json:"short,omitempty"`
	Traffic int      `json:"traffic,omitempty"`
	// Waiting are those whose trouble waits for what does not come, with what that is; For
	// names all that is waited for.
	Waiting map[string]string `json:"waiting,omitempty"`
	For     []string          `json:"for"`
}

// Left gives what is still to be made.
func (p *Planner) Left(judged Judged) Left {
	out := Left{Waiting: map[string]string{}, For: p.Waits(judged)}
	turns := 0
	for _, at := range p.queue {
		t := &p.troubles[at]
		if !p.wanted(at, judged) {
			continue
		}
		comes := p.comes(at)
		if comes {
			turns++
		}
		for _, id := range t.Clauses {
			switch {
			case !Open(judged(id)):
			case comes:
				out.Short = append(out.Short, id)
			case out.Waiting[id] == "":
				out.Waiting[id] = t.waits()
			}
		}
	}
	slices.Sort(out.Short)
	out.Short = slices.Compact(out.Short)
	for _, id := range out.Short {
		delete(out.Waiting, id)
	}
	if p.made > 0 {
		out.Traffic = (turns*p.traffic + p.made - 1) / p.made
	}
	return out
}

// comes says whether traffic comes that the trouble is made for, as far as was seen.
func (p *Planner) comes(at int) bool {
	t := &p.troubles[at]
	if p.unmet[at] >= twice {
		return false
	}
	if t.Profile != "" {
		return p.seen.endpoint != "" && p.seen.ever(t)
	}
	_, _, _, possible := p.seen.target(t, time.Time{})
	return possible
}

// wanted says whether a trouble is still to be made, as soon as there is traffic
// for it.
func (p *Planner) wanted(at int, judged Judged) bool {
	t := &p.troubles[at]
	if t.Returns && p.seen.returned.IsZero() { // it may come yet, and a clause waits for it
		return p.needed(t, judged)
	}
	return !p.spentAll(at) && (p.needed(t, judged) || p.unpaid(t, judged) || p.besides(at, judged))
}

// untimely says whether a trouble is made only when its time is, which is not now.
func (p *Planner) untimely(at int, now time.Time) bool {
	if p.troubles[at].Effect.TokenRevoked != "" {
		return !p.seen.steady(now)
	}
	return p.troubles[at].Returns && p.row == 0 && (p.unmet[at] >= vain || p.seen.apart > 0) && !p.seen.returning(now)
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

// needed says whether one of the trouble's clauses has no verdict yet.
func (p *Planner) needed(t *Trouble, judged Judged) bool {
	return slices.ContainsFunc(t.Clauses, func(id string) bool { return Open(judged(id)) })
}

// unpaid says whether the trouble's clauses hold so far, but were not seen with an
// event that matters.
func (p *Planner) unpaid(t *Trouble, judged Judged) bool {
	return t.Paid && !p.paid[family(t.Profile)] && slices.ContainsFunc(t.Clauses, func(id string) bool {
		v := judged(id)
		return v == verdict.Pass || v == verdict.Review || v == verdict.Warning
	})
}

// twice is how often a trouble that is made besides may be made in vain; one whose time
// is short may be as often as any, and one for calls that are rare once more.
const twice = 2

// besides says whether the trouble has to be met once, so that it shows something, although
// the clause that it is for holds so far.
func (p *Planner) besides(at int, judged Judged) bool {
	t := &p.troubles[at]
	if t.On == ARefund && p.seen.refund == "" || t.On == ACharge && p.seen.charge == "" {
		return false // who makes no such call is not asked for one
	}
	most := twice
	if t.rare() {
		most++
	}
	return t.Besides && (p.met[at] == p.moot[at] || t.Again) && (t.Returns || p.unmet[at] < most) && judged(t.Clauses[0]) == verdict.Pass
}

// Open says whether a status leaves room for evidence. What a person has to review
// does, too: more of it may settle the matter.
func Open(s verdict.Word) bool {
	return s == verdict.NotExercised || s == verdict.NotReached || s == verdict.Inconclusive || s == verdict.Review
}
