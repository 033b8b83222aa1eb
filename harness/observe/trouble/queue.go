package trouble

import (
	"slices"
	"time"
)

// rareFirst is the queue with those troubles first whose time is now, once a few others were
// made: their time would never come.
func (p *Planner) rareFirst(now time.Time) []int {
	list := slices.Clone(p.queue)
	if p.seen.returning(now) {
		slices.SortStableFunc(list, func(a, b int) int { return p.rank(a) - p.rank(b) })
	}
	return list
}

// rank is 0 for a trouble whose time is now, and 1 for all others.
func (p *Planner) rank(at int) int {
	if p.troubles[at].Returns && p.others >= p.few(at) {
		return 0
	}
	return 1
}

// few is how many others are made before what was made in vain is made again.
func (p *Planner) few(at int) int {
	if p.troubles[at].Returns && p.row > 0 {
		return 0
	}
	return 3
}

// soon puts a trouble behind the next few from n on that are needed, not behind all.
func (p *Planner) soon(trouble, n int, judged Judged) {
	p.queue = slices.DeleteFunc(p.queue, func(at int) bool { return at == trouble })
	others := 0
	for ; n < len(p.queue) && others < p.few(trouble); n++ {
		if at := p.queue[n]; !p.spentAll(at) && p.needed(&p.troubles[at], judged) {
			others++
		}
	}
	p.queue = slices.Insert(p.queue, n, trouble)
}
