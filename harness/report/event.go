package report

import (
	"time"

	"paysandbox/harness/verdict"
)

// Sink takes the events of one run. RunStarted comes first and RunFinished last;
// in between events of different scenarios may come from different goroutines
// and mixed, those of one scenario in their order.
type Sink interface {
	// RunStarted tells what is going to run.
	RunStarted(Run)
	// ScenarioStarted tells that a scenario began.
	ScenarioStarted(ScenarioStart)
	// StepFinished tells that a step of a scenario ended.
	StepFinished(ScenarioRef, Step)
	// ScenarioFinished tells how a scenario ended.
	ScenarioFinished(ScenarioRef, ScenarioEnd)
	// ClauseJudged tells one judgement of a clause; a clause can be judged by
	// many scenarios, and after the last of them.
	ClauseJudged(ClauseResult)
	// RunFinished tells how the run ended.
	RunFinished(RunEnd)
}

// Run is what is known before the first scenario; see the members of the same
// names of [Report].
type Run struct {
	Tool, Version, Kind, Target, Observed, Command string
	Seed                                           uint64
	Started                                        time.Time
	Notes                                          []string
	// Planned is the number of scenarios that are going to run.
	Planned int
}

// ScenarioStart is what is known of a scenario before its first step.
type ScenarioStart struct {
	ScenarioRef
	// Feature is the feature's name.
	Feature string
	// Tags are the scenario's tags, its rule's and its feature's, with their @.
	Tags []string
}

// ScenarioEnd is how a scenario ended; see the members of the same names of
// [ScenarioResult].
type ScenarioEnd struct {
	Status      Status
	Duration    time.Duration
	Error, Skip string
}

// RunEnd is how a run ended; see the members of the same names of [Report].
type RunEnd struct {
	Duration time.Duration
	Verdict  verdict.Word
	ExitCode int
	Reason   string
	Kill     *Kill
	// Readiness belongs to a run that judges a partner's integration.
	Readiness *Readiness
}

// EndOf is how a run ends with this outcome; reason may be empty.
func EndOf(o verdict.Outcome, reason string) RunEnd {
	return RunEnd{Verdict: o.Word(), ExitCode: o.Code(), Reason: reason}
}

// tee gives each event to several sinks.
type tee []Sink

// Tee is a sink that gives each event to all of these, in this order.
func Tee(sinks ...Sink) Sink { return append(tee(nil), sinks...) }

func (t tee) each(tell func(s Sink)) {
	for _, s := range t {
		tell(s)
	}
}

func (t tee) RunStarted(e Run) { t.each(func(s Sink) { s.RunStarted(e) }) }

func (t tee) ScenarioStarted(e ScenarioStart) { t.each(func(s Sink) { s.ScenarioStarted(e) }) }

func (t tee) StepFinished(at ScenarioRef, e Step) { t.each(func(s Sink) { s.StepFinished(at, e) }) }

func (t tee) ScenarioFinished(at ScenarioRef, e ScenarioEnd) {
	t.each(func(s Sink) { s.ScenarioFinished(at, e) })
}

func (t tee) ClauseJudged(e ClauseResult) { t.each(func(s Sink) { s.ClauseJudged(e) }) }

func (t tee) RunFinished(e RunEnd) { t.each(func(s Sink) { s.RunFinished(e) }) }
