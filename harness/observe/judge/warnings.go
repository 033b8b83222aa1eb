package judge

import (
	"cmp"
	"slices"
	"strings"

	"paysandbox/harness/clause"
	"paysandbox/harness/report"
	"paysandbox/mockserver/tape"
)

// Of the kinds of warnings a report names so many, and of each kind so many calls.
const (
	mostWarnings = 50
	firstEntries = 5
)

// warnings are what the service has warned the application of, grouped by clause and
// member, the most frequent first; more counts the kinds that are left out. Calls that
// were wrong on purpose, or made by hand, are not the application's, nor are those by which
// a test plays people and banks.
func (j *judging) warnings() (list []report.Warning, more int) {
	own, byHand := j.tape.Own(), j.tape.ByHand()
	groups := map[[2]string]*report.Warning{}
	for e := range own.Of(tape.KindFinding) {
		if call := own.Entry(e.Cause); call == nil || call.Kind == tape.KindControl || slices.Contains(byHand, e.Cause) {
			continue
		}
		for i := range e.Findings {
			if f := &e.Findings[i]; f.Advisory {
				at := [2]string{f.Clause, anyPlace(f.Pointer)}
				w := groups[at]
				if w == nil {
					c, _ := clause.Lookup(f.Clause)
					w = &report.Warning{Clause: f.Clause, Title: c.Title, Pointer: at[1], Expected: f.Expected, Fix: f.Fix}
					groups[at] = w
				}
				count(w, e.Cause)
			}
		}
	}
	for _, w := range groups {
		list = append(list, *w)
	}
	slices.SortStableFunc(list, func(a, b report.Warning) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Clause, b.Clause), cmp.Compare(a.Pointer, b.Pointer))
	})
	if more = len(list) - mostWarnings; more > 0 {
		return list[:mostWarnings], more
	}
	return list, 0
}

// count notes a call that was warned of; several findings of a kind in one call are
// one.
func count(w *report.Warning, call uint64) {
	if n := len(w.Entries); n > 0 && w.Entries[n-1] == call {
		return
	}
	w.Count++
	if len(w.Entries) < firstEntries {
		w.Entries = append(w.Entries, call)
	}
}

// anyPlace is a pointer in which a star stands for the places in lists.
func anyPlace(pointer string) string {
	parts := strings.Split(pointer, "/")
	for i, p := range parts {
		if p != "" && strings.Trim(p, "0123456789") == "" {
			parts[i] = "*"
		}
	}
	return strings.Join(parts, "/")
}

// invisible is what traffic cannot show, with who looks instead.
func invisible() []report.Invisible {
	var list []report.Invisible
	for _, x := range clause.NotVisible() {
		instead := x.Instead
		if x.Journey != "" {
			instead = "live the journey " + x.Journey + ", which says what is meant: paysandbox observe " + x.Journey
		}
		list = append(list, report.Invisible{Title: x.Title, Instead: instead})
	}
	return list
}
