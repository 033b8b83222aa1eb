package check

import (
	"fmt"
	"slices"
	"strings"
)

// Status is what a verdict comes to. In JSON it is the text.
type Status string

// The statuses. Pass, Fail, Warning and Review are about what was seen; the
// others say why nothing can be said.
const (
	// Pass: what was promised was seen to hold.
	Pass Status = "pass"
	// Fail: the service broke what it has promised.
	Fail Status = "fail"
	// Warning: nothing is broken, but something is not as it should be.
	Warning Status = "warning"
	// Review: a person has to look at it.
	Review Status = "review"
	// Inconclusive: what is needed has been dropped from the tape.
	Inconclusive Status = "inconclusive"
	// NotApplicable: the rule does not hold here, by choice or on purpose.
	NotApplicable Status = "not-applicable"
	// Disabled: the check was switched off.
	Disabled Status = "disabled"
	// NotExercised: nothing on the tape had to do with a clause of the
	// integration catalogue. It never counts as a pass.
	NotExercised Status = "not-exercised"
	// NotReached: nothing on the tape, or among the options, could be judged.
	NotReached Status = "not-reached"
	// HarnessError: the check itself could not work.
	HarnessError Status = "harness-error"
)

// Statuses lists every status, the gravest first. The status of several verdicts
// together is the gravest of theirs.
func Statuses() []Status {
	return []Status{HarnessError, Fail, Review, Warning, Inconclusive, Pass, NotReached, NotExercised, NotApplicable, Disabled}
}

// Verdict is one judgement.
type Verdict struct {
	// Status is what it comes to.
	Status Status `json:"status"`
	// Clause is the id of the clause that is broken, where the check judges several
	// and knows which; empty otherwise.
	Clause string `json:"clause,omitempty"`
	// Entries are the numbers of the tape entries that it rests on, ascending.
	// Of very many only the first are named.
	Entries []uint64 `json:"entries,omitempty"`
	// Expected and Received are set where something is not as promised, and
	// Received alone where something is not judged: it then says why.
	Expected string `json:"expected,omitempty"`
	Received string `json:"received,omitempty"`
	// Hint says where to look or what to do.
	Hint string `json:"hint,omitempty"`
}

// Text writes the verdict as one line for people.
func (v *Verdict) Text() string {
	parts := []string{string(v.Status)}
	if v.Expected != "" {
		parts = append(parts, "expected "+v.Expected)
	}
	if v.Received != "" {
		parts = append(parts, "received "+v.Received)
	}
	if len(v.Entries) > 0 {
		parts = append(parts, "entries "+strings.Trim(fmt.Sprint(v.Entries), "[]"))
	}
	return strings.Join(parts, "; ")
}

// Result is what one check says about a tape.
type Result struct {
	// Check and Title are the check's.
	Check string `json:"check"`
	Title string `json:"title"`
	// Clauses are the ids of the clauses that it judges.
	Clauses []string `json:"clauses"`
	// Status is the gravest of the verdicts.
	Status Status `json:"status"`
	// Verdicts are the judgements, in the order of the tape.
	Verdicts []Verdict `json:"verdicts"`
}

// gravest is the status of several verdicts together; none come to NotReached.
func gravest(list []Verdict) Status {
	for _, s := range Statuses() {
		if slices.ContainsFunc(list, func(v Verdict) bool { return v.Status == s }) {
			return s
		}
	}
	return NotReached
}
