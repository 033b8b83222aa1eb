package format_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/report"
	"paysandbox/harness/report/sample"
	"paysandbox/harness/verdict"
)

// element is what the schema that is commonly used for JUnit's XML, junit-10.xsd
// of Jenkins' xUnit plugin, says of an element. No Go library reads XML schemas,
// so the rules that a report can touch are restated here.
type element struct {
	required, optional, children []string
	text                         bool
}

func junitRules() map[string]element {
	why := element{optional: []string{"type", "message"}, text: true}
	return map[string]element{
		"testsuites": {optional: []string{"name", "time", "tests", "failures", "errors"}, children: []string{"testsuite"}},
		"testsuite": {
			required: []string{"name", "tests", "failures", "errors"},
			optional: []string{"group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url"},
			children: []string{"testsuite", "properties", "testcase", "system-out", "system-err"},
		},
		"properties": {children: []string{"property"}},
		"property":   {required: []string{"name", "value"}},
		"testcase": {
			required: []string{"name"}, optional: []string{"time", "classname", "group"},
			children: []string{"skipped", "error", "failure", "system-out", "system-err"},
		},
		"skipped": why, "error": why, "failure": why,
		"system-out": {text: true}, "system-err": {text: true},
	}
}

var (
	junitTime  = regexp.MustCompile(`^(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?$`)
	onlySpaces = regexp.MustCompile(`^\s*$`)
)

// junitCheck holds a document against the rules; the first breach is the error.
func junitCheck(text []byte) error {
	rules, d := junitRules(), xml.NewDecoder(bytes.NewReader(text))
	var open []string
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch x := token.(type) {
		case xml.StartElement:
			if err := junitElement(rules, open, x); err != nil {
				return err
			}
			open = append(open, x.Name.Local)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 && !rules[open[len(open)-1]].text && !onlySpaces.Match(x) {
				return fmt.Errorf("text in %v", open)
			}
		}
	}
}

func junitElement(rules map[string]element, open []string, x xml.StartElement) error {
	name := x.Name.Local
	rule, known := rules[name]
	if !known || len(open) == 0 && name != "testsuites" || len(open) > 0 && !slices.Contains(rules[open[len(open)-1]].children, name) {
		return fmt.Errorf("<%s> in %v", name, open)
	}
	var has []string
	for _, a := range x.Attr {
		if has = append(has, a.Name.Local); !slices.Contains(append(rule.required, rule.optional...), a.Name.Local) {
			return fmt.Errorf("attribute %s of <%s>", a.Name.Local, name)
		}
		if a.Name.Local == "time" && !junitTime.MatchString(a.Value) {
			return fmt.Errorf("time %q of <%s>", a.Value, name)
		}
	}
	for _, r := range rule.required {
		if !slices.Contains(has, r) {
			return fmt.Errorf("<%s> without %s", name, r)
		}
	}
	return nil
}

func TestJUnitFitsTheSchema(t *testing.T) {
	t.Parallel()
	for _, r := range []*report.Report{sample.Service(), sample.HostileService(), {}} {
		require.NoError(t, junitCheck(sample.Written(t, "junit", r)))
	}
	text := string(sample.Written(t, "junit", sample.Service()))
	require.Contains(t, text, `time="1234.573"`, "a comma ends the number for readers that know no thousands")
	for old, other := range map[string]string{
		`<testsuite name=`: `<testsuite names=`, `file="companies`: `path="companies`, `<skipped `: `<ignored `,
		`time="1234.573"`: `time="20 min"`, `<properties>`: `<properties>text`, ` value=`: ` is=`, `classname=`: `file=`,
	} {
		spoilt := regexp.MustCompile(regexp.QuoteMeta(old)).ReplaceAllString(text, other)
		require.NotEqual(t, text, spoilt, old)
		require.Error(t, junitCheck([]byte(spoilt)), other)
	}
}

