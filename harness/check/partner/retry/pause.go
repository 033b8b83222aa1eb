package retry

import (
	"strconv"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
)

// shortPauses is how many pauses of next to nothing in a row are no jitter's: of one
// that spreads from nothing to 100 ms, 200 ms, 400 ms … they come once in half a
// million rows.
const shortPauses = 4

// hot says whether the pauses of a row come to nothing.
func (r *run) hot() bool {
	all := r.pauses()
	return total(all) < breath*int64(len(all))
}

// pausesAtAll fails rows of repetitions without a pause. Where there are no others,
// several short ones count together.
func pausesAtAll(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	keeps := t.KeepsTime()
	var hot []*run
	sum, paused := 0, 0
	for _, r := range runs(t) {
		n := len(r.pauses())
		switch {
		case r.still(keeps):
			y.Skip(clockStill)
		case n == 0 && !r.over, n > 0 && r.hot() && r.tries[0].Reads() && !r.over:
			y.Skip("calls were failing still, maybe of several readers")
		case n == 0: // left alone
			y.Holds(r.seqs()...)
		case !r.hot():
			y.Holds(r.seqs()...)
			if mine := r.own(); 2*senseless(mine) < len(mine) {
				paused++
			}
		case n == 1:
			y.Skip("a call that was made again once, and at once, tells nothing of the next time")
		default:
			hot, sum = append(hot, r), sum+n
		}
	}
	failHot(&y, hot, paused == 0 && sum >= shortPauses)
	return y.Exercised()
}

// failHot fails the rows that are too long for chance, or all where they are so together.
func failHot(y *verdict.Tally, hot []*run, together bool) {
	for _, r := range hot {
		if all := r.pauses(); together || len(all) >= shortPauses {
			y.Fail("a pause before a failing call is made again, and again", strconv.Itoa(len(r.tries))+" calls within "+trail.Span(total(all)), r.seqs()...)
		} else {
			y.Skip("a call was made again too seldom to tell no pause from a short one")
		}
	}
}
