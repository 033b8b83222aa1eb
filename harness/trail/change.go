package trail

import (
	"strings"

	"paysandbox/mockserver/tape"
)

// SameID compares ids, which are uuids in any case of letters.
func SameID(a, b string) bool { return a != "" && strings.EqualFold(a, b) }

// Changes are the transitions of one machine by their resources, oldest first.
func (t *Trail) Changes(machines ...string) map[string][]*tape.Entry {
	by := map[string][]*tape.Entry{}
	for e := range t.Of(tape.KindTransition) {
		for _, machine := range machines {
			if e.Transition.Machine == machine {
				id := strings.ToLower(e.Transition.Entity)
				by[id] = append(by[id], e)
			}
		}
	}
	return by
}

// LastBefore is the last of changes before an entry, nil for none.
func LastBefore(changes []*tape.Entry, before uint64) *tape.Entry {
	var last *tape.Entry
	for _, e := range changes {
		if e.Seq < before {
			last = e
		}
	}
	return last
}

// FirstInto is the change into a state, nil for none.
func FirstInto(changes []*tape.Entry, state string) *tape.Entry {
	for _, e := range changes {
		if e.Transition.To == state {
			return e
		}
	}
	return nil
}

// CreatedBy gives what each call has created.
func (t *Trail) CreatedBy() map[uint64][]string {
	ids := map[uint64][]string{}
	for e := range t.Of(tape.KindTransition) {
		if e.Transition.From == "" && e.Cause != 0 {
			ids[e.Cause] = append(ids[e.Cause], e.Transition.Entity)
		}
	}
	return ids
}
