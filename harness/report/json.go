package report

import (
	"errors"
	"io"

	"paysandbox/harness/report/words"
)

// Format is the name and version of our own format, the first member of the
// JSON document; report.schema.json describes it. A change of meaning raises the version; readers ignore members
// that they do not know.
const Format = "paysandbox-report/1"

// ErrFormat means that a format is not known or not written properly. It comes
// wrapped; use errors.Is.
var ErrFormat = errors.New("report format")

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
