package judge

import (
	"slices"

	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// labelled takes the entries with a label and what nobody has labelled, but for calls, and
// for what became of payments that others have asked for. A token that was asked for
// without a label may be shared, and is taken where a call with the label bears it. Where no
// call has the label, nothing is left to be judged.
func labelled(entries []tape.Entry, label string) []tape.Entry {
	if label == "" {
		return entries
	}
	if calls(entries, label) == 0 {
		return nil
	}
	var list []tape.Entry
	o := others(entries, label)
	taken := map[uint64]bool{}
	for n := range entries {
		e := &entries[n]
		if e.Label == label || e.Label == "" && (e.Cause == 0 || taken[e.Cause]) && o.share(e) {
			list = append(list, *e)
			taken[e.Seq] = true
		}
	}
	return list
}

// strange is what on a tape is only others', and the tokens that are not.
type strange struct {
	// things are payments, and the events about them.
	things map[string]bool
	tokens map[string]bool
}

// others looks for what belongs to others than those with a label.
func others(entries []tape.Entry, label string) *strange {
	s := &strange{things: map[string]bool{}, tokens: map[string]bool{}}
	calls := map[uint64]bool{}
	for i := range entries {
		e := &entries[i]
		switch {
		case e.Label == label && e.Exchange != nil:
			s.tokens[e.Exchange.Token] = true
		case e.Kind == tape.KindExchange:
			calls[e.Seq] = true
		case e.Transition != nil && e.Transition.Machine == "payment" && e.Transition.From == "":
			s.things[e.Transition.Entity] = calls[e.Cause]
		case e.Event != nil:
			s.things[e.Event.ID] = s.about(e)
		}
	}
	return s
}

func (s *strange) about(e *tape.Entry) bool {
	return slices.ContainsFunc(e.Entities, func(id string) bool { return s.things[id] })
}

// share says whether an entry that nobody has labelled may be for those with the label, too.
func (s *strange) share(e *tape.Entry) bool {
	if e.Kind != tape.KindExchange {
		return !s.about(e)
	}
	return e.Exchange != nil && trail.OperationOf(e.Exchange).Token && s.tokens[e.Exchange.Token]
}
