package main

import (
	"os"
	"strings"

	"paysandbox/harness/replay"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/writeout"
)

// writeCase writes a case in forms, each FORM=FILE.
func writeCase(to []string, c *replay.Case, sandbox *play.Sandbox) error {
	for _, one := range to {
		form, file, ok := strings.Cut(one, "=")
		if !ok || file == "" {
			return badUsage("for example --to feature=case.feature", "--to: %q is not FORM=FILE", one)
		}
		if form == "case" {
			if err := c.Save(file, sandbox); err != nil {
				return badUsage("give a folder that can be written", "--to: %w", err)
			}
			continue
		}
		text, err := writeout.Write(form, c.Written(sandbox))
		if err != nil {
			return badUsage("for example --to feature=case.feature", "--to: %w", err)
		}
		if err := os.WriteFile(file, text, 0o600); err != nil {
			return badUsage("give a file that can be written", "--to: %w", err)
		}
	}
	return nil
}
