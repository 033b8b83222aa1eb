package retry

import (
	"slices"

	"paysandbox/harness/trail"
)

// besides is how far apart, in nanoseconds, what a caller does one after the other lies
// where it does not pause.
const besides = 4 * breath

// looks are how long, before each call that is made again, its caller looked whether the one
// before had its effect after all: the readings that begin as soon as that one has failed,
// and those that end as this one begins.
func looks(all, tries []*trail.Call) map[*trail.Call]int64 {
	looked := map[*trail.Call]int64{}
	if tries[0].Reads() {
		return looked
	}
	for i := 1; i < len(tries); i++ {
		before, now := tries[i-1], tries[i]
		from, to := before.Ended, now.Began
		between := all[before.N+1 : now.N]
		for _, c := range between {
			if looksFor(c, now) && c.Began >= from && c.Began-from <= besides && c.Ended <= to {
				from = c.Ended
			}
		}
		for _, c := range slices.Backward(between) {
			if looksFor(c, now) && c.Ended <= to && to-c.Ended <= besides && c.Began >= from {
				to = c.Began
			}
		}
		if spent := now.Began - before.Ended - (to - from); spent > 0 {
			looked[now] = spent
		}
	}
	return looked
}

// looksFor says whether a reading may tell what a call has done: a list, or a state of what
// the call is about.
func looksFor(c, call *trail.Call) bool {
	if !c.Reads() || trail.OperationOf(c.Exchange).Token {
		return false
	}
	return trail.OperationOf(c.Exchange).Reads != trail.OneState || slices.ContainsFunc(c.Entry.Entities, func(id string) bool {
		return slices.Contains(call.Entry.Entities, id)
	})
}
