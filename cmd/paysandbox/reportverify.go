package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"paysandbox/harness/observe/judge"
	"paysandbox/harness/observe/recheck"
	"paysandbox/harness/seal"
	"paysandbox/harness/verdict"
)

func newReportVerify() *cobra.Command {
	var f gateFlags
	var saved, signers string
	cmd := &cobra.Command{
		Use:   "verify REPORT --tape TAPE",
		Short: "Judge a tape again, and hold a stored report to it",
		Long: "Judge the tape on which a report about an integration rests, with this program and on this day, and compare.\n" +
			"Give the flags with which it was judged; its command line stands in the report. It says valid, stale (clauses or\n" +
			"how they are judged have changed since), expired (--valid-for is over), not what was asked for (another build,\n" +
			"another tape, other clauses) or not what the tape shows. Whether the application is ready the report itself says.\n" +
			"Where a signature stands beside the report it has to hold for this report and this tape, and --signers says whose\n" +
			"is believed; ssh-keygen reads it too: ssh-keygen -Y verify -n " + seal.Namespace + " -f SIGNERS -I NAME\n" +
			"-s REPORT" + signatureSuffix + " < REPORT" + statementSuffix + "\n\n" +
			"Exit codes: 0 valid; 1 not what was asked for, not what the tape shows, or not signed by whom is believed; 2 usage, or a file that cannot be read;\n" +
			"3 stale or expired.",
		Args: reportFiles(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.recheck(cmd.OutOrStdout(), args[0], saved, signers)
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVar(&saved, "tape", "", "the saved tape on which the report rests")
	cmd.Flags().StringVar(&signers, "signers", "", "OpenSSH's allowed_signers: the report has to be signed by one of these")
	f.declareGate(cmd.Flags())
	return cmd
}

// recheck judges the tape again and says what became of the report.
func (f *gateFlags) recheck(w io.Writer, path, saved, signers string) error {
	if saved == "" {
		return badUsage("name the tape that --save-tape has written, with --tape", "a report is judged again by its tape, and none is named")
	}
	options, err := f.judging()
	if err != nil {
		return err
	}
	r, err := readReport(path)
	if err != nil {
		return err
	}
	if r.Readiness == nil {
		return badUsage("give a report of `paysandbox observe`", "%s is about a service: %s", path, r.Title())
	}
	meta, entries, err := readTape(saved)
	if err != nil {
		return err
	}
	who, err := signed(path, saved, signers, options.Now)
	if err != nil {
		return err
	}
	again, err := judge.Tape(meta, entries, options)
	if err != nil {
		return err
	}
	result := recheck.Compare(r, &again, recheck.Asked{Subject: f.subject, Version: version, Now: options.Now})
	line := fmt.Sprintf("%s: %s", result.Outcome, result.Why)
	if who != "" {
		line = who + "\n" + line
	}
	if _, err := fmt.Fprintln(w, line); err != nil {
		return err
	}
	if code := result.Outcome.Code(); code != verdict.CodeMet {
		return &verdictError{code: code, text: "the report is " + string(result.Outcome) + ": " + result.Why}
	}
	return nil
}
