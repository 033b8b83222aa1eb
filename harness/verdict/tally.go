package verdict

import (
	"slices"
	"strconv"
	"strings"
)

const (
	// MaxEvidence is the most entries that one judgement is told to rest on.
	MaxEvidence = 20
	// maxProblems is the most judgements that one tally tells.
	maxProblems = 50
)

// Tally collects the judgements on one rule. Its zero value is empty.
type Tally struct {
	held     int
	evidence []uint64
	list     []Judgement
	problems int
	skipped  []string
	unseen   []string
}

// Holds notes what was seen to hold.
func (y *Tally) Holds(entries ...uint64) {
	y.held++
	if len(y.evidence) < MaxEvidence {
		y.evidence = append(y.evidence, entries...)
	}
}

// Held counts what was seen to hold.
func (y *Tally) Held() int { return y.held }

// Problems counts the judgements that are no pass.
func (y *Tally) Problems() int { return y.problems }

// Add notes a judgement that is not a pass.
func (y *Tally) Add(j Judgement) {
	if y.problems++; y.problems > maxProblems {
		return
	}
	slices.Sort(j.Entries)
	j.Entries = slices.Compact(j.Entries)
	y.list = append(y.list, j)
}

// Fail notes that a clause is broken; how to mend it, the clause says.
func (y *Tally) Fail(expected, received string, entries ...uint64) {
	y.FailAs("", expected, received, entries...)
}

// FailAs notes that a clause is broken in one of the ways for which it has a hint of
// its own.
func (y *Tally) FailAs(way, expected, received string, entries ...uint64) {
	y.Add(Judgement{Word: Fail, Way: way, Expected: expected, Received: received, Entries: entries})
}

// Breach notes a broken promise, and which of the clauses that are judged together is
// broken; empty where it is not known. For the way the rule has a hint of its own; empty
// is the usual one.
func (y *Tally) Breach(clause, expected, received, way string, entries ...uint64) {
	y.Add(Judgement{Word: Fail, Clause: clause, Way: way, Expected: expected, Received: received, Entries: entries})
}

// WarnAs notes what is not broken and yet not as it should be. For the way the clause has
// a hint of its own; empty is that of a failure.
func (y *Tally) WarnAs(way, expected, received string, entries ...uint64) {
	y.Add(Judgement{Word: Warning, Way: way, Expected: expected, Received: received, Entries: entries})
}

// ReviewAs notes what only a person can judge. For the way the clause has a hint of its
// own.
func (y *Tally) ReviewAs(way, received string, entries ...uint64) {
	y.Add(Judgement{Word: Review, Way: way, Received: received, Entries: entries})
}

// Open notes what cannot be judged because a part of the tape is missing.
func (y *Tally) Open(what string, entries ...uint64) {
	y.Add(Judgement{
		Word: Inconclusive, Received: what, Entries: entries,
		Hint: "keep a longer tape (more entries or bytes) and run again",
	})
}

// Skip notes what the rule does not hold for.
func (y *Tally) Skip(why string) {
	if !slices.Contains(y.skipped, why) && len(y.skipped) < MaxEvidence {
		y.skipped = append(y.skipped, why)
	}
}

// Unseen notes a part of the rule that has not come up: where the others hold, it is told.
func (y *Tally) Unseen(what string) { y.unseen = append(y.unseen, what) }

// Judgements gives the problems, and one judgement for all that was right. missing
// says what the tape would have to hold for the rule to be reached.
func (y *Tally) Judgements(missing string) []Judgement {
	list := y.list
	if more := y.problems - maxProblems; more > 0 {
		list = append(list, Judgement{Word: Review, Received: strconv.Itoa(more) + " more of the kind"})
	}
	switch {
	case y.held > 0:
		slices.Sort(y.evidence)
		list = append(list, Judgement{
			Word: Pass, Entries: slices.Compact(y.evidence), Received: strconv.Itoa(y.held) + " judged and right",
			Unseen: strings.Join(y.unseen, ", "),
		})
	case len(list) == 0 && len(y.skipped) > 0:
		for _, why := range y.skipped {
			list = append(list, Judgement{Word: NotApplicable, Received: why})
		}
	case len(list) == 0:
		list = append(list, Judgement{Word: NotReached, Received: "the tape has " + missing})
	}
	return list
}

// Exercised gives the problems, and one judgement for all that was right. Where
// there is neither, the rule was not exercised; how it is, its clause says.
func (y *Tally) Exercised() []Judgement {
	if y.held > 0 || len(y.list) > 0 {
		return y.Judgements("")
	}
	if len(y.skipped) == 0 {
		return []Judgement{{Word: NotExercised, Received: NeverUp}}
	}
	var list []Judgement
	for _, why := range y.skipped {
		list = append(list, Judgement{Word: NotExercised, Received: why})
	}
	return list
}

// NeverUp is received where nothing that was seen had to do with a rule.
const NeverUp = "it did not come up"
