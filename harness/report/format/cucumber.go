package format

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"unicode"

	"paysandbox/harness/report"
	"paysandbox/harness/report/readiness"
	"paysandbox/harness/report/words"
	"paysandbox/harness/verdict"
)

// The objects of Cucumber's JSON, as the JVM's runner writes them.
type (
	cucumberFeature struct {
		URI         string            `json:"uri"`
		ID          string            `json:"id"`
		Line        int               `json:"line"`
		Keyword     string            `json:"keyword"`
		Name        string            `json:"name"`
		Description string            `json:"description"`
		Elements    []cucumberElement `json:"elements"`
	}
	cucumberElement struct {
		ID          string         `json:"id"`
		Line        int            `json:"line"`
		Type        string         `json:"type"`
		Keyword     string         `json:"keyword"`
		Name        string         `json:"name"`
		Description string         `json:"description"`
		Tags        []cucumberTag  `json:"tags,omitempty"`
		Steps       []cucumberStep `json:"steps"`
	}
	cucumberTag struct {
		Name string `json:"name"`
	}
	cucumberStep struct {
		Keyword string         `json:"keyword"`
		Line    int            `json:"line"`
		Name    string         `json:"name"`
		Result  cucumberResult `json:"result"`
	}
	cucumberResult struct {
		Status   report.Status `json:"status"`
		Duration int64         `json:"duration"`
		Error    string        `json:"error_message,omitempty"`
	}
)

// writeCucumber writes the features with their scenarios and steps. Clauses have
// no place in it but as tags, unless the report is about an integration: then
// they are a feature of their own, a step each. A scenario's own failure, for example of a check
// after its last step, is a last step that failed.
func writeCucumber(r readiness.View, w io.Writer) error {
	list := []cucumberFeature{}
	for _, f := range features(r.Scenarios) {
		c := cucumberFeature{URI: f.file, ID: slug(f.name), Line: 1, Keyword: "Feature", Name: f.name}
		for _, s := range f.scenarios {
			c.Elements = append(c.Elements, cucumberScenario(c.ID, s))
		}
		list = append(list, c)
	}
	if r.Readiness != nil {
		list = append(list, cucumberReadiness(r))
	}
	return words.WriteJSON(list, w)
}

// cucumberScenario is a scenario as an element.
func cucumberScenario(feature string, s report.ScenarioResult) cucumberElement {
	e := cucumberElement{
		ID: fmt.Sprintf("%s;%s;%d", feature, slug(s.Name), s.Line), Line: s.Line,
		Type: "scenario", Keyword: "Scenario", Name: s.Name, Steps: []cucumberStep{},
	}
	for _, t := range s.Tags {
		e.Tags = append(e.Tags, cucumberTag{t})
	}
	shown := s.Status == report.Passed
	for _, x := range s.Steps {
		shown = shown || x.Status == s.Status
		e.Steps = append(e.Steps, cucumberStep{x.Keyword + " ", x.Line, x.Text, cucumberResult{x.Status, int64(x.Duration), x.Error}})
	}
	if !shown {
		e.Steps = append(e.Steps, cucumberStep{"* ", s.Line, "the scenario " + string(s.Status), cucumberResult{s.Status, 0, cmp.Or(s.Error, s.Skip)}})
	}
	return e
}

// cucumberReadiness is the clauses as a feature, which is described by the verdict
// and what it rests on.
func cucumberReadiness(r readiness.View) cucumberFeature {
	f := cucumberFeature{URI: "readiness", ID: slug(r.Title()), Line: 1, Keyword: "Feature", Name: r.Title(), Elements: []cucumberElement{}}
	about := []string{r.Headline(), fmt.Sprintf("%s %s, seed %d", r.Tool, r.Version, r.Seed)}
	for _, d := range r.Readiness.Digests {
		about = append(about, d.Name+": sha256 "+d.SHA256)
	}
	f.Description = strings.Join(about, "\n")
	for i, c := range r.Clauses {
		result := cucumberResult{Status: cucumberStatus(r, c)}
		switch result.Status {
		case report.Failed, report.Pending:
			result.Error = clauseMessage(c) + "\n" + evidenceText(c)
		case report.Skipped:
			result.Error = r.Unjudged(c)
		default:
		}
		f.Elements = append(f.Elements, cucumberElement{
			ID: f.ID + ";" + c.ID, Line: i + 1, Type: "scenario", Keyword: "Scenario", Name: c.ID,
			Tags:  []cucumberTag{{"@clause:" + c.ID}, {"@area:" + c.Area}, {"@" + c.Level}},
			Steps: []cucumberStep{{"* ", i + 1, c.Title, result}},
		})
	}
	return f
}

// cucumberStatus is a clause's verdict in Cucumber's words: what was not judged
// is skipped, what a person has to look at is pending.
func cucumberStatus(r readiness.View, c report.ClauseResult) report.Status {
	switch {
	case r.Excused(c):
		return report.Skipped
	case c.Verdict == verdict.Fail, c.Verdict == verdict.HarnessError, r.Blocks(c.ID):
		return report.Failed
	case c.Verdict == verdict.Pass, c.Verdict == verdict.Warning:
		return report.Passed
	case c.Verdict == verdict.Review, c.Verdict == verdict.Inconclusive:
		return report.Pending
	default:
		return report.Skipped
	}
}

// slug is a name as an id: lower-case letters and digits with hyphens.
func slug(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), "-")
}
