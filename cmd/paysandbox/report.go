package main

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"paysandbox/harness/report"
	"paysandbox/harness/report/diff"
	"paysandbox/harness/report/format"
	"paysandbox/harness/verdict"
)

func newReport() *cobra.Command {
	cmd := family("report", "Compare stored reports, rewrite one, or hold one to its tape", newReportDiff(), newReportShow(), newReportVerify(), newReportPack())
	cmd.Args = noSuchReportCommand
	return cmd
}

// noSuchReportCommand refuses words that are no command below report.
func noSuchReportCommand(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return badUsage("use `paysandbox report diff OLD NEW`, `paysandbox report show FILE` or `paysandbox report verify REPORT --tape TAPE`", "there is no command %q below report", args[0])
}

func newReportDiff() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use: "diff OLD NEW", Short: "Say what regressed or was fixed between two reports",
		Long: "Compare two reports that --format json wrote, clause by clause.\n\n" +
			"Exit codes: 0 nothing regressed; 1 a clause that held now fails; 2 usage, or a file that is no report;\n" +
			"3 nothing regressed, but a clause of level MUST that was judged now lacks evidence.",
		Args: reportFiles(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return diffReports(cmd.OutOrStdout(), args[0], args[1], format)
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", strings.Join(diff.Formats(), ", "))
	completeWords(cmd, map[string][]string{"format": diff.Formats()})
	return cmd
}

func newReportShow() *cobra.Command {
	var formats []string
	cmd := &cobra.Command{
		Use: "show FILE", Short: "Write a stored report in another format",
		Long: "Read a report that --format json wrote, and write it again. The exit code is about the writing, not the verdict.",
		Args: reportFiles(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			// Read before the files are opened: one may have the same name.
			r, err := readReport(args[0])
			if err != nil {
				return err
			}
			writers, err := openReports(formats, cmd.OutOrStdout())
			if err != nil {
				return err
			}
			return writers.write(r)
		},
	}
	cmd.Flags().StringArrayVar(&formats, "format", nil, "FORMAT or FORMAT=FILE, one of "+strings.Join(format.Names(), ", ")+" (repeatable; default pretty)")
	completeWords(cmd, map[string][]string{"format": format.Names()})
	return cmd
}

// reportFiles asks for so many files.
func reportFiles(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != n {
			word := "files"
			if n == 1 {
				word = "file"
			}
			return badUsage("write `"+cmd.UseLine()+"`", "%s takes %d %s, got %d", cmd.CommandPath(), n, word, len(args))
		}
		return nil
	}
}

// diffReports prints what changed; a regression is an error.
func diffReports(w io.Writer, from, to, format string) error {
	if !slices.Contains(diff.Formats(), format) {
		return badUsage("use "+strings.Join(diff.Formats(), ", "), "--format: %q is not a format of a comparison", format)
	}
	before, err := readReport(from)
	if err != nil {
		return err
	}
	after, err := readReport(to)
	if err != nil {
		return err
	}
	if len(before.Clauses) > 0 && len(after.Clauses) > 0 && diff.Common(before, after) == 0 {
		hint := "compare two reports of one kind: two of `verify`, or two of `observe`"
		if before.Title() == after.Title() {
			hint = "compare two runs with the same --clauses, or without it"
		}
		return badUsage(hint, "%s and %s have no clause in common: %s, and %s", from, to, before.Title(), after.Title())
	}
	d := diff.Compare(before, after)
	if err := diff.Write(format, &d, w); err != nil {
		return err
	}
	if len(d.Regressed) > 0 {
		return &verdictError{code: verdict.CodeFailed, text: "regressed: " + diff.Names(d.Regressed)}
	}
	if lost := d.Lost(); len(lost) > 0 {
		return &verdictError{code: verdict.CodeLittle, text: "nothing regressed, but without evidence are now: " + diff.Names(lost)}
	}
	return nil
}

// readReport reads a stored report.
func readReport(path string) (*report.Report, error) {
	file, err := openPlain(path)
	if err != nil {
		return nil, badUsage("give a file that `--format json=FILE` wrote", "%w", err)
	}
	defer func() { _ = file.Close() }()
	r, err := report.Read(file)
	if err != nil {
		return nil, badUsage("give a file that `--format json=FILE` wrote", "%s: %w", path, err)
	}
	return r, nil
}
