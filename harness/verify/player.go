package verify

import (
	"context"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cucumber/godog"

	"paysandbox/harness/report"
	"paysandbox/harness/steps"
	"paysandbox/harness/verdict"
)

// player plays the scenarios and tells what comes of them.
type player struct {
	now      func() time.Time
	sink     report.Sink
	ledger   *ledger
	standing *standing
	failFast bool
	// control says that scenarios choose for the service what the specification leaves open.
	control bool
	plan    *Plan

	scenarios map[string]*Scenario
	// failed is set by the first failure; over counts the scenarios that came to
	// an end.
	failed atomic.Bool
	over   atomic.Int64
	err    struct {
		sync.Mutex
		first error
	}
}

// play runs the scenarios that were not laid aside, and says whether all of them
// came to an end.
func (p *player) play(ctx context.Context, c *choice, world steps.Config, atOnce int) error {
	p.scenarios = map[string]*Scenario{}
	for i := range c.scenarios {
		s := &c.scenarios[i]
		if s.skip == "" {
			p.scenarios[s.id] = s
			continue
		}
		p.sink.ScenarioStarted(report.ScenarioStart{ScenarioRef: s.ScenarioRef, Feature: s.Feature, Tags: s.Tags})
		p.laidAside(s, s.verdict, s.skip)
	}
	if len(p.scenarios) == 0 {
		return nil
	}
	suite := godog.TestSuite{
		Name: "verify",
		TestSuiteInitializer: func(sc *godog.TestSuiteContext) {
			hooks := sc.ScenarioContext()
			hooks.Before(p.begin)
			hooks.After(p.end) // before the steps' own, which takes the integration away
			hooks.StepContext().Before(p.stepBegins)
			hooks.StepContext().After(p.stepEnds)
			steps.Register(hooks, world)
		},
		Options: &godog.Options{
			FeatureContents: c.files, Strict: true, Concurrency: atOnce, Format: "progress", Output: io.Discard, NoColors: true,
			DefaultContext: ctx,
		},
	}
	suite.Run() // what came of it is counted below
	p.err.Lock()
	defer p.err.Unlock()
	if over := p.over.Load(); p.err.first == nil && over != int64(len(p.scenarios)) {
		return fmt.Errorf("%w: %d of %d scenarios came to an end", ErrTarget, over, len(p.scenarios))
	}
	return p.err.first
}

// take is one scenario under way. Its steps run one after the other.
type take struct {
	scenario *Scenario
	trace    *trace
	began    time.Time
	step     time.Time
	done     int
	over     bool
}

type takeKey struct{}

// of gives the scenario under way, nil where it is not played.
func of(ctx context.Context) *take {
	t, _ := ctx.Value(takeKey{}).(*take)
	return t
}

// begin finds out which scenario this is, and whether it is played.
func (p *player) begin(ctx context.Context, sc *godog.Scenario) (context.Context, error) {
	s := p.scenarios[sc.Id]
	if s == nil {
		return ctx, godog.ErrSkip // not chosen
	}
	if s.File != sc.Uri || s.Name != sc.Name {
		p.broke(fmt.Errorf("%w: the player and the filter do not agree on %s: %s", ErrTarget, sc.Uri, sc.Name))
		return ctx, godog.ErrSkip
	}
	p.sink.ScenarioStarted(report.ScenarioStart{ScenarioRef: s.ScenarioRef, Feature: s.Feature, Tags: s.Tags})
	why := ""
	switch {
	case ctx.Err() != nil:
		why = "the run was interrupted"
	case p.failFast && p.failed.Load():
		why = "an earlier scenario failed, and the run was to end with the first failure"
	}
	if why != "" {
		p.over.Add(1)
		p.laidAside(s, verdict.NotReached, why)
		return ctx, godog.ErrSkip
	}
	t := &take{scenario: s, trace: p.standing.trace(s), began: p.now()}
	return context.WithValue(traced(ctx, t.trace), takeKey{}, t), nil
}

// laidAside tells of a scenario that is not played.
func (p *player) laidAside(s *Scenario, word verdict.Word, why string) {
	for _, step := range s.steps {
		p.sink.StepFinished(s.ScenarioRef, step)
	}
	p.sink.ScenarioFinished(s.ScenarioRef, report.ScenarioEnd{Status: report.Skipped, Skip: why})
	for _, id := range s.Clauses {
		p.ledger.add(report.ClauseResult{ID: id, Verdict: word, Reason: why, Scenarios: []report.ScenarioRef{s.ScenarioRef}})
	}
}

func (p *player) stepBegins(ctx context.Context, _ *godog.Step) (context.Context, error) {
	if t := of(ctx); t != nil {
		t.step = p.now()
	}
	return ctx, nil
}

func (p *player) stepEnds(ctx context.Context, _ *godog.Step, status godog.StepResultStatus, err error) (context.Context, error) {
	t := of(ctx)
	if t == nil || t.over || t.done >= len(t.scenario.steps) {
		return ctx, nil
	}
	step := t.scenario.steps[t.done]
	t.done++
	step.Status, step.Duration = report.StatusOf(status.String()), p.now().Sub(t.step)
	if err != nil {
		step.Error = p.text(t, err)
	}
	p.sink.StepFinished(t.scenario.ScenarioRef, step)
	return ctx, nil
}

// end judges a scenario after its last step, or after the one that failed.
func (p *player) end(ctx context.Context, _ *godog.Scenario, err error) (context.Context, error) {
	t := of(ctx)
	if t == nil || t.over {
		return ctx, nil
	}
	t.over = true
	for _, step := range t.scenario.steps[t.done:] {
		p.sink.StepFinished(t.scenario.ScenarioRef, step)
	}
	found, broken := p.standing.judge(ctx, t.trace, t.scenario)
	word := verdictOf(ctx, err)
	if err == nil && broken != nil {
		err, word = broken, verdict.HarnessError
		if ctx.Err() != nil {
			word = verdict.NotReached
		}
	}
	p.tell(t, word, err)
	for i := range found {
		p.found(t, &found[i])
	}
	p.over.Add(1)
	return ctx, nil
}

// broke keeps the first mistake of the harness itself.
func (p *player) broke(err error) {
	p.err.Lock()
	defer p.err.Unlock()
	if p.err.first == nil {
		p.err.first = err
	}
}
