package report_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/report"
	"paysandbox/harness/report/diff"
	"paysandbox/harness/report/format"
	"paysandbox/harness/report/sample"
)

func TestReadSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	const head = `{"format":"paysandbox-report/1"`
	for text, want := range map[string]string{
		``:               "read a report: it is empty",
		`{"format":`:     "it is not JSON at byte 10",
		`{} {}`:          "it is not JSON at byte 4",
		`null`:           "it names no format",
		`[1]`:            "it is a JSON array, not an object",
		`{"format":1}`:   "format holds a number, which it cannot",
		`<testsuites/>`:  "it is not JSON at byte 1",
		`{"clauses":[]}`: "it names no format",
		`{"format":"paysandbox-report/2","clauses":"elsewhere"}`:                                      `its format is "paysandbox-report/2", this program reads "paysandbox-report/1"`,
		`{"format":"` + strings.Repeat("x", 500) + "\x1b" + `"}`:                                      "it is not JSON",
		`{"format":"` + strings.Repeat("x", 500) + `"}`:                                               strings.Repeat("x", 80) + `…"`,
		head + `,"clauses":"none"}`:                                                                   "clauses holds a string, which it cannot",
		head + `,"seed":-1}`:                                                                          "seed holds a number -1, which it cannot",
		head + `,"clauses":[{"verdict":"pass"}]}`:                                                     "a clause has no id",
		head + `,"clauses":[{"id":"a","verdict":"great"}]}`:                                           `the verdict "great" of the clause "a" is not known`,
		head + `,"clauses":[{"id":"a"}]}`:                                                             `the verdict "" of the clause "a" is not known`,
		head + `,"clauses":[{"id":"a","verdict":"pass"},{"id":"a","verdict":"fail"}]}`:                `the clause "a" stands twice`,
		head + `,"verdict":"great"}`:                                                                  `its verdict "great" is not known`,
		head + `,"durationNanos":-1}`:                                                                 "less than no time",
		head + `,"started":"9999-12-31T23:59:59-01:00"}`:                                              "in the year 10000",
		head + `,"started":"soon"}`:                                                                   "read a report: ",
		head + `,"scenarios":[{"file":"f","line":3,"status":"good"}]}`:                                `f:3 has the status "good"`,
		head + `,"scenarios":[{"status":"passed","steps":[{"status":"passed","durationNanos":-5}]}]}`: "took -5 ns",
		head + `,"clauses":[{"id":"a","verdict":"fail","moreEvidence":-1}]}`:                          `the clause "a" has less than no evidence`,
		head + `,"clauses":[{"id":"a","verdict":"fail","evidence":[{"moreEntries":-1}]}]}`:            `the clause "a" has less than no evidence`,
		head + `,"readiness":{"attempts":[{"clause":"a","armed":-1}]}}`:                               "something was tried less than no times",
		head + `}`:                     "it has no verdict",
		`{"tape":1,"seed":1}` + "\n{}": "it is a tape: `paysandbox observe --tape FILE",
		"<!doctype html>":              "in HTML or XML: the one in JSON is needed",
		`<?xml version="1.0"?>`:        "in HTML or XML: the one in JSON is needed",
		"\x1f\x8b\x08":                 "it is packed with gzip: unpack it first: gunzip FILE",
		"\xff\xfe{\x00":                "it is UTF-16",
		head + `,"clauses":[` + strings.Repeat(`{"id":"a","verdict":"pass"},`, 10_000) + `{"id":"a","verdict":"pass"}]}`: "it has 10001 clauses, more than 10000",
		head + `,"readiness":{"blocking":[` + strings.Repeat(`"a",`, 10_000) + `"a"]}}`:                                  "its readiness has lists of more than 10000",
		head + `,"notes":["\",` + strings.Repeat("a,", 2_000_000) + `"]}`:                                                "it has no verdict",
	} {
		_, err := report.Read(strings.NewReader(text))
		require.ErrorIs(t, err, report.ErrRead, text[:min(len(text), 100)])
		require.ErrorContains(t, err, want, text[:min(len(text), 100)])
	}
}

func TestReadPassesOverWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	text := strings.Replace(string(sample.Written(t, "json", sample.Integration())), `"tool"`, `"later": {"a": [1]}, "tool"`, 1)
	text = strings.ReplaceAll(text, `"title"`, `"colour": null, "title"`)
	got, err := report.Read(strings.NewReader(text))
	require.NoError(t, err)
	require.Equal(t, sample.Integration(), got)
}

// TestReadTakesAMark that some shells write in front of what they save.
func TestReadTakesAMark(t *testing.T) {
	t.Parallel()
	got, err := report.Read(strings.NewReader("\xef\xbb\xbf" + string(sample.Written(t, "json", sample.Integration()))))
	require.NoError(t, err)
	require.Equal(t, sample.Integration(), got)
}

// TestReadRefusesAGreatManyValues before it makes room for them: 32 MiB of empty
// clauses would take some gigabytes.
func TestReadRefusesAGreatManyValues(t *testing.T) {
	t.Parallel()
	text := `{"format":"paysandbox-report/1","clauses":[` + strings.Repeat("{},", report.MaxReport/3-100) + `{}]}`
	_, err := report.Read(strings.NewReader(text))
	require.ErrorContains(t, err, "it has more than 1000000 values")
}

func TestReadIsBounded(t *testing.T) {
	t.Parallel()
	_, err := report.Read(io.MultiReader(strings.NewReader(`{"format":"`), endless{}))
	require.ErrorIs(t, err, report.ErrRead)
	require.ErrorContains(t, err, "longer than 32 MiB")
	gone := errors.New("gone")
	_, err = report.Read(iotest.ErrReader(gone))
	require.ErrorIs(t, err, gone)
}

// endless is a reader that never ends.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// FuzzRead reads foreign bytes: what is taken can be written in every format and
// compared with itself, and comes back.
func FuzzRead(f *testing.F) {
	for _, r := range []*report.Report{sample.Service(), sample.Integration(), sample.Silent(), {}} {
		var b bytes.Buffer
		require.NoError(f, format.Write("json", r, &b))
		f.Add(b.Bytes())
	}
	f.Add(sample.Written(f, "json", sample.HostileService()))
	f.Add([]byte(`{"format":"paysandbox-report/1","readiness":{"blocking":["",""],"attempts":[{"armed":-9223372036854775808,"met":-1}]},"kill":{"must":{"of":1,"killed":9223372036854775807}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := report.Read(bytes.NewReader(text))
		if err != nil {
			require.ErrorIs(t, err, report.ErrRead)
			return
		}
		for _, name := range format.Names() {
			require.NoError(t, format.Write(name, r, io.Discard))
		}
		again, err := report.Read(bytes.NewReader(sample.Written(t, "json", r)))
		require.NoError(t, err)
		d := diff.Compare(r, again)
		require.Empty(t, d.Regressed)
		require.Empty(t, append(d.Newly, d.NoLonger...))
		for _, name := range diff.Formats() {
			require.NoError(t, diff.Write(name, &d, io.Discard))
		}
	})
}
