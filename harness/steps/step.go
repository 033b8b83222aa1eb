package steps

import (
	"context"
	"regexp"
	"slices"
	"sync"

	"github.com/cucumber/godog"
)

// Step is one step definition.
type Step struct {
	// Area names the part of the service that the step is about.
	Area string
	// Pattern matches the whole text of a step.
	Pattern *regexp.Regexp
	// Control is true when the step cannot be played without the control API.
	Control bool

	do any
}

// Register adds every step and the hooks of a scenario. Call it once for a
// suite, with the ScenarioContext of the suite: scenarios may run in parallel.
func Register(sc *godog.ScenarioContext, world Config) {
	sc.Before(begin(world))
	sc.After(end)
	for _, s := range All() {
		sc.Step(s.Pattern, s.do)
	}
}

// All lists every step definition, area by area.
func All() []Step { return slices.Clone(all()) }

// all compiles the patterns once, when they are first needed.
var all = sync.OnceValue(func() []Step {
	return slices.Concat(
		setupSteps(), actionSteps(), givenSteps(), answerSteps(), refusalSteps(), shapeSteps(),
		machineSteps(), personSteps(), clockSteps(), eventSteps(), credentialSteps(), tapeSteps(), wireSteps(),
	)
})

// step makes a definition that needs nothing but the partner API.
func step(area, pattern string, do any) Step {
	return Step{Area: area, Pattern: regexp.MustCompile("^" + pattern + "$"), do: do}
}

// staged makes a definition that needs the control API.
func staged(area, pattern string, do any) Step {
	s := step(area, pattern, do)
	s.Control = true
	return s
}

// The functions below make godog handlers of a story's methods.

func bind(do func(*story, context.Context) error) any {
	return func(ctx context.Context) error { return do(of(ctx), ctx) }
}

func bind1[A any](do func(*story, context.Context, A) error) any {
	return func(ctx context.Context, a A) error { return do(of(ctx), ctx, a) }
}

func bind2[A, B any](do func(*story, context.Context, A, B) error) any {
	return func(ctx context.Context, a A, b B) error { return do(of(ctx), ctx, a, b) }
}

func bind3[A, B, C any](do func(*story, context.Context, A, B, C) error) any {
	return func(ctx context.Context, a A, b B, c C) error { return do(of(ctx), ctx, a, b, c) }
}

func bind4[A, B, C, D any](do func(*story, context.Context, A, B, C, D) error) any {
	return func(ctx context.Context, a A, b B, c C, d D) error { return do(of(ctx), ctx, a, b, c, d) }
}
