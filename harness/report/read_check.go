package report

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"paysandbox/harness/report/words"
)

// check holds the values to what the writers and the comparison rely on.
func (r *Report) check() error {
	if r.Verdict != "" && r.Verdict.Rank() < 0 {
		return fmt.Errorf("its verdict %q is not known", words.Clip(string(r.Verdict)))
	}
	if year := r.Started.UTC().Year(); year < 1 || year > 9999 {
		return fmt.Errorf("it started in the year %d", year)
	}
	r.Started = r.Started.UTC()
	if err := cmp.Or(r.checkReadiness(), r.checkClauses(), r.checkTimes()); err != nil {
		return err
	}
	if r.Verdict == "" {
		return errors.New("it has no verdict") // its exit code 0 would read as a gate that is met
	}
	return nil
}

// checkReadiness refuses lists that are too long, and negative numbers.
func (r *Report) checkReadiness() error {
	q := r.Readiness
	if q == nil {
		return nil
	}
	if max(len(q.Blocking), len(q.NotShown), len(q.Missing), len(q.Attempts), len(q.Digests), len(q.Warnings), len(q.Invisible), len(q.Choices)) > maxList {
		return fmt.Errorf("its readiness has lists of more than %d", maxList)
	}
	if slices.ContainsFunc(q.Attempts, func(a Attempt) bool { return a.Armed < 0 || a.Met < 0 }) {
		return errors.New("something was tried less than no times")
	}
	if slices.ContainsFunc(q.Warnings, func(w Warning) bool { return w.Count < len(w.Entries) }) {
		return errors.New("a warning was received less often than it is told")
	}
	return nil
}

// checkClauses refuses too many clauses, one twice, and values that there are not.
func (r *Report) checkClauses() error {
	if len(r.Clauses) > maxList {
		return fmt.Errorf("it has %d clauses, more than %d", len(r.Clauses), maxList)
	}
	seen := make(map[string]bool, len(r.Clauses))
	for _, c := range r.Clauses {
		switch {
		case c.ID == "":
			return errors.New("a clause has no id")
		case seen[c.ID]:
			return fmt.Errorf("the clause %q stands twice", words.Clip(c.ID))
		case c.Verdict.Rank() < 0:
			return fmt.Errorf("the verdict %q of the clause %q is not known", words.Clip(string(c.Verdict)), words.Clip(c.ID))
		case c.MoreEvidence < 0 || slices.ContainsFunc(c.Evidence, func(e Evidence) bool { return e.MoreEntries < 0 }):
			return fmt.Errorf("the clause %q has less than no evidence", words.Clip(c.ID))
		case c.Spanned < 0:
			return fmt.Errorf("the clause %q took less than no time", words.Clip(c.ID))
		}
		seen[c.ID] = true
	}
	return nil
}

// checkTimes refuses negative durations, and statuses that there are not.
func (r *Report) checkTimes() error {
	known := []Status{Passed, Failed, Skipped, Undefined, Pending}
	if r.Duration < 0 {
		return errors.New("it took less than no time")
	}
	for _, s := range r.Scenarios {
		if s.Duration < 0 || !slices.Contains(known, s.Status) {
			return fmt.Errorf("the scenario %s:%d has the status %q and took %d ns", words.Clip(s.File), s.Line, words.Clip(string(s.Status)), int64(s.Duration))
		}
		for _, x := range s.Steps {
			if x.Duration < 0 || !slices.Contains(known, x.Status) {
				return fmt.Errorf("a step of the scenario %s:%d has the status %q and took %d ns", words.Clip(s.File), s.Line, words.Clip(string(x.Status)), int64(x.Duration))
			}
		}
	}
	return nil
}
