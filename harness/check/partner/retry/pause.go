package retry

import (
	"slices"
	"strconv"
	"time"

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
	for _, p := range r.gaps() {
		gaps = append(gaps, p.length)
	}
	return atOnce(gaps)
}

// gaps are all pauses of a row, those that are none, too.
func (r *run) gaps() []pause {
	list := make([]pause, 0, len(r.tries))
	for i := 1; i < len(r.tries); i++ {
		list = append(list, pause{r.gap(i), r.tries[i-1]})
	}
	return list
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
	all := runs(t)
	for _, r := range all {
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
	if failHot(&y, hot, paused == 0 && sum >= shortPauses); y.Problems() == 0 {
		failSoon(&y, asSoon(t, all))
	}
	return y.Exercised()
}

// How soon a client makes its next call is told by at least usual calls that came sooner than
// poised after an answer. No machine takes longer than longestLag for it, most of the time.
const (
	usual      = 20
	poised     = int64(250 * time.Millisecond)
	longestLag = int64(75 * time.Millisecond)
)

// asSoon are the rows of which most calls were made again as soon as the client made any other
// call after an answer, where all rows together tell it, and pauses that grow from 100 ms are
// not so short by chance. On a busy machine that takes longer than a breath.
func asSoon(t *trail.Trail, rows []*run) []*run {
	keeps := t.KeepsTime()
	rows = slices.DeleteFunc(rows, func(r *run) bool { return len(r.tries) < 3 || r.still(keeps) || len(r.own(true)) == 0 })
	var again []int64
	each := make([][]pause, len(rows))
	repeated := map[*trail.Call]bool{}
	for k, r := range rows {
		each[k] = r.gaps()
		for i, p := range each[k] {
			again, repeated[r.tries[i+1]] = append(again, p.length), true
		}
	}
	var other []int64
	calls := t.Calls()
	for i := 1; i < len(calls); i++ {
		if gap := calls[i].Began - calls[i-1].Ended; gap > 0 && gap < poised && !repeated[calls[i]] {
			other = append(other, gap)
		}
	}
	if len(other) < usual || len(again) == 0 {
		return nil
	}
	slices.Sort(other)
	slices.Sort(again)
	short := min(2*other[len(other)/2], longestLag)
	if again[len(again)/8] >= 3*breath/2 || again[len(again)/2] >= short || min(shorter(each, short), together(each)) >= blamed/10 {
		return nil
	}
	return slices.DeleteFunc(rows, func(r *run) bool { return 2*below(r.gaps(), short) < len(r.tries) })
}

// failSoon fails such rows.
func failSoon(y *verdict.Tally, rows []*run) {
	for _, r := range rows {
		n := len(r.tries)
		y.Fail("a pause before a failing call is made again, and again", strconv.Itoa(n)+" calls within "+trail.Span(r.tries[n-1].Began-r.tries[0].Ended)+", each as soon as any other call", r.seqs()...)
	}
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
