package retry

import (
	"strconv"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
)

// shortPauses is how many pauses of next to nothing in a row are no jitter's. Of one
// that spreads from nothing to 100 ms, 200 ms, 400 ms … they come less than once in
// 10,000 sessions: a test simulates it.
const shortPauses = 4

// hot says whether a row was made without pauses: most calls came at once, and all
// together in hardly more time than a busy machine takes for them.
func (r *run) hot() bool {
	var gaps []int64
	for i := 1; i < len(r.tries); i++ {
		gaps = append(gaps, r.gap(i))
	}
	return atOnce(gaps)
}

// atOnce is hot of what lay between the calls of a row, in nanoseconds.
func atOnce(gaps []int64) bool {
	short, sum := 0, int64(0)
	for _, gap := range gaps {
		if sum += gap; gap < breath {
			short++
		}
	}
	return 2*short > len(gaps) && sum < 2*breath*int64(len(gaps))
}

// pausesAtAll fails rows of repetitions without a pause. Where there are no others,
// several short ones count together.
func pausesAtAll(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	keeps := t.KeepsTime()
	var hot []*run
	sum, paused := 0, 0
	for _, r := range runs(t) {
		n := len(r.tries) - 1
		switch {
		case r.still(keeps):
			y.Skip(clockStill)
		case n == 0 && !r.over, n > 0 && r.hot() && r.tries[0].Reads() && !r.over:
			y.Skip("calls were failing still, maybe of several readers")
		case n == 0: // left alone
			y.Holds(r.seqs()...)
		case !r.hot():
			y.Holds(r.seqs()...)
			if mine := r.own(true); 2*senseless(mine) < len(mine) {
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
		if n := len(r.tries); together || n > shortPauses {
			y.Fail("a pause before a failing call is made again, and again", strconv.Itoa(n)+" calls within "+trail.Span(r.tries[n-1].Began-r.tries[0].Ended), r.seqs()...)
		} else {
			y.Skip("a call was made again too seldom to tell no pause from a short one")
		}
	}
}
