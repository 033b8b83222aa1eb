// Package check judges trails. A check is a pure function from a trail to judgements
// with evidence: the numbers of the tape entries that they rest on. It owns the
// registry: what the service has promised is judged below service, what a partner's
// integration owes below partner, each clause by one function, joined with the
// catalogue by its id.
//
// It makes no calls, reads no clock, draws nothing, and knows the server by its tape,
// its OpenAPI document and the clause catalogue only. About what has been dropped
// from a tape it never says pass or fail: it says inconclusive.
package check

import (
	"fmt"
	"runtime"
	"slices"
	"sync"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
)

// Check is one rule that any tape can be held to.
type Check struct {
	// ID is permanent and dotted, for example money.refund.
	ID string
	// Title is the rule in one sentence.
	Title string
	// Clauses are the ids of the clauses that the check judges.
	Clauses []string
	// Run judges a trail, changes nothing, and gives the same judgements for the same
	// trail.
	Run trail.Judge
}

// Result is what one check says about a tape.
type Result struct {
	// Check and Title are the check's.
	Check string `json:"check"`
	Title string `json:"title"`
	// Clauses are the ids of the clauses that it judges.
	Clauses []string `json:"clauses"`
	// Word is the gravest of the judgements.
	Word verdict.Word `json:"status"`
	// Judgements are in the order of the tape.
	Judgements []verdict.Judgement `json:"verdicts"`
}

// Judge holds a trail to checks, several at a time, and gives the results in their
// order. Those whose ids are among off are
// switched off.
func Judge(t *trail.Trail, checks []Check, off ...string) []Result {
	results := make([]Result, len(checks))
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var all sync.WaitGroup
	for i := range checks {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			if c := &checks[i]; slices.Contains(off, c.ID) {
				results[i] = c.result(verdict.Judgement{Word: verdict.Disabled, Received: "the check was switched off"})
			} else {
				results[i] = c.Judge(t)
			}
		})
	}
	all.Wait()
	return results
}

// Judge holds a trail to the check. One that panics is a HarnessError.
func (c *Check) Judge(t *trail.Trail) Result { return c.result(c.guarded(t)...) }

func (c *Check) result(list ...verdict.Judgement) Result {
	return Result{Check: c.ID, Title: c.Title, Clauses: slices.Clone(c.Clauses), Word: verdict.Of(list), Judgements: list}
}

// guarded runs the check. What panics judges nothing.
func (c *Check) guarded(t *trail.Trail) (list []verdict.Judgement) {
	defer func() {
		if problem := recover(); problem != nil {
			list = []verdict.Judgement{verdict.Broken(fmt.Sprintf("the check %s panicked: %v", c.ID, problem))}
		}
	}()
	return c.Run(t)
}
