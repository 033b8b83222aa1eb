// Package steps holds the godog steps in which the acceptance features are written: the
// partner's language on one side, calls of the partner's client and of the sandbox's
// control API on the other. Every scenario gets an integration, a clock and a webhook
// receiver of its own. The package knows the service by its wire alone and judges nothing
// but what a step says.
//
// It is one package because a scenario is one story: each sentence is a method of it, and
// sentences of all areas meet in one scenario, where one reads the answer, the page or the ids
// that another has left. The files are the areas of the language; to cut between them would only
// make all that a story holds public.
package steps

import (
	"context"
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/cucumber/godog"

	"paysandbox/harness/clause"
	"paysandbox/harness/partner"
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
		setupSteps(), actionSteps(), givenSteps(), calledSteps(), answerSteps(), refusalSteps(), shapeSteps(),
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

// choiceTag begins the tags that hold a knob of the service still: the scenario
// expects that choice, and its clauses are about something else.
const choiceTag = "@choice:"

// pin holds the knobs still that the tags name.
func (s *story) pin(tag string) {
	if choice, ok := strings.CutPrefix(tag, choiceTag); ok {
		name, value, _ := strings.Cut(choice, "=")
		s.wish.Latitude[name] = value
	}
}

// about says whether a clause of the scenario names a knob: then what it chooses is
// to be seen as it is.
func (s *story) about(knob string) bool {
	return slices.ContainsFunc(s.clauses, func(id string) bool {
		c, known := clause.Lookup(id)
		return known && c.Source.Knob == knob
	})
}

// understand reads an answer as the service's choices have it written: names in
// PascalCase, and refusals that leave to the tape what was wrong.
func (s *story) understand(ctx context.Context, a *partner.Answer) error {
	if s.chosen["response-names"] == "pascal" && !s.about("response-names") {
		var v any
		if decodeJSON(a.Body, &v) == nil {
			a.Body, _ = json.Marshal(camelled(v)) // what was read can be written
		}
	}
	body := s.chosen["error-body"]
	if a.Status < http.StatusBadRequest || body == "" || s.about("error-body") || json.Valid(a.Body) && len(a.Body) > 0 {
		return nil
	}
	p := map[string]any{"title": http.StatusText(a.Status), "status": a.Status, "detail": string(a.Body)}
	list, err := s.entries(ctx, "finding")
	if err != nil {
		return err
	}
	errs, findings := map[string][]string{}, []any{}
	for i := range list {
		if strconv.FormatUint(list[i].Cause, 10) != a.Header.Get("Sandbox-Exchange") {
			continue
		}
		for _, f := range list[i].Findings {
			field := fieldOf(f.Pointer)
			errs[field] = append(errs[field], f.Expected)
			findings = append(findings, f)
		}
	}
	p["errors"], p["findings"] = errs, findings
	a.Body, err = json.Marshal(p)
	return err
}

// camelled writes the names of members in camelCase.
func camelled(v any) any {
	switch v := v.(type) {
	case map[string]any:
		object := make(map[string]any, len(v))
		for name, member := range v {
			first := []rune(name)
			first[0] = unicode.ToLower(first[0])
			object[string(first)] = camelled(member)
		}
		return object
	case []any:
		for i := range v {
			v[i] = camelled(v[i])
		}
	}
	return v
}
