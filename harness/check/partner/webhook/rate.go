package webhook

import (
	"math"
	"slices"
	"strconv"
	"time"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// What it means to answer quickly.
const (
	quickWithin = 3 * time.Second
	quickWindow = time.Minute
	quickEvents = 10
	// stall is for how long a machine may stand still: what lasts longer is the receiver's.
	stall = 2 * time.Second
)

// lasting is when an attempt was over, without the moves of the clock, how long it took,
// and whether that is too long.
type lasting struct {
	at   int64
	took time.Duration
	seq  uint64
	slow bool
}

// quickAnswers judges how long receivers take, in every minute with enough deliveries.
// One that is slow is let pass: an application that has just started is.
func quickAnswers(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	list := lastings(t)
	if held := hindrances(t); len(held) > 0 {
		list = slices.DeleteFunc(list, func(a lasting) bool {
			hit := a.slow && slices.ContainsFunc(held, func(began int64) bool { return began <= a.at && began >= a.at-int64(a.took) })
			if hit {
				y.Skip("deliveries took long while the service itself failed, or held an answer back")
			}
			return hit
		})
	}
	if stalled(list) {
		y.Skip("deliveries took too long at one moment only, and no longer than a machine that stands still for 2 seconds makes them")
		list = slices.DeleteFunc(list, func(a lasting) bool { return a.slow })
	}
	if slow := slowOf(list); len(list) >= quickEvents && 2*len(slow) > len(list) { // however seldom they come
		y.Fail("95 of 100 deliveries answered within 3 seconds", strconv.Itoa(len(slow))+" of "+strconv.Itoa(len(list))+" took longer", slow[:min(len(slow), verdict.MaxEvidence)]...)
		return y.Exercised()
	}
	last, slow := 0, []uint64{}
	for first, a := range list {
		for ; last < len(list) && list[last].at-a.at <= int64(quickWindow); last++ {
			if list[last].slow {
				slow = append(slow, list[last].seq)
			}
		}
		n := last - first
		switch {
		case n < quickEvents:
		case len(slow) > max(1, n/20):
			y.Fail("95 of 100 deliveries answered within 3 seconds", strconv.Itoa(len(slow))+" of "+strconv.Itoa(n)+" within a minute took longer", slow[:min(len(slow), verdict.MaxEvidence)]...)
			return y.Exercised()
		default:
			y.Holds(a.seq)
		}
		if a.slow {
			slow = slow[1:]
		}
	}
	return y.Exercised()
}

// hindrances is when the calls began that the service failed, or was slow to answer: a
// receiver that asks it before it answers takes as long.
func hindrances(t *trail.Trail) []int64 {
	var list []int64
	for _, c := range t.Calls() {
		if c.Failed() || c.Ended-c.Began >= int64(time.Second) {
			list = append(list, c.Began)
		}
	}
	return list
}

// stalled says whether several deliveries took too long, all under way at one moment, and
// no longer than a stall then makes those that were in time.
func stalled(list []lasting) bool {
	begun, over, n, usual := int64(math.MinInt64), int64(math.MaxInt64), 0, time.Duration(0)
	for _, a := range list {
		if a.slow {
			begun, over, n = max(begun, a.at-int64(a.took)), min(over, a.at), n+1
		} else {
			usual = max(usual, a.took)
		}
	}
	return n > 1 && begun < over && !slices.ContainsFunc(list, func(a lasting) bool { return a.took > usual+stall })
}

// slowOf are the attempts that took too long.
func slowOf(list []lasting) []uint64 {
	var slow []uint64
	for _, a := range list {
		if a.slow {
			slow = append(slow, a.seq)
		}
	}
	return slow
}

// lastings are the attempts whose duration is known, in the order of time.
func lastings(t *trail.Trail) []lasting {
	var list []lasting
	for e := range t.Of(tape.KindAttempt) {
		a := e.Attempt
		took := time.Duration(a.Took)
		if took <= 0 || trail.Spoilt(a, "slow-read", "cut-connection") || a.Status == 0 && took < quickWithin {
			continue
		}
		list = append(list, lasting{t.Waited(e), took, e.Seq, took >= quickWithin})
	}
	slices.SortStableFunc(list, func(a, b lasting) int { return int(max(-1, min(1, a.at-b.at))) })
	return list
}
