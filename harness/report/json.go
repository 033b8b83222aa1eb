package report

import (
	_ "embed"
	"encoding/json"
	"io"
	"slices"
)

// Format is the name and version of our own format, the first member of the
// JSON document. A change of meaning raises the version; readers ignore members
// that they do not know.
const Format = "paysandbox-report/1"

//go:embed report.schema.json
var schemaText []byte

// Schema is the JSON Schema of our own format.
func Schema() []byte { return slices.Clone(schemaText) }

// document is a report with its format's name in front.
type document struct {
	Format string `json:"format"`
	*Report
}

// writeJSON writes our own format.
func writeJSON(r *Report, w io.Writer) error {
	flat := *r
	flat.Started = r.Started.UTC()
	if flat.Clauses == nil {
		flat.Clauses = []ClauseResult{}
	}
	if flat.Scenarios == nil {
		flat.Scenarios = []ScenarioResult{}
	}
	return indented(document{Format, &flat}, w)
}

// indented writes a value as JSON for people.
func indented(v any, w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
