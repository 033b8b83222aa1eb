package check

import (
	"slices"
	"strconv"

	"paysandbox/mockserver/tape"
)

// The most that one check says about one tape.
const (
	maxEvidence = 20
	maxProblems = 50
)

// tally collects the judgements of one check.
type tally struct {
	good     []uint64
	goods    int
	list     []Verdict
	problems int
	skipped  []string
}

// ok notes what was seen to hold.
func (y *tally) ok(entries ...uint64) {
	y.goods++
	if len(y.good) < maxEvidence {
		y.good = append(y.good, entries...)
	}
}

// add notes a verdict that is not a pass.
func (y *tally) add(v Verdict) {
	if y.problems++; y.problems > maxProblems {
		return
	}
	slices.Sort(v.Entries)
	v.Entries = slices.Compact(v.Entries)
	y.list = append(y.list, v)
}

// fail notes a broken promise of a check that judges one clause, or cannot tell
// which of its clauses is broken.
func (y *tally) fail(expected, received, hint string, entries ...uint64) {
	y.breach("", expected, received, hint, entries...)
}

// breach notes a broken promise and the clause that is broken; empty where it is
// not known.
func (y *tally) breach(clause, expected, received, hint string, entries ...uint64) {
	y.add(Verdict{Status: Fail, Clause: clause, Expected: expected, Received: received, Hint: hint, Entries: entries})
}

// open notes what cannot be judged because a part of the tape is missing.
func (y *tally) open(what string, entries ...uint64) {
	y.add(Verdict{
		Status: Inconclusive, Received: what, Entries: entries,
		Hint: "keep a longer tape (more entries or bytes) and run again",
	})
}

// stubs notes the entries of a kind whose content was too large for the tape.
func (y *tally) stubs(t *Tape, kind tape.Kind) {
	for i := range t.Entries {
		if e := &t.Entries[i]; e.Omitted > 0 && e.Kind == kind {
			y.open("the content of this entry was too large for the tape", e.Seq)
		}
	}
}

// skip notes what the rule does not hold for.
func (y *tally) skip(why string) {
	if !slices.Contains(y.skipped, why) && len(y.skipped) < maxEvidence {
		y.skipped = append(y.skipped, why)
	}
}

// verdicts gives the problems, and one verdict for all that was right. missing
// says what the tape would have to hold for the check to be reached.
func (y *tally) verdicts(missing string) []Verdict {
	list := y.list
	if more := y.problems - maxProblems; more > 0 {
		list = append(list, Verdict{Status: Review, Received: strconv.Itoa(more) + " more of the kind"})
	}
	switch {
	case y.goods > 0:
		slices.Sort(y.good)
		list = append(list, Verdict{
			Status: Pass, Entries: slices.Compact(y.good), Received: strconv.Itoa(y.goods) + " judged and right",
		})
	case len(list) == 0 && len(y.skipped) > 0:
		for _, why := range y.skipped {
			list = append(list, Verdict{Status: NotApplicable, Received: why})
		}
	case len(list) == 0:
		list = append(list, Verdict{Status: NotReached, Received: "the tape has " + missing})
	}
	return list
}

// notApplicable is the whole verdict of a check that a choice has switched off.
func notApplicable(why string) []Verdict { return []Verdict{{Status: NotApplicable, Received: why}} }
