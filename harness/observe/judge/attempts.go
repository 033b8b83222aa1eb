package judge

import (
	"slices"

	"paysandbox/harness/clause"
	"paysandbox/harness/observe/trouble"
	"paysandbox/harness/report"
	"paysandbox/mockserver/tape"
)

// attempts counts how often trouble was armed for each clause, and how often
// traffic met it before the next trouble of the same kind.
func attempts(entries []tape.Entry, filter *clause.Filter) []report.Attempt {
	type open struct {
		trouble.Note
		met bool
	}
	var list []*open
	for i := range entries {
		if a, is := trouble.NoteOf(&entries[i]); is {
			list = append(list, &open{Note: a})
			continue
		}
		// The latest one that fits: trouble of a kind replaces what was there.
		for k := len(list) - 1; k >= 0; k-- {
			if list[k].Meets(&entries[i]) {
				list[k].met = true
				break
			}
		}
	}
	var counts []report.Attempt
	for _, c := range clause.Integration() {
		n := report.Attempt{Clause: string(c.ID)}
		for _, a := range list {
			if !slices.Contains(a.About(), string(c.ID)) {
				continue
			}
			n.Armed++
			if a.met {
				n.Met++
			}
		}
		if n.Armed > 0 && filter.Takes(string(c.ID)) {
			counts = append(counts, n)
		}
	}
	return counts
}
