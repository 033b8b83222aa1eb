package report

import (
	"cmp"
	"slices"
	"sync"

	"paysandbox/harness/report/redact"
)

// Collector is a sink that makes a report. Its methods may be called from
// several goroutines. The zero value is not ready: use [NewCollector].
type Collector struct {
	redactor *redact.Redactor

	mu        sync.Mutex
	run       Run
	end       RunEnd
	scenarios map[ScenarioRef]*ScenarioResult
	judged    map[string][]ClauseResult
}

// NewCollector makes a collector that strikes out secrets with a redactor; nil
// stands for a fresh one, which knows the shapes of secrets but no values.
func NewCollector(redactor *redact.Redactor) *Collector {
	if redactor == nil {
		redactor = redact.New()
	}
	return &Collector{
		redactor:  redactor,
		scenarios: map[ScenarioRef]*ScenarioResult{},
		judged:    map[string][]ClauseResult{},
	}
}

// RunStarted takes what is going to run.
func (c *Collector) RunStarted(e Run) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.run = e
	c.run.Notes = strikeTexts(e.Notes, c.redactor.Text)
	c.run.Target, c.run.Observed, c.run.Command = c.redactor.Text(e.Target), c.redactor.Text(e.Observed), c.redactor.Text(e.Command)
}

// ScenarioStarted takes the beginning of a scenario.
func (c *Collector) ScenarioStarted(e ScenarioStart) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.scenario(e.ScenarioRef)
	s.Feature, s.Tags = c.redactor.Text(e.Feature), slices.Clone(e.Tags)
}

// StepFinished takes the end of a step.
func (c *Collector) StepFinished(at ScenarioRef, e Step) {
	e.Text, e.Error = c.redactor.Text(e.Text), c.redactor.Text(e.Error)
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.scenario(at)
	s.Steps = append(s.Steps, e)
}

// ScenarioFinished takes the end of a scenario.
func (c *Collector) ScenarioFinished(at ScenarioRef, e ScenarioEnd) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.scenario(at)
	s.Status, s.Duration = e.Status, e.Duration
	s.Error, s.Skip = c.redactor.Text(e.Error), c.redactor.Text(e.Skip)
}

// ClauseJudged takes one judgement of a clause, and keeps no more of it than a
// report does.
func (c *Collector) ClauseJudged(e ClauseResult) {
	e = shorter(strikeClause(fewer(e), c.redactor.Text))
	slices.SortStableFunc(e.Scenarios, compareRefs)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.judged[e.ID] = append(c.judged[e.ID], e)
}

// RunFinished takes the end of the run.
func (c *Collector) RunFinished(e RunEnd) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.end = e
	c.end.Reason = c.redactor.Text(e.Reason)
	c.end.Readiness = e.Readiness.clone(c.redactor.Text)
}

// scenario is where a scenario is kept; the caller holds the lock. A scenario
// that never ends stays a failed one.
func (c *Collector) scenario(at ScenarioRef) *ScenarioResult {
	s := c.scenarios[at]
	if s == nil {
		named := ScenarioRef{at.File, at.Line, c.redactor.Text(at.Name)}
		s = &ScenarioResult{ScenarioRef: named, Status: Failed, Error: "the scenario did not end"}
		c.scenarios[at] = s
	}
	return s
}

// Report is what was collected so far, in its stable order. Values that were
// registered with the redactor since are struck out too. The caller owns it.
func (c *Collector) Report() *Report {
	c.mu.Lock()
	defer c.mu.Unlock()
	strike := c.redactor.Known // the shapes went when they were captured
	r := &Report{
		Tool: c.run.Tool, Version: c.run.Version, Kind: c.run.Kind, Seed: c.run.Seed, Started: c.run.Started.UTC(),
		Target: strike(c.run.Target), Observed: strike(c.run.Observed), Command: strike(c.run.Command), Notes: strikeTexts(c.run.Notes, strike),
		Duration: c.end.Duration, Verdict: c.end.Verdict, ExitCode: c.end.ExitCode, Reason: strike(c.end.Reason),
		Clauses: make([]ClauseResult, 0, len(c.judged)), Scenarios: make([]ScenarioResult, 0, len(c.scenarios)),
	}
	if c.end.Kill != nil {
		r.Kill = new(*c.end.Kill)
	}
	r.Readiness = c.end.Readiness.clone(strike)
	for _, judgements := range c.judged {
		r.Clauses = append(r.Clauses, strikeClause(merge(judgements), strike))
	}
	for _, s := range c.scenarios {
		r.Scenarios = append(r.Scenarios, strikeScenario(*s, strike))
	}
	slices.SortStableFunc(r.Clauses, func(a, b ClauseResult) int {
		return cmp.Or(cmp.Compare(a.Area, b.Area), cmp.Compare(a.ID, b.ID))
	})
	slices.SortStableFunc(r.Scenarios, func(a, b ScenarioResult) int { return compareRefs(a.ScenarioRef, b.ScenarioRef) })
	return r
}

// compareRefs orders by file, line and name.
func compareRefs(a, b ScenarioRef) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Name, b.Name))
}
