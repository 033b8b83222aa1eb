package retry

import (
	"slices"
	"time"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
)

// What tells the repetitions of a call from a new one and from each other.
const (
	// longestPause is the longest pause within a row of repetitions.
	longestPause = int64(time.Minute)
	// pollPause is from when on equal pauses between reads are a poll's.
	pollPause = int64(5 * time.Second)
	// breath is the shortest pause that is one. Calls closer together were made
	// at the same time, or the client's transport has repeated one on its own.
	breath = int64(10 * time.Millisecond)
)

// run is a row of the same call: each but the last has failed.
type run struct {
	tries []*trail.Call
	// looked is for how long, before each, the caller looked whether the one before had its
	// effect after all, in nanoseconds: that is no pause.
	looked map[*trail.Call]int64
	// over says that the last was not made again, left that the same call came later
	// and was no repetition any more, paced that it came with the pace of a poll.
	over, left, paced bool
}

// pause is what lay between two calls of a run, in nanoseconds.
type pause struct {
	length int64
	// after is the call that had failed.
	after *trail.Call
}

// runs finds the calls that were made again because they had failed, and those
// that failed and were not.
func runs(t *trail.Trail) []*run {
	var all []*run
	open := map[string]*run{}
	for _, c := range t.Calls() {
		r := open[c.Same]
		if r != nil && r.ends(c) {
			r.over, r.left, r.paced = true, true, c.Began-r.last().Ended < longestPause
			r = nil
			delete(open, c.Same)
		}
		if r == nil {
			if !c.Failed() {
				continue
			}
			r = &run{}
			all, open[c.Same] = append(all, r), r
		}
		r.tries = append(r.tries, c)
		if !c.Failed() {
			r.over = true
			delete(open, c.Same)
		}
	}
	taken := map[*trail.Call]bool{}
	for _, r := range all {
		r.over = r.over || t.Settled(r.last())
		r.looked = looks(t.Calls(), r.tries, taken)
	}
	return all
}

// ends says whether a further call is no repetition: it comes too late, or with
// the even pace of a poll.
func (r *run) ends(c *trail.Call) bool {
	n := len(r.tries)
	gap := c.Began - r.tries[n-1].Ended
	if gap >= longestPause {
		return true
	}
	if !c.Reads() || gap < pollPause {
		return false
	}
	return n < 2 || float64(gap) < 1.2*float64(r.tries[n-1].Began-r.tries[n-2].Ended)
}

// pauses are those that the caller made. Calls at one moment count as one,
// unless there was no other moment.
func (r *run) pauses() []pause {
	all := r.gaps()
	if real := slices.DeleteFunc(slices.Clone(all), func(p pause) bool { return p.length < breath }); len(real) > 0 {
		return real
	}
	return all
}

// gap is how long the caller did nothing before a call of the run, in nanoseconds.
func (r *run) gap(i int) int64 {
	return max(0, r.tries[i].Began-r.tries[i-1].Ended-r.looked[r.tries[i]])
}

// failures counts the calls that have failed; of those at one moment the first.
func (r *run) failures() int {
	n := len(r.tries)
	if p := r.pauses(); len(p) > 0 && p[0].length >= breath {
		n = len(p) + 1
	}
	if !r.tries[len(r.tries)-1].Failed() {
		n--
	}
	return n
}

// still says whether nothing is known of the run's pauses: the clock stood
// still, and the application lives by another one.
func (r *run) still(keepsTime bool) bool {
	if keepsTime {
		return false
	}
	for _, p := range r.pauses() {
		if p.length > 0 {
			return false
		}
	}
	return true
}

// seqs are the numbers of the run's entries.
func (r *run) seqs() []uint64 {
	list := make([]uint64, 0, len(r.tries))
	for i := range r.tries {
		list = append(list, r.tries[i].Entry.Seq)
	}
	return list[:min(len(list), verdict.MaxEvidence)]
}