// junitDocument is what a reader of JUnit's XML sees.
type junitDocument struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Errors   int `xml:"errors,attr"`
	Suites   []struct {
		Name       string `xml:"name,attr"`
		File       string `xml:"file,attr"`
		Tests      int    `xml:"tests,attr"`
		Skipped    int    `xml:"skipped,attr"`
		Properties []struct {
			Name  string `xml:"name,attr"`
			Value string `xml:"value,attr"`
		} `xml:"properties>property"`
		Cases []struct {
			Name      string  `xml:"name,attr"`
			Classname string  `xml:"classname,attr"`
			Skipped   *string `xml:"skipped"`
			Failure   *string `xml:"failure"`
			Error     *string `xml:"error"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

func TestJUnitComesBack(t *testing.T) {
	t.Parallel()
	var d junitDocument
	require.NoError(t, xml.Unmarshal(sample.Written(t, "junit", sample.Service()), &d))
	require.Equal(t, []int{10, 2, 1}, []int{d.Tests, d.Failures, d.Errors})
	outcome, files, skipped := map[string]string{}, []string{}, 0
	for _, s := range d.Suites {
		files, skipped = append(files, s.File), skipped+s.Skipped
		require.Len(t, s.Cases, s.Tests)
		require.Equal(t, "seed", s.Properties[2].Name)
		require.Equal(t, strconv.Itoa(7), s.Properties[2].Value)
		for _, c := range s.Cases {
			outcome[c.Classname+" "+c.Name] = fmt.Sprint(c.Failure != nil, c.Error != nil, c.Skipped != nil)
		}
	}
	require.Equal(t, []string{"companies/create.feature", "payments/cancel.feature", "plans/schedule.feature", "", "", "", ""}, files)
	require.Equal(t, 3, skipped)
	const passed, failure, errored, skip = "false false false", "true false false", "false true false", "false false true"
	require.Equal(t, map[string]string{
		"companies.create A good zip code":             passed,
		"companies.create A bad zip code":              failure,
		"payments.cancel A paid payment stays":         passed,
		"plans.schedule Months of 31 days":             skip,
		"clauses.companies company.create.zip":         failure,
		"clauses.payments payment.cancel.final-status": passed,
		"clauses.payments payment.list.order":          passed,
		"clauses.payments payment.refund.limit":        skip,
		"clauses.plans plan.schedule.month-end":        skip,
		"clauses.wire wire.names":                      errored,
	}, outcome)
}

func TestJUnitTellsRowsApart(t *testing.T) {
	t.Parallel()
	r := &report.Report{}
	for line := range 2 {
		r.Scenarios = append(r.Scenarios, report.ScenarioResult{ScenarioRef: report.ScenarioRef{File: "a.feature", Line: line, Name: "Row"}})
	}
	var d junitDocument
	require.NoError(t, xml.Unmarshal(sample.Written(t, "junit", r), &d))
	require.Equal(t, "Row (line 0)", d.Suites[0].Cases[0].Name)
	require.Equal(t, "Row (line 1)", d.Suites[0].Cases[1].Name)
}

// TestJUnitNeverPassesWhatWasNotJudged holds for every verdict and status.
func TestJUnitNeverPassesWhatWasNotJudged(t *testing.T) {
	t.Parallel()
	for _, v := range verdict.Words() {
		var d junitDocument
		r := &report.Report{Clauses: []report.ClauseResult{{ID: "a", Verdict: v}}}
		require.NoError(t, xml.Unmarshal(sample.Written(t, "junit", r), &d))
		c := d.Suites[0].Cases[0]
		passed := c.Failure == nil && c.Error == nil && c.Skipped == nil
		require.Equal(t, v == verdict.Pass || v == verdict.Warning || v == verdict.Review, passed, v)
	}
	for _, s := range []report.Status{report.Failed, report.Skipped, report.Undefined, report.Pending, "odd", ""} {
		var d junitDocument
		require.NoError(t, xml.Unmarshal(sample.Written(t, "junit", &report.Report{Scenarios: []report.ScenarioResult{{Status: s}}}), &d))
		c := d.Suites[0].Cases[0]
		require.False(t, c.Failure == nil && c.Error == nil && c.Skipped == nil, s)
	}
}
