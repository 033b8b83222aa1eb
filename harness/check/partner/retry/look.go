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
// and those that end as this one begins. A reading is one caller's: who works beside has his
// own, and of those that are taken none is looked at again.
func looks(all, tries []*trail.Call, taken map[*trail.Call]bool) map[*trail.Call]int64 {
	looked := map[*trail.Call]int64{}
	if tries[0].Reads() {
		return looked
	}
	for i := 1; i < len(tries); i++ {
		before, now := tries[i-1], tries[i]
		between := slices.DeleteFunc(slices.Clone(all[before.N+1:now.N]), func(c *trail.Call) bool { return taken[c] || !looksFor(c, now) })
		from, to := before.Ended, now.Began
		for _, c := range between {
			if c.Began >= from && c.Began-from <= besides && c.Ended <= to {
				from, taken[c] = c.Ended, true
			}
		}
		for _, c := range slices.Backward(between) {
			if c.Ended <= to && to-c.Ended <= besides && c.Began >= from {
				to, taken[c] = c.Began, true
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
