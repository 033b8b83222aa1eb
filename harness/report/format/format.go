package format

import (
	"fmt"
	"io"

	"paysandbox/harness/report"
	"paysandbox/harness/report/readiness"
)

// format is a name and its writer.
type format struct {
	name  string
	write func(readiness.View, io.Writer) error
}

// formats are the writers, in the order in which they are listed.
func formats() []format {
	return []format{
		{"pretty", writePretty},
		{"html", writeHTML},
		{"markdown", writeMarkdown},
		{"json", func(r readiness.View, w io.Writer) error { return report.WriteJSON(r.Report, w) }},
		{"junit", writeJUnit},
		{"ctrf", writeCTRF},
		{"cucumber", writeCucumber},
	}
}

// Names lists the names that [Write] knows.
func Names() []string {
	var names []string
	for _, f := range formats() {
		names = append(names, f.name)
	}
	return names
}

// Write writes the report in a format, one of [Names]. The bytes depend on
// nothing but the report. The error wraps ErrFormat when there is no such format,
// otherwise it is the writer's.
func Write(name string, r *report.Report, w io.Writer) error {
	for _, f := range formats() {
		if f.name != name {
			continue
		}
		if err := f.write(readiness.View{Report: r}, w); err != nil {
			return fmt.Errorf("write the %s report: %w", name, err)
		}
		return nil
	}
	return unknownFormat(name)
}
