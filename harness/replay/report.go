package replay

import (
	_ "embed"
	"slices"

	"paysandbox/harness/replay/recording"
)

//go:embed report.schema.json
var schema []byte

// reportVersion is that of the report's form, which the schema describes.
const reportVersion = 1

// Schema is the JSON schema of a [Report].
func Schema() []byte { return slices.Clone(schema) }

// Report is a case as machines read it.
type Report struct {
	Version   int                 `json:"version"`
	Title     string              `json:"title"`
	Signature string              `json:"signature"`
	Sources   []recording.Source  `json:"sources"`
	Services  []recording.Service `json:"services"`
	Calls     int                 `json:"calls"`
	Webhooks  int                 `json:"webhooks"`
	Moves     []string            `json:"moves"`
	// Known are the stored cases of the same cause; null where none were looked through.
	Known []string `json:"known"`
	*Case
}

// Report is what is told of the case. known are the stored cases of the same cause, nil where none were looked through.
func (c *Case) Report(known []string) Report {
	return Report{
		Version: reportVersion, Title: c.Title(), Signature: c.Signature(), Sources: c.Recording.Sources, Services: c.Recording.Services,
		Calls: len(c.Recording.Exchanges), Webhooks: len(c.Recording.Received), Moves: c.Moves(), Known: known, Case: c,
	}
}
