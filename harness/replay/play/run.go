package play

import (
	"fmt"
	"iter"
	"slices"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/recording"
	"paysandbox/mockserver/tape"
)

// Answered is what a call of a script came to.
type Answered struct {
	// Step is its place in the script as it was played, N its exchange's.
	Step, N int
	// Seq is its entry on the tape, 0 for none; Operation is "" where there is none.
	Seq       uint64
	Operation string
	Status    int
	Header    []tape.Header
	Body      []byte
	// Paged says that it is a page of a report that the sandbox does not have so: its own hold other rows.
	Paged bool
}

// Run is one play of a script.
type Run struct {
	// Script is what was played, with the moves that a guide has put in.
	Script  Script
	Answers []Answered
	Links   correlate.Links
	// Moved are the problems of moves that were not possible, by their steps.
	Moved   map[int]string
	Meta    tape.Meta
	Entries []tape.Entry
	// of are the places of answers by their exchanges, once all have come; nil before that.
	of map[int]int
}

// Granted are the calls of a recording that succeeded in it, each with the sandbox's answer.
func (r *Run) Granted(of *recording.Recording) iter.Seq2[*Answered, *recording.Exchange] {
	return func(yield func(*Answered, *recording.Exchange) bool) {
		for i := range r.Answers {
			a := &r.Answers[i]
			if a.N < 0 || of.Exchanges[a.N].Answer.Status/100 != 2 {
				continue
			}
			if !yield(a, &of.Exchanges[a.N]) {
				return
			}
		}
	}
}

// Index makes it quick to find an answer. No more answers may come after it.
func (r *Run) Index() {
	r.of = make(map[int]int, len(r.Answers))
	for i := range slices.Backward(r.Answers) { // the first of several counts
		r.of[r.Answers[i].N] = i
	}
}

// Of is what an exchange of the recording came to, nil when it was not played.
func (r *Run) Of(n int) *Answered {
	if r.of != nil {
		if i, played := r.of[n]; played {
			return &r.Answers[i]
		}
		return nil
	}
	for i := range r.Answers {
		if r.Answers[i].N == n {
			return &r.Answers[i]
		}
	}
	return nil
}

// Impossible tells of the moves that were not possible; what came by itself is not among
// them.
func (r *Run) Impossible() []string {
	var list []string
	for n, why := range r.Moved {
		if s := &r.Script.Steps[n]; s.Move.Event != "pay" && s.Why != "" {
			list = append(list, fmt.Sprintf("A move was not possible: %s: %s", s.Why, why))
		}
	}
	slices.Sort(list)
	return list
}

// Heard are the webhooks that a script has, from 0.
func (r *Run) Heard() []int {
	var list []int
	for i := range r.Script.Steps {
		if n := r.Script.Steps[i].Heard; n > 0 {
			list = append(list, n-1)
		}
	}
	slices.Sort(list)
	return list
}

// Unmakes says whether something is refused that stands for what was there before the recording, and that another play has made:
// here it is then only lacking, and what this play shows of it says nothing of where it was recorded.
func (r *Run) Unmakes(other *Run) bool {
	made := map[string]bool{}
	for i := range other.Answers {
		if a := &other.Answers[i]; a.N == Prelude && a.Status < 400 {
			made[other.asked(a)] = true
		}
	}
	return slices.ContainsFunc(r.Answers, func(a Answered) bool { return a.N == Prelude && a.Status >= 400 && made[r.asked(&a)] })
}

// asked is what a call asked for, with the recording's ids.
func (r *Run) asked(a *Answered) string {
	x := &r.Script.Steps[a.Step].Call.Exchange
	return x.Method + " " + x.Path + " " + string(x.Body)
}
