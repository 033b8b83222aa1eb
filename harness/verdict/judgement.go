package verdict

import (
	"fmt"
	"strings"
)

// Judgement is one thing that was found out, with what it rests on.
type Judgement struct {
	// Word is what it comes to.
	Word Word `json:"status"`
	// Clause is the id of the clause that is broken, where several are judged
	// together and it is known which; empty otherwise.
	Clause string `json:"clause,omitempty"`
	// Entries are the numbers of the tape entries that it rests on, ascending.
	// Of very many only the first are named.
	Entries []uint64 `json:"entries,omitempty"`
	// Expected and Received are set where something is not as promised, and
	// Received alone where something is not judged: it then says why.
	Expected string `json:"expected,omitempty"`
	Received string `json:"received,omitempty"`
	// Unseen is set where something holds as far as it was seen, and says what of the rule
	// has not come up, with commas between several.
	Unseen string `json:"unseen,omitempty"`
	// Hint says where to look or what to do.
	Hint string `json:"hint,omitempty"`
	// Way names the hint of the clause that belongs here, empty for its usual one; whoever
	// joins the check with its clause puts the hint in its place.
	Way string `json:"-"`
}

// Text writes the judgement as one line for people.
func (j *Judgement) Text() string {
	parts := []string{string(j.Word)}
	if j.Expected != "" {
		parts = append(parts, "expected "+j.Expected)
	}
	if j.Received != "" {
		parts = append(parts, "received "+j.Received)
	}
	if j.Unseen != "" {
		parts = append(parts, "not seen: "+j.Unseen)
	}
	if len(j.Entries) > 0 {
		parts = append(parts, "entries "+strings.Trim(fmt.Sprint(j.Entries), "[]"))
	}
	return strings.Join(parts, "; ")
}

// Of is what several judgements come to together; none come to NotReached.
func Of(list []Judgement) Word {
	if len(list) == 0 {
		return NotReached
	}
	words := make([]Word, len(list))
	for i := range list {
		words[i] = list[i].Word
	}
	return Gravest(words...)
}

// DoesNotApply is all that is said of a rule that a choice has switched off.
func DoesNotApply(why string) []Judgement {
	return []Judgement{{Word: NotApplicable, Received: why}}
}

// Broken says that something could not be judged because the harness could not work.
func Broken(what string) Judgement {
	return Judgement{Word: HarnessError, Received: what, Hint: "this says nothing about the service: report it to whoever runs the harness"}
}
