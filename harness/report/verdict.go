package report

// Verdict is what was found out about a clause, or about a whole run.
type Verdict string

// The verdicts, the most telling first: where one clause was judged several
// times, the earlier one in this list stands.
const (
	// Fail: the clause was broken.
	Fail Verdict = "fail"
	// HarnessError: the harness or the way to the target broke.
	HarnessError Verdict = "harness-error"
	// Inconclusive: the evidence was too little to tell.
	Inconclusive Verdict = "inconclusive"
	// Review: a person has to look.
	Review Verdict = "review"
	// Warning: an advice was not followed; nothing is broken.
	Warning Verdict = "warning"
	// Pass: the clause was judged, and held.
	Pass Verdict = "pass"
	// NotReached: the run could not get to where the clause is judged.
	NotReached Verdict = "not-reached"
	// NotApplicable: the clause is not about this target.
	NotApplicable Verdict = "not-applicable"
	// Disabled: the clause was switched off by name.
	Disabled Verdict = "disabled"
	// NotExercised: nothing in the run had to do with the clause.
	NotExercised Verdict = "not-exercised"
)

// Verdicts lists the verdicts, the most telling first.
func Verdicts() []Verdict {
	return []Verdict{
		Fail, HarnessError, Inconclusive, Review, Warning, Pass,
		NotReached, NotApplicable, Disabled, NotExercised,
	}
}

// rank is the verdict's place among the verdicts; unknown ones come first, so
// that a mistake is seen.
func (v Verdict) rank() int {
	for i, known := range Verdicts() {
		if v == known {
			return i
		}
	}
	return -1
}

// Word is the verdict as people read it: what was never exercised has no
// evidence, whatever a machine calls it.
func (v Verdict) Word() string {
	if v == NotExercised {
		return "no evidence"
	}
	return string(v)
}

// Judged tells whether the verdict says something about the clause: it passed,
// failed, drew a warning or needs a person.
func (v Verdict) Judged() bool {
	return v == Pass || v == Fail || v == Warning || v == Review
}

// Trouble tells whether somebody has to act on the verdict.
func (v Verdict) Trouble() bool {
	return v == Fail || v == HarnessError || v == Inconclusive || v == Review || v == Warning
}

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
