package report

import "slices"

// Status is how a scenario or one of its steps ended.
type Status string

// The statuses.
const (
	// Passed: it ran and held.
	Passed Status = "passed"
	// Failed: it ran and did not hold.
	Failed Status = "failed"
	// Skipped: it was not run, on purpose or because an earlier step failed.
	Skipped Status = "skipped"
	// Undefined: no step definition fits the text.
	Undefined Status = "undefined"
	// Pending: the step definition is not written yet.
	Pending Status = "pending"
)

// StatusOf is the status that a player of scenarios calls by this word; whatever
// else it says, the scenario did not hold.
func StatusOf(word string) Status {
	if s := Status(word); slices.Contains([]Status{Passed, Skipped, Undefined, Pending}, s) {
		return s
	}
	return Failed
}
