package readiness

import (
	"paysandbox/harness/report"
	"paysandbox/harness/report/words"
)

// WarningTitle names what a warning is about: the clause, and the member.
func WarningTitle(w report.Warning) string {
	if w.Title == "" {
		return w.Clause + words.After(" ", w.Pointer)
	}
	return w.Title + words.After(" ", w.Pointer) + " (" + w.Clause + ")"
}

// WarningEntries are the first calls that were warned of, as numbers of the tape.
func WarningEntries(w report.Warning) string {
	e := report.Evidence{Entries: w.Entries, MoreEntries: w.Count - len(w.Entries)}
	return e.Numbers()
}
