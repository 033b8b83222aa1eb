package report

import (
	_ "embed"
	"errors"
	"io"
	"slices"

	"paysandbox/harness/report/words"
)

// Format is the name and version of our own format, the first member of the
// JSON document. A change of meaning raises the version; readers ignore members
// that they do not know.
const Format = "paysandbox-report/1"

//go:embed report.schema.json
var schemaText []byte

// ErrFormat means that a format is not known or not written properly. It comes
// wrapped; use errors.Is.
var ErrFormat = errors.New("report format")

// Schema is the JSON Schema of our own format.
func Schema() []byte { return slices.Clone(schemaText) }

// document is a report with its format's name in front.
type document struct {
	Format string `json:"format"`
	*Report
}

// WriteJSON writes our own format.
func WriteJSON(r *Report, w io.Writer) error {
	flat := *r
	flat.Started = r.Started.UTC()
	if flat.Clauses == nil {
		flat.Clauses = []ClauseResult{}
	}
	if flat.Scenarios == nil {
		flat.Scenarios = []ScenarioResult{}
	}
	return words.WriteJSON(document{Format, &flat}, w)
}
