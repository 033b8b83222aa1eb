package judge

import (
	"slices"

	"paysandbox/harness/observe/trouble"
	"paysandbox/harness/report/words"
	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// leftOver is the trouble that had no turn when the session ended; nothing where there was
// enough of it.
func leftOver(entries []tape.Entry) trouble.Left {
	var left trouble.Left
	for i := range entries {
		if n := trail.NoteOf(&entries[i], trail.NoteWaits, trail.NoteEnough); n.Kind != "" {
			left = trouble.Left{}
			if n.Kind == trail.NoteWaits && !n.Into(&left) {
				left = trouble.Left{}
			}
		}
	}
	return left
}

// turn says which of these clauses had to wait in vain for their trouble, and what to do.
func turn(left *trouble.Left, ids []string) string {
	var short, waiting, awaited []string
	for _, id := range ids {
		if slices.Contains(left.Short, id) {
			short = append(short, id)
		} else if what := left.Waiting[id]; what != "" {
			waiting = append(waiting, id)
			awaited = append(awaited, what)
		}
	}
	said := ""
	if len(short) > 0 {
		said = " The session was too short: it ended before all the trouble that shows " + verdict.Some(short) + " had its turn. Let it go on, or let --until-enough repeat the command"
		if left.Traffic > 0 {
			said += ": it takes at least " + words.Plural(roundUp(left.Traffic), "call or event", "calls and events") + " more"
		}
		said += "."
	}
	if slices.Sort(awaited); len(waiting) > 0 {
		said += " The trouble that shows " + verdict.Some(waiting) + " waits for what did not come: " + verdict.Some(slices.Compact(awaited)) + "."
	}
	return said
}

// roundUp is a number of which nobody knows more than two digits.
func roundUp(n int) int {
	unit := 1
	for n/unit >= 100 {
		unit *= 10
	}
	return (n + unit - 1) / unit * unit
}

// noTurn says of clauses without evidence that their trouble had no turn.
func (j *judging) noTurn() {
	for i := range j.missing {
		m := &j.missing[i]
		switch {
		case m.Why != "":
		case slices.Contains(j.left.Short, m.Clause):
			m.Why = "the session ended before its trouble had its turn"
		case j.left.Waiting[m.Clause] != "":
			m.Why = "its trouble waits for " + j.left.Waiting[m.Clause]
		}
	}
}

// tooShort tells of all clauses without evidence whose trouble had no turn.
func (j *judging) tooShort(notShown []string) []string {
	ids := slices.Clone(notShown)
	for i := range j.missing {
		ids = append(ids, j.missing[i].Clause)
	}
	if said := turn(&j.left, ids); said != "" {
		return []string{said[1:]}
	}
	return nil
}
