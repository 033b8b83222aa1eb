package verify

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	gherkin "github.com/cucumber/gherkin/go/v26"
	"github.com/cucumber/godog"
	messages "github.com/cucumber/messages/go/v21"

	"paysandbox/harness/report"
	"paysandbox/harness/verdict"
	"paysandbox/harness/verify/given"
)

// The tags that mean something to a run.
const (
	clauseTag  = "@clause:"
	controlTag = "@needs:control"
	freshTag   = "@needs:fresh"
	// drawnTag is on scenarios whose calls are drawn at random.
	drawnTag = "@drawn"
)

// Scenario is one scenario as it will be played, a row of examples being one.
type Scenario struct {
	report.ScenarioRef
	// Feature is the feature's name, Tags are the scenario's with their @.
	Feature string
	Tags    []string
	// Clauses are the ids of the clauses that it judges.
	Clauses []string

	steps []report.Step
	// id is the one that the player gives it, key the one of what it is made of.
	id, key string
	// verdict and skip say what comes of a scenario that is not played, and why.
	verdict verdict.Word
	skip    string
}

// Scenarios lists the scenarios of the features, file by file in the order of
// the names, and line by line.
func Scenarios(features fs.FS) ([]Scenario, error) {
	files, err := readFeatures(features)
	if err != nil {
		return nil, err
	}
	return parse(files)
}

// readFeatures reads the files in the order of their names.
func readFeatures(features fs.FS) ([]godog.Feature, error) {
	var files []godog.Feature
	err := fs.WalkDir(features, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".feature") {
			return err
		}
		raw, err := fs.ReadFile(features, path)
		files = append(files, godog.Feature{Name: path, Contents: raw})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("%w: read the features: %w", ErrConfig, err)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%w: read the features: there is no .feature file", ErrConfig)
	}
	return files, nil
}

// parse reads the scenarios. Their ids are those that the player gives to the
// same files: it counts through, file by file.
func parse(files []godog.Feature) ([]Scenario, error) {
	next := (&messages.Incrementing{}).NewId
	var list []Scenario
	for _, f := range files {
		doc, err := gherkin.ParseGherkinDocument(bytes.NewReader(f.Contents), next)
		if err != nil {
			return nil, fmt.Errorf("%w: read the feature %s: %w", ErrConfig, f.Name, err)
		}
		pickles := gherkin.Pickles(*doc, f.Name, next)
		if doc.Feature == nil {
			continue
		}
		places := placesOf(doc.Feature)
		for _, p := range pickles {
			list = append(list, places.scenario(f.Name, doc.Feature.Name, p))
		}
	}
	return list, nil
}

// places are the lines and keywords of a document by the ids of its nodes.
type places struct {
	lines    map[string]int
	keywords map[string]string
}

func placesOf(f *messages.Feature) places {
	at := places{lines: map[string]int{}, keywords: map[string]string{}}
	for _, child := range f.Children {
		at.add(child.Background, child.Scenario)
		if child.Rule != nil {
			for _, c := range child.Rule.Children {
				at.add(c.Background, c.Scenario)
			}
		}
	}
	return at
}

// add notes where a background and a scenario stand.
func (at places) add(b *messages.Background, s *messages.Scenario) {
	var steps []*messages.Step
	if b != nil {
		steps = append(steps, b.Steps...)
	}
	if s != nil {
		at.lines[s.Id] = int(s.Location.Line)
		steps = append(steps, s.Steps...)
		for _, e := range s.Examples {
			for _, row := range e.TableBody {
				at.lines[row.Id] = int(row.Location.Line)
			}
		}
	}
	for _, step := range steps {
		at.lines[step.Id], at.keywords[step.Id] = int(step.Location.Line), strings.TrimSpace(step.Keyword)
	}
}

// scenario makes a scenario of a pickle.
func (at places) scenario(file, feature string, p *messages.Pickle) Scenario {
	s := Scenario{
		ScenarioRef: report.ScenarioRef{File: file, Line: at.lines[p.AstNodeIds[len(p.AstNodeIds)-1]], Name: p.Name},
		Feature:     feature, id: p.Id,
	}
	for _, t := range p.Tags {
		if slices.Contains(s.Tags, t.Name) {
			continue
		}
		s.Tags = append(s.Tags, t.Name)
		if id, ok := strings.CutPrefix(t.Name, clauseTag); ok {
			s.Clauses = append(s.Clauses, id)
		}
	}
	made := append([]string{file, p.Name}, s.Tags...)
	for _, step := range p.Steps {
		argument, _ := json.Marshal(step.Argument) // it is plain text and tables
		made = append(made, step.Text, string(argument))
		node := step.AstNodeIds[0]
		s.steps = append(s.steps, report.Step{Keyword: at.keywords[node], Text: step.Text, Line: at.lines[node], Status: report.Skipped})
	}
	s.key = given.Key(made...)
	return s
}

// has says whether the scenario has a tag.
func (s *Scenario) has(tag string) bool { return slices.Contains(s.Tags, tag) }
