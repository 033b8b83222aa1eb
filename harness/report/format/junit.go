package format

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/report"
	"paysandbox/harness/report/readiness"
	"paysandbox/harness/report/words"
	"paysandbox/harness/verdict"
)

// The elements of JUnit's XML, as the schema of Jenkins' xUnit plugin has them
// (junit-10.xsd): a file and properties belong to a suite, not to a test case.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Time     string       `xml:"time,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name       string          `xml:"name,attr"`
		Tests      int             `xml:"tests,attr"`
		Failures   int             `xml:"failures,attr"`
		Errors     int             `xml:"errors,attr"`
		Skipped    int             `xml:"skipped,attr"`
		Time       string          `xml:"time,attr"`
		Timestamp  string          `xml:"timestamp,attr"`
		File       string          `xml:"file,attr,omitempty"`
		Properties []junitProperty `xml:"properties>property"`
		Cases      []junitCase     `xml:"testcase"`
		took       time.Duration
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Name      string      `xml:"name,attr"`
		Classname string      `xml:"classname,attr"`
		Time      string      `xml:"time,attr"`
		Skipped   *junitWhy   `xml:"skipped"`
		Error     *junitWhy   `xml:"error"`
		Failure   *junitWhy   `xml:"failure"`
		Out       *junitPlain `xml:"system-out"`
	}
	junitWhy struct {
		Type    string `xml:"type,attr,omitempty"`
		Message string `xml:"message,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
	junitPlain struct {
		Text string `xml:",chardata"`
	}
)

// writeJUnit writes one suite a feature with its scenarios, then one suite an
// area with its clauses. What was not judged is skipped; an error is the
// harness's own.
func writeJUnit(r readiness.View, w io.Writer) error {
	facts := junitProperties(r)
	root := junitSuites{Name: words.Harmless(r.Tool), Time: seconds(r.Duration)}
	for _, f := range features(r.Scenarios) {
		s := junitSuite{Name: words.Harmless(f.name), File: f.file, Properties: facts}
		named := map[string]int{}
		for _, x := range f.scenarios {
			named[x.Name]++
		}
		for _, x := range f.scenarios {
			c := junitScenario(x)
			if named[x.Name] > 1 || x.Name == "" {
				c.Name = fmt.Sprintf("%s (line %d)", x.Name, x.Line) // rows of examples share their name
			}
			s.add(c, x.Duration)
		}
		root.add(s, r.Started)
	}
	for _, a := range r.Areas() {
		s := junitSuite{Name: "clauses: " + words.Harmless(a.Name), Properties: facts}
		for _, c := range r.Clauses {
			if c.Area == a.Name {
				s.add(junitClause(r, c), max(c.Spanned, tookToJudge(r.Scenarios, c.Scenarios)))
			}
		}
		root.add(s, r.Started)
	}
	text, err := xml.MarshalIndent(root, "", "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, xml.Header+string(text)+"\n")
	return err
}

// tookToJudge is how long the scenarios took that judged a clause.
func tookToJudge(all []report.ScenarioResult, judged []report.ScenarioRef) (took time.Duration) {
	for i := range all {
		if slices.Contains(judged, all[i].ScenarioRef) {
			took += all[i].Duration
		}
	}
	return took
}

// add counts a case into the suite.
func (s *junitSuite) add(c junitCase, took time.Duration) {
	c.Time = seconds(took)
	c.harmless()
	s.Cases, s.took = append(s.Cases, c), s.took+took
	s.Tests++
	switch {
	case c.Error != nil:
		s.Errors++
	case c.Failure != nil:
		s.Failures++
	case c.Skipped != nil:
		s.Skipped++
	}
}

// harmless takes out of the texts what a viewer would take for commands, or XML
// cannot hold; a message is one line.
func (c *junitCase) harmless() {
	c.Name, c.Classname = words.Harmless(c.Name), words.Harmless(c.Classname)
	for _, why := range []*junitWhy{c.Skipped, c.Error, c.Failure} {
		if why != nil {
			why.Message, why.Text = words.Harmless(words.OneLine(why.Message)), words.Harmless(why.Text)
		}
	}
	if c.Out != nil {
		c.Out.Text = words.Harmless(c.Out.Text)
	}
}

// add counts a suite into the whole.
func (s *junitSuites) add(suite junitSuite, started time.Time) {
	suite.Time, suite.Timestamp = seconds(suite.took), started.UTC().Format("2006-01-02T15:04:05")
	s.Suites = append(s.Suites, suite)
	s.Tests += suite.Tests
	s.Failures += suite.Failures
	s.Errors += suite.Errors
}

// junitProperties are what the run was about.
func junitProperties(r readiness.View) []junitProperty {
	list := junitFacts(r)
	for i := range list {
		list[i].Value = words.Harmless(list[i].Value)
	}
	return list
}

func junitFacts(r readiness.View) []junitProperty {
	list := []junitProperty{
		{"tool", r.Tool + " " + r.Version},
		{"target", r.Target},
		{"seed", fmt.Sprint(r.Seed)},
		{"verdict", string(r.Verdict)},
		{"exitCode", fmt.Sprint(r.ExitCode)},
		{"rerun", r.Rerun("")},
		{"report", r.Title()},
	}
	if r.Kill != nil {
		list = append(list, junitProperty{"mutantsKilled.must", r.Kill.Must.String()}, junitProperty{"mutantsKilled.all", r.Kill.All.String()})
	}
	if r.Readiness == nil {
		return list
	}
	armed, met := r.Tries()
	list = append(list, []junitProperty{
		{"time", "from the first tape entry judged to the last, without what a clock that runs was moved by"},
		{"readiness.ready", fmt.Sprint(r.Readiness.Ready)},
		{"readiness.covers", r.Covers()},
		{"readiness.sentence", r.Headline()},
		{"readiness.blocking", strings.Join(r.Readiness.Blocking, " ")},
		{"readiness.notShown", strings.Join(r.Readiness.NotShown, " ")},
		{"readiness.warnings", fmt.Sprint(len(r.Readiness.Warnings))},
		{"readiness.missing", fmt.Sprint(len(r.Readiness.Missing))},
		{"readiness.attempts", fmt.Sprintf("tried %s, met %s", words.Times(armed), words.Times(met))},
	}...)
	for _, d := range r.Readiness.Digests {
		list = append(list, junitProperty{"sha256." + strings.ReplaceAll(words.Harmless(d.Name), " ", "-"), d.SHA256})
	}
	return list
}

// junitScenario is a scenario as a case.
func junitScenario(x report.ScenarioResult) junitCase {
	c := junitCase{
		Name:      x.Name,
		Classname: strings.ReplaceAll(strings.TrimSuffix(x.File, path.Ext(x.File)), "/", "."),
		Out:       &junitPlain{stepLines(x.Steps) + "\n" + strings.Join(x.Tags, " ")},
	}
	switch x.Status {
	case report.Passed:
	case report.Skipped, report.Pending:
		c.Skipped = &junitWhy{Message: cmp.Or(x.Skip, string(x.Status))}
	case report.Undefined:
		c.Error = &junitWhy{Type: "undefined", Message: cmp.Or(x.Error, "a step has no definition")}
	default:
		c.Failure = &junitWhy{Type: "scenario", Message: words.FirstLine(cmp.Or(x.Error, "failed")), Text: x.Error}
	}
	return c
}

// junitClause is a clause as a case.
func junitClause(r readiness.View, x report.ClauseResult) junitCase {
	c := junitCase{Name: x.ID, Classname: "clauses." + x.Area}
	out := fmt.Sprintf("%s [%s; %s]\nverdict: %s", x.Title, x.Level, x.Source, x.Verdict)
	if x.Attested != nil {
		out += "\n" + readiness.Word(x.Attested)
	}
	switch {
	case r.Excused(x):
		c.Skipped = &junitWhy{Message: r.Accepted() + ": " + x.Deviation.Reason, Text: evidenceText(x)}
	case x.Verdict == verdict.Fail, r.Blocks(x.ID):
		c.Failure = &junitWhy{Type: x.Level, Message: clauseMessage(x), Text: evidenceText(x) + "rerun: " + r.Rerun(x.ID) + "\n"}
	case r.Unshown(x.ID):
		c.Skipped = &junitWhy{Message: "not shown by calls and answers alone: a person has to look", Text: evidenceText(x)}
	case x.Verdict == verdict.HarnessError:
		c.Error = &junitWhy{Type: string(x.Verdict), Message: clauseMessage(x), Text: evidenceText(x)}
	case x.Verdict.Judged():
		if x.Verdict != verdict.Pass {
			out += "\n" + evidenceText(x)
		}
	default:
		c.Skipped = &junitWhy{Message: r.Unjudged(x)}
	}
	c.Out = &junitPlain{out}
	return c
}

// seconds is a duration as every reader takes it: milliseconds after the point.
// The schema allows commas between the thousands; most readers stop at the first.
func seconds(d time.Duration) string {
	return fmt.Sprintf("%d.%03d", int64(d/time.Second), int64(d%time.Second/time.Millisecond))
}
