package retry

import (
	"strconv"
	"time"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
)

// mostAttempts is how often one call may be made in a row while it fails.
const mostAttempts = 8

// boundedAttempts counts how often a call was made in a row while it failed. That retries
// end is seen only where the application has ended them: a call that was served in
// the end shows that it was made again, and not how often it would have been.
func boundedAttempts(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	for _, whole := range runs(t) {
		for _, r := range whole.stretches() {
			judgeEnd(t, &y, r)
		}
	}
	return y.Exercised()
}

// judgeEnd judges one row of the same call.
func judgeEnd(t *trail.Trail, y *verdict.Tally, r *run) {
	switch n := r.failures(); {
	case r.tooMany(n):
		expected := "at most " + strconv.Itoa(mostAttempts) + " attempts of one call"
		if r.tries[0].Reads() {
			expected += ", and of a reading as many by each of " + strconv.Itoa(mostReaders) + " at a time"
		}
		y.Fail(expected, strconv.Itoa(n)+" in a row, all of which failed", r.seqs()...)
	case n < 2:
		y.Skip("a call that failed and was not made again at once tells nothing of an end of retries")
	case !r.last().Failed():
		y.Skip("calls were served after they had failed a few times: how often the application would have tried is not known")
	case r.paced:
		y.Skip("a state was read again with the pace of a poll")
	case !givenUp(t, r):
		y.Skip("a call was failing still")
	default:
		y.Holds(r.seqs()...)
	}
}

// mostReaders is how many may read one state at a time: for an event, for a sale, and in a
// sweep. Their readings cannot be told from each other.
const mostReaders = 3

// tooMany says whether so many failures are more than callers make who give up. A state
// may be read by several, and by a loop that comes back: each begins anew with a shorter
// pause, and a loop that is gentle with one of a second.
func (r *run) tooMany(failures int) bool {
	const gentle = int64(time.Second)
	pauses := r.pauses()
	switch {
	case !r.tries[0].Reads():
		return failures > mostAttempts
	case total(pauses) < breath: // as many readers at a time, maybe
		return failures > 2*mostAttempts
	case failures <= mostReaders*mostAttempts:
		return false
	}
	tries, first, longest := 1, int64(0), int64(0)
	for i, p := range pauses[:max(0, min(len(pauses), failures-1))] {
		if i > 0 && 10*p.length < 6*pauses[i-1].length {
			tries = 1
		}
		if tries == 1 {
			first = p.length
		}
		if tries++; tries > mostAttempts && first < gentle {
			return true
		}
		longest = max(longest, p.length)
	}
	return longest < gentle
}

// What tells that a call was left alone from that its next repetition is waited for:
// a rest of some seconds, and far longer than the pauses before.
const (
	shortestRest = int64(4 * time.Second)
	timesAsLong  = 6
)

// stretches are the parts of a run between which the application rested: it had given
// up, and has come back to the work that it kept. A rest that the service has asked
// for is none.
func (r *run) stretches() []*run {
	var all []*run
	part := &run{}
	longest := int64(0)
	for i := range r.tries {
		if n := len(part.tries); n > 0 {
			gap := r.tries[i].Began - part.tries[n-1].Ended
			if n > 1 && gap >= max(shortestRest, timesAsLong*longest) && trail.RetryAfter(part.tries[n-1].Exchange) == 0 {
				part.left = true
				all, part, longest = append(all, part), &run{}, 0
			} else {
				longest = max(longest, gap)
			}
		}
		part.tries = append(part.tries, r.tries[i])
	}
	part.over, part.left, part.paced = r.over, r.left, r.paced
	return append(all, part)
}

// last is the last call of the run.
func (r *run) last() *trail.Call { return r.tries[len(r.tries)-1] }

// givenUp says whether the application has left a call alone that had failed: for
// longer than it had paused before, or while it has made many others.
func givenUp(t *trail.Trail, r *run) bool {
	const patience = 3
	longest := int64(0)
	for _, p := range r.pauses() {
		longest = max(longest, p.length)
	}
	switch last := r.last(); {
	case r.left:
		return true
	case !t.KeepsTime():
		return len(t.Calls())-1-last.N >= trail.WentOnCalls
	default:
		return t.Waited(&t.Entries[len(t.Entries)-1])-last.Ended >= max(trail.SettledTime, patience*longest)
	}
}
