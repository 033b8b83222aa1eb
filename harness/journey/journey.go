package journey

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	gherkin "github.com/cucumber/gherkin/go/v26"
	"github.com/cucumber/godog"
	messages "github.com/cucumber/messages/go/v21"

	"paysandbox/harness/report"
)

// Journey is one story.
type Journey struct {
	// Name is the file's name without .feature, Title the feature's.
	Name, Title string
	// Story tells in a few sentences what it is about.
	Story string
	// Clauses are the ids of the clauses that it exercises, in the order of its
	// tags.
	Clauses []string
	// Unless are choices of the service, as NAME=VALUE, with which the story cannot be
	// told: knobs of the latitude ledger, or environment.
	Unless []string
	// File is the path below the scenarios.
	File string
	// Outage is true when the service is out for a while in the story.
	Outage bool
	// Ref names the scenario in reports.
	Ref report.ScenarioRef
}

const (
	// clauseTag begins the tags that name clauses.
	clauseTag = "@clause:"
	// unlessTag begins the tags that name choices with which a story cannot be told.
	unlessTag = "@unless:"
	// outageTag marks the stories in which the service is out.
	outageTag = "@outage"
	suffix    = ".feature"
)

var errScript = errors.New("a journey is one feature with one scenario that has steps")

// script is a journey with all that is needed to play it.
type script struct {
	Journey
	file  godog.Feature
	tags  []string
	steps []report.Step
}

// List lists the journeys in the order of their files' names.
func List(scenarios fs.FS) ([]Journey, error) {
	scripts, err := read(scenarios)
	if err != nil {
		return nil, err
	}
	list := make([]Journey, len(scripts))
	for i := range scripts {
		list[i] = scripts[i].Journey
	}
	return list, nil
}

// read reads the files in the order of their names.
func read(scenarios fs.FS) ([]script, error) {
	var list []script
	err := fs.WalkDir(scenarios, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, suffix) {
			return err
		}
		raw, err := fs.ReadFile(scenarios, path)
		if err != nil {
			return err
		}
		s, err := parse(path, raw)
		list = append(list, s)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the journeys: %w", err)
	}
	return list, nil
}

// parse reads one journey.
func parse(path string, raw []byte) (script, error) {
	next := (&messages.Incrementing{}).NewId
	doc, err := gherkin.ParseGherkinDocument(bytes.NewReader(raw), next)
	if err != nil {
		return script{}, fmt.Errorf("%s: %w", path, err)
	}
	pickles := gherkin.Pickles(*doc, path, next)
	if doc.Feature == nil || len(pickles) != 1 || len(doc.Feature.Children) != 1 || doc.Feature.Children[0].Scenario == nil || len(pickles[0].Steps) == 0 {
		return script{}, fmt.Errorf("%s: %w", path, errScript)
	}
	told := doc.Feature.Children[0].Scenario
	s := script{
		Journey: Journey{
			Name: strings.TrimSuffix(path[strings.LastIndexByte(path, '/')+1:], suffix), Title: doc.Feature.Name,
			Story: strings.Join(strings.Fields(doc.Feature.Description), " "), File: path,
			Ref: report.ScenarioRef{File: path, Line: int(told.Location.Line), Name: pickles[0].Name},
		},
		file: godog.Feature{Name: path, Contents: raw},
	}
	for _, t := range pickles[0].Tags {
		s.tags = append(s.tags, t.Name)
		if id, ok := strings.CutPrefix(t.Name, clauseTag); ok && !slices.Contains(s.Clauses, id) {
			s.Clauses = append(s.Clauses, id)
		}
		if choice, ok := strings.CutPrefix(t.Name, unlessTag); ok {
			s.Unless = append(s.Unless, choice)
		}
	}
	s.Outage = slices.Contains(s.tags, outageTag)
	for i, step := range pickles[0].Steps {
		node := told.Steps[i]
		s.steps = append(s.steps, report.Step{
			Keyword: strings.TrimSpace(node.Keyword), Text: step.Text, Line: int(node.Location.Line), Status: report.Skipped,
		})
	}
	return s, nil
}
