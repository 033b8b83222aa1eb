package main

import (
	"errors"
	"os"
	"time"

	"paysandbox/harness/observe/history"
	"paysandbox/harness/report"
)

// readHistory reads what earlier runs came to; a file that is not there yet has none.
func readHistory(path string) ([]history.Run, error) {
	if path == "" {
		return nil, nil
	}
	file, err := openPlain(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, badUsage("give a file that can be read and written", "--history: %w", err)
	}
	defer func() { _ = file.Close() }()
	list, err := history.Read(file)
	if err != nil {
		return nil, badUsage("give a file that --history has written, or one that is not there yet", "--history %s: %w", path, err)
	}
	return list, nil
}

// keepRun adds a run to the history.
func keepRun(path string, r *report.Report) error {
	if path == "" {
		return nil
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644) //nolint:gosec // G302: it is for others, as reports are
	if err != nil {
		return badUsage("give a file that can be written", "--history: %w", err)
	}
	run := history.Run{At: time.Now().UTC().Format(time.RFC3339), Subject: r.Readiness.Subject, Ready: r.Readiness.Ready, ExitCode: r.ExitCode}
	for _, d := range r.Readiness.Digests {
		if d.Name == "tape" {
			run.SHA256 = d.SHA256
		}
	}
	return errors.Join(history.Write(file, run), file.Close())
}
