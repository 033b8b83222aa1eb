package format_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/report"
	"paysandbox/harness/report/format"
	"paysandbox/harness/report/sample"
)

// schemaFile compiles a JSON Schema, by its path from testdata.
func schemaFile(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	s, err := c.Compile("testdata/" + name)
	require.NoError(t, err)
	return s
}

// fits validates a document.
func fits(t *testing.T, s *jsonschema.Schema, text []byte) error {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	return s.Validate(doc)
}

// refusesEach sees that a schema refuses the text with each replacement.
func refusesEach(t *testing.T, s *jsonschema.Schema, text []byte, replacements map[string]string) {
	t.Helper()
	for old, other := range replacements {
		spoilt := strings.Replace(string(text), old, other, 1)
		require.NotEqual(t, string(text), spoilt, old)
		require.Error(t, fits(t, s, []byte(spoilt)), other)
	}
}

func TestJSONComesBack(t *testing.T) {
	t.Parallel()
	for _, r := range []*report.Report{sample.Service(), hostileText()} {
		got, err := report.Read(bytes.NewReader(sample.Written(t, "json", r)))
		require.NoError(t, err)
		require.Equal(t, r, got)
	}
}

// hostileText is the hostile report without the bytes that are not text, which
// JSON cannot carry.
func hostileText() *report.Report {
	r, err := report.Read(strings.NewReader(strings.ToValidUTF8(hostileJSON(), "?")))
	if err != nil {
		panic(err)
	}
	return r
}

func hostileJSON() string {
	var b strings.Builder
	if err := format.Write("json", sample.HostileService(), &b); err != nil {
		panic(err)
	}
	return b.String()
}

func TestJSONFitsItsSchema(t *testing.T) {
	t.Parallel()
	s := schemaFile(t, "../../report.schema.json")
	text := sample.Written(t, "json", sample.Service())
	require.NoError(t, fits(t, s, text))
	require.NoError(t, fits(t, s, []byte(hostileJSON())))
	refusesEach(t, s, text, map[string]string{
		`"paysandbox-report/1"`:  `"paysandbox-report/2"`,
		`"verdict": "pass"`:      `"verdict": "passed"`,
		`"status": "passed"`:     `"status": "pass"`,
		`"level": "MUST"`:        `"level": "must"`,
		`"seed": 7`:              `"seed": -7`,
		`"exitCode": 1`:          `"exitCode": 9`,
		`"hint":`:                `"advice":`,
		`"tool": "paysandbox",`:  ``,
		`"durationNanos": 43210`: `"durationNanos": -43210`,
	})
}
