package report

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
