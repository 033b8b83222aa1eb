package format_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/report"
	"paysandbox/harness/report/sample"
)

func TestReadinessAsJSON(t *testing.T) {
	t.Parallel()
	s := schemaFile(t, "../../report.schema.json")
	for _, r := range []*report.Report{sample.Integration(), sample.Silent(), sample.Ready(t)} {
		text := sample.Written(t, "json", r)
		require.NoError(t, fits(t, s, text))
		got, err := report.Read(bytes.NewReader(text))
		require.NoError(t, err)
		require.Equal(t, r.Readiness, got.Readiness)
	}
	refusesEach(t, s, sample.Written(t, "json", sample.Integration()), map[string]string{
		`"ready": false`: `"ready": "no"`, `"armed": 3`: `"armed": -3`, `"sha256": "ab`: `"sha256": "XY`, `"exercise"`: `"do"`, `"sentence"`: `"text"`,
		`"level": "MUST",` + "\n        \"exercise\"": `"level": "must",` + "\n        \"exercise\"",
	})
}

func TestReadinessAsJUnit(t *testing.T) {
	t.Parallel()
	for _, r := range []*report.Report{sample.Integration(), sample.HostileIntegration(), sample.Silent()} {
		require.NoError(t, junitCheck(sample.Written(t, "junit", r)))
	}
	var d junitDocument
	text := sample.Written(t, "junit", sample.Integration())
	require.NoError(t, xml.Unmarshal(text, &d))
	require.Equal(t, []int{9, 2, 0}, []int{d.Tests, d.Failures, d.Errors})
	properties, outcome := map[string]string{}, map[string]string{}
	for _, s := range d.Suites {
		for _, p := range s.Properties {
			properties[p.Name] = p.Value
		}
		for _, c := range s.Cases {
			outcome[c.Name] = map[bool]string{c.Failure != nil: "failure", c.Skipped != nil: "skip"}[true]
		}
	}
	require.Equal(t, map[string]string{
		"partner.token.reuse": "failure", "partner.webhook.signature": "failure", "partner.idempotency.key": "skip", "partner.return.late": "skip",
		"partner.paging.end": "skip", "partner.polling.hot": "", "partner.amount.cents": "", "partner.privacy.urls": "skip", "partner.agent": "skip",
	}, outcome)
	require.Equal(t, "false", properties["readiness.ready"])
	require.Equal(t, "partner.token.reuse partner.webhook.signature", properties["readiness.blocking"])
	require.Equal(t, "2", properties["readiness.missing"])
	require.Equal(t, "tried 4 times, met twice", properties["readiness.attempts"])
	require.Equal(t, strings.Repeat("4111", 16), properties["sha256.integration-clauses"])
	require.Contains(t, string(text), `message="not-exercised (no evidence): no payment was returned; to exercise it: let a payment fail after it was paid"`)
}

func TestReadinessAsCTRF(t *testing.T) {
	t.Parallel()
	s := schemaFile(t, "ctrf.schema.json")
	for _, r := range []*report.Report{sample.Integration(), sample.HostileIntegration(), sample.Silent()} {
		require.NoError(t, fits(t, s, sample.Written(t, "ctrf", r)))
	}
	var d struct {
		Results struct {
			Summary map[string]int64
			Tests   []struct{ Name, Status, RawStatus, Message string }
			Extra   struct {
				Report, Headline string
				Readiness        *report.Readiness
			}
		}
	}
	require.NoError(t, json.Unmarshal(sample.Written(t, "ctrf", sample.Integration()), &d))
	require.Equal(t, sample.Integration().Readiness, d.Results.Extra.Readiness)
	require.Equal(t, "Integration readiness", d.Results.Extra.Report)
	require.Equal(t, []int64{2, 2, 5}, []int64{d.Results.Summary["passed"], d.Results.Summary["failed"], d.Results.Summary["skipped"]})
	for _, x := range d.Results.Tests {
		if x.RawStatus == "not-exercised" || x.RawStatus == "not-reached" {
			require.Equal(t, "skipped", x.Status, x.Name)
		}
	}
	require.Contains(t, string(sample.Written(t, "ctrf", sample.Integration())), "to exercise it: let a payment fail")
}

func TestReadinessAsCucumber(t *testing.T) {
	t.Parallel()
	s := schemaFile(t, "cucumber.schema.json")
	for _, r := range []*report.Report{sample.Integration(), sample.HostileIntegration(), sample.Silent()} {
		require.NoError(t, fits(t, s, sample.Written(t, "cucumber", r)))
	}
	var features []struct {
		Name, Description string
		Elements          []struct {
			Name  string
			Steps []struct{ Result struct{ Status string } }
		}
	}
	require.NoError(t, json.Unmarshal(sample.Written(t, "cucumber", sample.Integration()), &features))
	require.Equal(t, "Integration readiness", features[0].Name)
	require.Contains(t, features[0].Description, "tape: sha256 abab")
	status := map[string]string{}
	for _, e := range features[0].Elements {
		require.Len(t, e.Steps, 1)
		status[e.Name] = e.Steps[0].Result.Status
	}
	require.Equal(t, map[string]string{
		"partner.token.reuse": "failed", "partner.webhook.signature": "failed", "partner.idempotency.key": "skipped", "partner.return.late": "skipped",
		"partner.paging.end": "skipped", "partner.polling.hot": "passed", "partner.amount.cents": "passed", "partner.privacy.urls": "skipped", "partner.agent": "skipped",
	}, status)
	require.NotContains(t, string(sample.Written(t, "cucumber", sample.Service())), "clause:company.create.zip\"\n      }\n    ],\n    \"steps\": [\n      {\n       \"keyword\": \"* ")
}
