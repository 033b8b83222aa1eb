package retry

import (
	"fmt"
	"strconv"
	"time"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
)

const (
	hintBackoff = "wait longer after each failure, for example 100 ms, 200 ms, 400 ms …, each shortened or lengthened by chance"
	clockStill  = "the clock stood still, so how long the application has paused is not on the tape"
)

// growingPauses looks at the pauses between repetitions. Those after a Retry-After
// are the service's wish, and say nothing about the client's own.
func growingPauses(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	keeps := t.KeepsTime()
	var own [][]pause
	var seqs []uint64
	for _, r := range runs(t) {
		all := r.pauses()
		mine := r.own()
		switch {
		case len(all) < 2:
			y.Skip("a call that was made again only once tells nothing of growing pauses")
			continue
		case r.still(keeps):
			y.Skip(clockStill)
			continue
		case total(all) < breath*int64(len(all)) && r.tries[0].Reads() && !r.over:
			y.Skip("calls were failing still, maybe of several readers")
			continue
		case total(all) < breath*int64(len(all)):
			y.Fail("growing pauses between the repetitions", strconv.Itoa(len(r.tries))+" calls within "+trail.Span(total(all)), hintBackoff, r.seqs()...)
			continue
		}
		if len(mine) > 0 {
			own, seqs = append(own, mine), append(seqs, r.seqs()...)
		}
		if len(mine) > 1 {
			y.Holds(r.seqs()...)
		} else {
			y.Skip("the pauses were those that Retry-After asks for, or a poll's")
		}
	}
	judgeRegular(&y, own, seqs)
	return y.Exercised()
}

// own are the pauses that the client has chosen: not those after a Retry-After,
// and not those of reads with the pace of a poll.
func (r *run) own() []pause {
	var mine []pause
	for _, p := range r.pauses() {
		_, told := trail.Header(p.after.Exchange.Response.Header, "Retry-After")
		if !told && (!p.after.Reads() || p.length < int64(time.Second)) {
			mine = append(mine, p)
		}
	}
	return mine
}

// judgeRegular fails pauses that are all the same, or the same in each run.
func judgeRegular(y *verdict.Tally, runs [][]pause, seqs []uint64) {
	var all []pause
	long := 0
	for _, r := range runs {
		all = append(all, r...)
		if len(r) > 1 {
			long++
		}
	}
	slack := 0.1
	if len(all) == 2 { // two may be close by chance
		slack = 0.03
	}
	switch {
	case long > 0 && alike(all, slack):
		y.Fail("growing pauses between the repetitions", fmt.Sprintf("%d pauses of %s each", len(all), trail.Span(all[0].length)), hintBackoff, seqs[:min(len(seqs), verdict.MaxEvidence)]...)
	case long > 1 && drilled(runs):
		y.Fail("pauses that chance varies", fmt.Sprintf("nearly the same pauses in each of %d rows of repetitions", len(runs)), hintBackoff, seqs[:min(len(seqs), verdict.MaxEvidence)]...)
	}
}

// alike says whether pauses are equal but for a share of the longest.
func alike(list []pause, slack float64) bool {
	low, high := list[0].length, list[0].length
	for _, p := range list {
		low, high = min(low, p.length), max(high, p.length)
	}
	return float64(high-low) <= max(slack*float64(high), float64(2*time.Millisecond))
}

// drilled says whether each run makes the pauses of the others.
func drilled(runs [][]pause) bool {
	for i := 0; ; i++ {
		var ith []pause
		for _, r := range runs {
			if i < len(r) {
				ith = append(ith, r[i])
			}
		}
		if len(ith) == 0 {
			return true
		}
		if !alike(ith, 0.01) {
			return false
		}
	}
}

func total(list []pause) int64 {
	var sum int64
	for _, p := range list {
		sum += p.length
	}
	return sum
}
