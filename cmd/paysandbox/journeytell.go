package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/clause"
	"paysandbox/harness/journey/drive"
	"paysandbox/harness/report"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// journeyTeller tells journeys as they end.
type journeyTeller struct {
	stdout io.Writer
	// quiet is true when a report goes to stdout, which then holds nothing else.
	quiet   bool
	paint   drive.Paint
	tapes   string
	reports *reports
	// planned is how many journeys are to be played, played how many were, passed how
	// many did well.
	planned, played, passed int
}

func (f *journeyFlags) teller(stdout io.Writer) (*journeyTeller, error) {
	t := &journeyTeller{stdout: stdout, tapes: f.tapes, paint: drive.Plain, reports: &reports{stdout: stdout}}
	if coloured(stdout) {
		t.paint = inColour
	}
	if f.tapes != "" {
		if err := os.MkdirAll(f.tapes, 0o755); err != nil { //nolint:gosec // G301: tapes of invented people
			return nil, badUsage("give a directory that can be written", "--tape: %w", err)
		}
	}
	if len(f.formats) == 0 {
		return t, nil
	}
	var err error
	if t.reports, err = openReports(f.formats, stdout); err != nil {
		return nil, err
	}
	t.quiet = slices.Contains(t.reports.files, nil)
	return t, nil
}

// inColour paints for a terminal.
func inColour(part, text string) string {
	code := map[string]string{"title": "1", "pass": "32", "fail": "31"}[part]
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// journey tells one journey and keeps its tape.
func (t *journeyTeller) journey(d *drive.Driven) error {
	t.played++
	if d.Verdict == verdict.Pass {
		t.passed++
	}
	if t.tapes != "" {
		if err := t.keep(d); err != nil {
			return err
		}
	}
	if t.quiet {
		return nil
	}
	var b strings.Builder
	err := drive.Account(&b, d, t.paint)
	tellLines(t.stdout, strings.Repeat(" ", 10), strings.TrimSuffix(b.String(), "\n"))
	return err
}

// keep writes the tape of a journey.
func (t *journeyTeller) keep(d *drive.Driven) error {
	file, err := os.Create(filepath.Join(t.tapes, d.Name+".jsonl"))
	if err != nil {
		return badUsage("give a directory that can be written", "--tape: %w", err)
	}
	return errors.Join(tape.Write(file, d.Meta, slices.Values(d.Entries)), file.Close())
}

// passing says how many of the journeys pass.
func (t *journeyTeller) passing() string {
	switch {
	case t.played == 0:
		return "no journey was played"
	case t.planned != 1:
		return fmt.Sprintf("%d of %d journeys pass", t.passed, t.planned)
	case t.passed == 1:
		return "the journey passes"
	default:
		return "the journey does not pass"
	}
}

// end tells what came of all journeys, and writes the reports.
func (t *journeyTeller) end(r *report.Report) error {
	if !t.quiet {
		held := 0
		for i := range r.Clauses {
			if r.Clauses[i].Verdict == verdict.Pass && strings.HasPrefix(r.Clauses[i].ID, clause.IntegrationPrefix) {
				held++
			}
		}
		tellLines(t.stdout, "  ", fmt.Sprintf("%s; %d of %d clauses of the integration catalogue were seen to hold; %s",
			t.passing(), held, len(clause.Integration()), r.Duration.Round(10*time.Millisecond)))
	}
	return t.reports.write(r)
}
