package story

import (
	"context"
	"regexp"
	"slices"
	"sync"

	"github.com/cucumber/godog"
)

// Step is one sentence that stories are told with.
type Step struct {
	// Pattern matches the whole text of a step.
	Pattern *regexp.Regexp

	do any
	// others is true when it is not the partner who does it.
	others bool
}

// Steps lists every sentence: what the partner does, what the others do, and what
// is expected.
func Steps() []Step { return slices.Clone(vocabulary()) }

// vocabulary is put together when it is first asked for.
var vocabulary = sync.OnceValue(func() []Step {
	stage := slices.Concat(companyStage(), payerStage(), paymentStage(), cardStage(), planStage(), hookStage(), serviceStage())
	for i := range stage {
		stage[i].others = true
	}
	return slices.Concat(
		companyIntents(), payerIntents(), paymentIntents(), cardIntents(), planIntents(), hookIntents(),
		stage, payerReturn(), stateShown(),
		stateExpectations(), heardExpectations(), moneyExpectations(),
	)
})

// ByOthers says whether a sentence tells what others than the partner do.
func ByOthers(text string) bool {
	return slices.ContainsFunc(vocabulary(), func(s Step) bool { return s.others && s.Pattern.MatchString(text) })
}

// Register makes the sentences known to a suite.
func Register(sc *godog.ScenarioContext) {
	for _, s := range vocabulary() {
		sc.Step(s.Pattern, s.do)
	}
}

// The parts of sentences: a company is "the gym", a person "Dana", an amount
// "50.00", a name "Harbour".
const (
	company = `the ([a-z]+)`
	person  = `([A-Z][a-z]+)`
	money   = `([0-9]+\.[0-9][0-9])`
	quoted  = `"([^"]+)"`
)

func step(pattern string, do any) Step {
	return Step{Pattern: regexp.MustCompile("^" + pattern + "$"), do: do}
}

type storyKey struct{}

// In puts a story into the context of its steps.
func In(ctx context.Context, s *Story) context.Context { return context.WithValue(ctx, storyKey{}, s) }

// storyOf gives the story under way.
func storyOf(ctx context.Context) *Story {
	s, _ := ctx.Value(storyKey{}).(*Story)
	return s
}

// The functions below make godog handlers of a story's methods.

func bind(do func(*Story, context.Context) error) any {
	return func(ctx context.Context) error { return do(storyOf(ctx), ctx) }
}

func bind1[A any](do func(*Story, context.Context, A) error) any {
	return func(ctx context.Context, a A) error { return do(storyOf(ctx), ctx, a) }
}

func bind2[A, B any](do func(*Story, context.Context, A, B) error) any {
	return func(ctx context.Context, a A, b B) error { return do(storyOf(ctx), ctx, a, b) }
}

func bind3[A, B, C any](do func(*Story, context.Context, A, B, C) error) any {
	return func(ctx context.Context, a A, b B, c C) error { return do(storyOf(ctx), ctx, a, b, c) }
}

func bind4[A, B, C, D any](do func(*Story, context.Context, A, B, C, D) error) any {
	return func(ctx context.Context, a A, b B, c C, d D) error { return do(storyOf(ctx), ctx, a, b, c, d) }
}

func bind5[A, B, C, D, E any](do func(*Story, context.Context, A, B, C, D, E) error) any {
	return func(ctx context.Context, a A, b B, c C, d D, e E) error { return do(storyOf(ctx), ctx, a, b, c, d, e) }
}

// cents reads an amount such as 50.00.
func cents(amount string) int64 {
	var n int64
	for _, c := range amount {
		if c != '.' {
			n = n*10 + int64(c-'0')
		}
	}
	return n
}
