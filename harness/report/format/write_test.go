package format_test

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/report"
	"paysandbox/harness/report/format"
	"paysandbox/harness/report/sample"
)

func TestGoldens(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"pretty": "report.txt", "html": "report.html", "markdown": "report.md", "json": "report.json",
		"junit": "report.xml", "ctrf": "report.ctrf.json", "cucumber": "report.cucumber.json",
	}
	for _, name := range format.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Contains(t, files, name)
			first := sample.Written(t, name, sample.Service())
			require.Equal(t, string(first), string(sample.Written(t, name, sample.Service())), "the same report gives the same bytes")
			sample.Golden(t, files[name], withoutAssets(t, name, first))
			sample.Golden(t, strings.Replace(files[name], "report.", "readiness.", 1), withoutAssets(t, name, sample.Written(t, name, sample.Integration())))
		})
	}
}

// withoutAssets is a page in which the names of the style sheet and the script stand
// for them; each has to be in it once, byte for byte.
func withoutAssets(t *testing.T, name string, text []byte) []byte {
	t.Helper()
	if name != "html" {
		return text
	}
	for _, file := range []string{"page/report.css", "page/report.js"} {
		asset, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, 1, bytes.Count(text, asset), file)
		text = bytes.Replace(text, asset, []byte(file), 1)
	}
	return text
}

func TestEveryFormatWritesAnEmptyReport(t *testing.T) {
	t.Parallel()
	for _, name := range format.Names() {
		require.NotEmpty(t, sample.Written(t, name, &report.Report{}), name)
	}
}

func TestWriterErrorsComeThrough(t *testing.T) {
	t.Parallel()
	for _, name := range format.Names() {
		full := errors.New("disk full")
		err := format.Write(name, sample.Service(), sample.Failing{Err: full})
		require.ErrorIs(t, err, full, name)
		require.ErrorContains(t, err, name)
	}
	require.ErrorIs(t, format.Write("pdf", sample.Service(), &bytes.Buffer{}), report.ErrFormat)
}

func TestParseTarget(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]format.Target{
		"pretty":             {Format: "pretty"},
		"html=out/r.html":    {Format: "html", Path: "out/r.html"},
		"json=a=b.json":      {Format: "json", Path: "a=b.json"},
		" markdown=sum.md\n": {Format: "markdown", Path: "sum.md"},
		"markdown=-":         {Format: "markdown"},
	} {
		got, err := format.ParseTarget(value)
		require.NoError(t, err, value)
		require.Equal(t, want, got)
	}
}

func TestTargetErrorsTeach(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		"":             "report format is empty: give one of pretty, html,",
		"html=":        `report format "html=" names no file after the =: write html=FILE, or html alone for the standard output`,
		"report.html":  `report format "report.html" is a file without a format: write html=report.html`,
		"out/x":        `report format "out/x" is a file without a format: write FORMAT=out/x`,
		"htlm=x":       `report format "htlm" is not known (did you mean html?): there are pretty, html, markdown, json, junit, ctrf, cucumber`,
		"JUnit":        `report format "JUnit" is not known (did you mean junit?)`,
		"xml=r.xml":    `report format "xml" is not known (did you mean junit?)`,
		"MD":           `report format "MD" is not known (did you mean markdown?)`,
		"html,junit=x": `report format "html,junit=x": write --format once for each report`,
		"html, json":   `report format "html, json": write --format once for each report`,
		"a,b.html":     `is a file without a format: write html=a,b.html`,
		"pdf=x":        `report format "pdf" is not known: there are`,
		"=x":           `report format "" is not known: there are`,
	} {
		_, err := format.ParseTarget(value)
		require.ErrorIs(t, err, report.ErrFormat, value)
		require.ErrorContains(t, err, want)
	}
}

func TestParseTargets(t *testing.T) {
	t.Parallel()
	got, err := format.ParseTargets([]string{"pretty", "html=a.html", "junit=b.xml"})
	require.NoError(t, err)
	require.Equal(t, []format.Target{{Format: "pretty"}, {Format: "html", Path: "a.html"}, {Format: "junit", Path: "b.xml"}}, got)
	for want, values := range map[string][]string{
		`"pretty" and "json" both go to the standard output: give one of them a file, for example json=FILE`: {"pretty", "json"},
		`"html" and "json" both go to the standard output`:                                                   {"html=-", "json=-"},
		`"html" and "json" both go to ./a: give each its own file`:                                           {"html=a", "json=./a"},
		`"html" and "json" both go to a: give each its own file`:                                             {"html=a", "json=a"},
		`is not known`: {"html=a", "nothing"},
	} {
		_, err := format.ParseTargets(values)
		require.ErrorIs(t, err, report.ErrFormat)
		require.ErrorContains(t, err, want)
	}
}
