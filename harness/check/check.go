package check

import (
	"fmt"
	"slices"

	"paysandbox/harness/verdict"
)

// Check is one rule that any tape can be held to.
type Check struct {
	// ID is permanent and dotted, for example money.refund.
	ID string
	// Title is the rule in one sentence.
	Title string
	// Clauses are the ids of the clauses of the service catalogue that the check
	// judges.
	Clauses []string
	// Run judges a tape, changes nothing, and gives the same verdicts for the
	// same tape and options.
	Run func(t *Tape) []verdict.Judgement
}

// Standing lists the checks that hold for every tape, always in the same order.
func Standing() []Check {
	return slices.Concat(
		wireChecks(), authChecks(), machineChecks(), eventChecks(), deliveryChecks(), moneyChecks(), tapeChecks(),
	)
}

// Judge holds a tape to every standing check, in their order.
func Judge(t *Tape) []Result {
	checks := Standing()
	results := make([]Result, len(checks))
	for i := range checks {
		results[i] = checks[i].Judge(t)
	}
	return results
}

// Judge holds a tape to the check. One that was switched off is Disabled, one
// that panics a HarnessError.
func (c *Check) Judge(t *Tape) Result {
	r := Result{Check: c.ID, Title: c.Title, Clauses: slices.Clone(c.Clauses)}
	if slices.Contains(t.opts.Off, c.ID) {
		r.Judgements = []verdict.Judgement{{Word: verdict.Disabled, Received: "the check was switched off"}}
	} else {
		r.Judgements = c.guarded(t)
	}
	r.Word = verdict.Of(r.Judgements)
	return r
}

// guarded runs the check. What panics judges nothing.
func (c *Check) guarded(t *Tape) (list []verdict.Judgement) {
	defer func() {
		if problem := recover(); problem != nil {
			list = []verdict.Judgement{harnessError(fmt.Sprintf("the check %s panicked: %v", c.ID, problem))}
		}
	}()
	return c.Run(t)
}

// harnessError says that a check could not work.
func harnessError(what string) verdict.Judgement {
	return verdict.Judgement{Word: verdict.HarnessError, Received: what, Hint: "this says nothing about the service: report it to whoever runs the harness"}
}
