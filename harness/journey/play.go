package journey

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/cucumber/godog"

	"paysandbox/harness/journey/story"
	"paysandbox/harness/journey/task"
	"paysandbox/harness/report"
)

// Play plays the journeys of a plan one after the other on one integration. After
// one in which an application that was waited for has called nothing at all, the
// others are not played. The error is about the play itself; what came of a journey is in its Played.
func Play(ctx context.Context, p Plan) ([]Played, error) {
	all, err := read(p.Scenarios)
	if err != nil {
		return nil, err
	}
	chosen, err := choose(all, p.Names, func(s *script) string { return s.Name })
	if err != nil {
		return nil, err
	}
	number, before := 0, map[string]int{}
	list := make([]Played, 0, len(chosen))
	for _, s := range chosen {
		played, err := playOne(ctx, &p, s, &number, before[s.Name])
		before[s.Name]++
		list = append(list, played)
		if err != nil {
			return list, err
		}
		if p.Patience > 0 && played.silent {
			if len(list) < len(chosen) {
				p.Progresses(fmt.Sprintf("nobody has called anything in the journey %s: the others are not played", s.Name))
			}
			break
		}
	}
	return list, nil
}

// Choose finds the journeys that are named, in the order of the names; none means
// all.
func Choose(all []Journey, names []string) ([]Journey, error) {
	return choose(all, names, func(j *Journey) string { return j.Name })
}

func choose[J any](all []J, names []string, nameOf func(*J) string) ([]J, error) {
	if len(names) == 0 {
		return all, nil
	}
	var list []J
	for _, name := range names {
		found := false
		for i := range all {
			if nameOf(&all[i]) == name {
				list, found = append(list, all[i]), true
			}
		}
		if !found {
			return nil, fmt.Errorf("%w: %q", ErrUnknown, name)
		}
	}
	return list, nil
}

// take is one journey under way.
type take struct {
	plan   *Plan
	script script
	story  *story.Story
	played Played
	done   int
	began  time.Time
	step   time.Time
}

// playOne plays one journey in a suite of its own. One that was played before has
// other people and references: the service knows the first ones.
func playOne(ctx context.Context, p *Plan, s script, number *int, before int) (Played, error) {
	t := &take{plan: p, script: s, story: story.New(&p.Setting, number, s.Name+strings.Repeat(" again", before)), played: Played{Journey: s.Journey}, began: p.Now()}
	if err := t.story.Tape.Begin(ctx); err != nil {
		t.played.Err = err
		return t.played, err
	}
	t.played.From = t.story.Tape.Seen
	t.tell(func(sink report.Sink) {
		sink.ScenarioStarted(report.ScenarioStart{ScenarioRef: s.Ref, Feature: s.Title, Tags: s.tags})
	})
	chosen, err := choices(ctx, p.Stage)
	if err != nil {
		t.played.Err = err
		played, _ := t.end(ctx)
		return played, err
	}
	if err := s.impossible(chosen); err != nil {
		first := s.steps[0]
		t.played.Err, t.played.Step = err, first.Keyword+" "+first.Text
		return t.end(ctx)
	}
	t.says("begins: " + s.Story)
	suite := godog.TestSuite{
		Name: "journey",
		TestSuiteInitializer: func(sc *godog.TestSuiteContext) {
			hooks := sc.ScenarioContext()
			hooks.Before(t.begin)
			hooks.StepContext().Before(t.stepBegins)
			hooks.StepContext().After(t.stepEnds)
			story.Register(hooks)
		},
		Options: &godog.Options{
			FeatureContents: []godog.Feature{s.file}, Strict: true, Concurrency: 1, Format: "progress", Output: io.Discard,
			NoColors: true, DefaultContext: ctx,
		},
	}
	status := suite.Run()
	if t.played.Err == nil && (status != 0 || t.done != len(s.steps)) {
		t.played.Err = fmt.Errorf("%w: %d of %d steps of %s were played", errPlayer, t.done, len(s.steps), s.Name)
	}
	return t.end(ctx)
}

var errPlayer = errors.New("the player came to no end")

// says lets a person know how far the journeys are.
func (t *take) says(what string) {
	t.plan.Progresses("journey " + t.script.Name + " " + what)
}

// tell gives an event to the sink, if there is one.
func (t *take) tell(event func(report.Sink)) {
	if t.plan.Sink != nil {
		event(t.plan.Sink)
	}
}

func (t *take) begin(ctx context.Context, _ *godog.Scenario) (context.Context, error) {
	return story.In(ctx, t.story), nil
}

func (t *take) stepBegins(ctx context.Context, st *godog.Step) (context.Context, error) {
	t.step = t.plan.Now()
	if t.played.Err == nil && story.ByOthers(st.Text) { // what is left of a story that broke off does not come about
		t.story.Tell(st.Text)
	}
	return ctx, nil
}

func (t *take) stepEnds(ctx context.Context, _ *godog.Step, status godog.StepResultStatus, err error) (context.Context, error) {
	if t.done >= len(t.script.steps) {
		return ctx, nil
	}
	step := t.script.steps[t.done]
	t.done++
	step.Status, step.Duration = report.StatusOf(status.String()), t.plan.Now().Sub(t.step)
	if err != nil && ctx.Err() != nil {
		step.Status = report.Skipped // it could not be finished, which nobody is to blame for
	}
	if err != nil && t.played.Err == nil {
		step.Error = err.Error()
		t.played.Err, t.played.Step = err, step.Keyword+" "+step.Text
	}
	t.tell(func(sink report.Sink) { sink.StepFinished(t.script.Ref, step) })
	return ctx, nil
}

// end tells how the journey ended. What is left of it is laid aside: the service
// is up again, and events arrive as they should.
func (t *take) end(ctx context.Context) (Played, error) {
	left := t.story.Tidy(context.WithoutCancel(ctx))
	for _, step := range t.script.steps[min(t.done, len(t.script.steps)):] {
		t.tell(func(sink report.Sink) { sink.StepFinished(t.script.Ref, step) })
	}
	t.played.silent = errors.Is(t.played.Err, task.ErrInVain) && t.story.Tape.Silent()
	t.played.To, t.played.Took = t.story.Tape.Seen, t.plan.Now().Sub(t.began)
	end := report.ScenarioEnd{Status: report.Passed, Duration: t.played.Took}
	if t.played.Err != nil {
		end.Status, end.Error = report.Failed, t.played.Err.Error()
	}
	if t.played.Err != nil && ctx.Err() != nil {
		end.Status, end.Error = report.Skipped, "the run was interrupted"
	}
	if errors.Is(t.played.Err, ErrNotHere) {
		end.Status = report.Skipped
	}
	t.tell(func(sink report.Sink) { sink.ScenarioFinished(t.script.Ref, end) })
	switch {
	case ctx.Err() != nil:
		return t.played, ctx.Err()
	case errors.Is(t.played.Err, ErrNotHere):
		t.says("is left out: " + t.played.Err.Error())
	case t.played.Err != nil:
		t.says(fmt.Sprintf("breaks off at %q: %s", t.played.Step, t.played.Err))
	default:
		t.says("has come to its end")
	}
	return t.played, left
}
