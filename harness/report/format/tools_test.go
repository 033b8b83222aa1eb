package format_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/report"
	"paysandbox/harness/report/sample"
	"paysandbox/harness/verdict"
)

func TestCTRFFitsTheSchema(t *testing.T) {
	t.Parallel()
	s := schemaFile(t, "ctrf.schema.json")
	for _, r := range []*report.Report{sample.Service(), sample.HostileService(), {}} {
		require.NoError(t, fits(t, s, sample.Written(t, "ctrf", r)))
	}
	refusesEach(t, s, sample.Written(t, "ctrf", sample.Service()), map[string]string{
		`"CTRF"`: `"JUnit"`, `"passed": `: `"ok": `, `"status": "passed"`: `"status": "pass"`, `"duration": 6`: `"duration": 6.5`,
	})
}

func TestCTRFComesBack(t *testing.T) {
	t.Parallel()
	var d struct {
		Results struct {
			Summary map[string]int64
			Tests   []struct{ Name, Status, RawStatus, Message string }
		}
	}
	require.NoError(t, json.Unmarshal(sample.Written(t, "ctrf", sample.Service()), &d))
	s := d.Results.Summary
	require.Equal(t, int64(len(d.Results.Tests)), s["tests"])
	require.Equal(t, s["tests"], s["passed"]+s["failed"]+s["skipped"]+s["pending"]+s["other"])
	require.Equal(t, []int64{4, 3, 3}, []int64{s["passed"], s["failed"], s["skipped"]})
	require.Equal(t, int64(4321), s["stop"]-s["start"])
	status := map[string]string{}
	for _, x := range d.Results.Tests {
		status[x.Name] = x.Status + " " + x.RawStatus
	}
	require.Equal(t, "failed failed", status["A bad zip code"])
	require.Equal(t, "failed fail", status["company.create.zip"])
	require.Equal(t, "skipped fail", status["payment.refund.limit"], "a known deviation")
	require.Equal(t, "skipped not-reached", status["plan.schedule.month-end"])
}

func TestCTRFKnowsEveryVerdict(t *testing.T) {
	t.Parallel()
	s := schemaFile(t, "ctrf.schema.json")
	for _, v := range verdict.Words() {
		text := sample.Written(t, "ctrf", &report.Report{Clauses: []report.ClauseResult{{ID: "a", Title: "t", Verdict: v}}})
		require.NoError(t, fits(t, s, text))
		passed := v == verdict.Pass || v == verdict.Warning
		require.Equal(t, passed, strings.Contains(string(text), `"status": "passed"`), v)
	}
}

func TestCucumberFitsTheSchema(t *testing.T) {
	t.Parallel()
	s := schemaFile(t, "cucumber.schema.json")
	for _, r := range []*report.Report{sample.Service(), sample.HostileService(), {}} {
		require.NoError(t, fits(t, s, sample.Written(t, "cucumber", r)))
	}
	refusesEach(t, s, sample.Written(t, "cucumber", sample.Service()), map[string]string{
		`"uri"`: `"url"`, `"status": "passed"`: `"status": "pass"`, `"type": "scenario"`: `"type": "rule"`, `"error_message"`: `"error"`,
	})
}

func TestCucumberComesBack(t *testing.T) {
	t.Parallel()
	r := sample.Service()
	r.Scenarios[0].Status, r.Scenarios[0].Error = report.Failed, "a check failed after the last step"
	var features []struct {
		URI      string
		Elements []struct {
			Name  string
			Line  int
			Steps []struct {
				Name   string
				Result struct {
					Status string
					Error  string `json:"error_message"`
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal(sample.Written(t, "cucumber", r), &features))
	require.Len(t, features, 3)
	good, bad := features[0].Elements[0], features[0].Elements[1]
	require.Len(t, good.Steps, 4, "a failure that no step shows is a step of its own")
	require.Equal(t, "a check failed after the last step", good.Steps[3].Result.Error)
	require.Equal(t, []any{"A bad zip code", 31}, []any{bad.Name, bad.Line})
	require.Len(t, bad.Steps, 3)
	require.Equal(t, "failed", bad.Steps[2].Result.Status)
	require.Equal(t, "skipped", features[2].Elements[0].Steps[0].Result.Status)
}
