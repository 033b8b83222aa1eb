package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"paysandbox/harness/replay"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/writeout"
)

// inForm is a case in a form, and what of the case the form does not say.
func inForm(form string, c *writeout.Case) (text []byte, untold []string, err error) {
	if form == "feature" {
		return writeout.Feature(c)
	}
	text, err = writeout.Write(form, c)
	return text, nil, err
}

// forms are those that --to takes: a case's folder is one of files.
func forms() []string { return append(writeout.Forms(), "case") }

// checkForms holds each of --to to be FORM=FILE, before the work.
func checkForms(to []string) error {
	for _, one := range to {
		form, file, ok := strings.Cut(one, "=")
		if !ok || file == "" {
			return badUsage("for example --to feature=case.feature", "--to: %q is not FORM=FILE", one)
		}
		if !slices.Contains(forms(), form) {
			return badUsage("for example --to feature=case.feature", "--to: %q is no form of a case: use one of %s", form, strings.Join(forms(), ", "))
		}
	}
	return nil
}

// writeCase writes a case in forms, each FORM=FILE, and tells what of it a form leaves out.
func writeCase(to []string, c *replay.Case, sandbox *play.Sandbox, stderr io.Writer) error {
	for _, one := range to {
		form, file, _ := strings.Cut(one, "=")
		if form == "case" {
			if err := c.Save(file, sandbox); err != nil {
				return badUsage("give a folder that can be written", "--to: %w", err)
			}
			continue
		}
		text, untold, err := inForm(form, c.Written(sandbox))
		for _, what := range untold {
			_, _ = fmt.Fprintf(stderr, "%s does not say: %s\n", file, what)
		}
		if err != nil {
			return badUsage("for example --to feature=case.feature", "--to: %w", err)
		}
		if err := os.WriteFile(file, text, 0o600); err != nil {
			return badUsage("give a file that can be written", "--to: %w", err)
		}
	}
	return nil
}
