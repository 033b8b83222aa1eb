package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"paysandbox/harness/observe/judge"
	"paysandbox/harness/observe/recheck"
	"paysandbox/harness/report"
	"paysandbox/harness/seal"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/tape"
)

// recheckFlags say how a stored report is held to its tape.
type recheckFlags struct {
	gateFlags
	tape, signers string
	latitude      []string
}

func (f *recheckFlags) declare(fs *pflag.FlagSet) {
	fs.StringVar(&f.tape, "tape", "", "the saved tape on which the report rests")
	fs.StringVar(&f.signers, "signers", "", "OpenSSH's allowed_signers, or public keys of minisign or OpenSSL: the report has to be signed by one of these")
	fs.StringArrayVar(&f.latitude, "latitude", nil, "NAME=VALUE: what the service chooses now; clauses that rest on another choice are stale (repeatable)")
	f.declareGate(fs)
}

func newReportVerify() *cobra.Command {
	var f recheckFlags
	cmd := &cobra.Command{
		Use: "verify REPORT --tape TAPE | verify PACK", Short: "Judge a tape again, and hold a stored report to it",
		Long: "Judge the tape on which a report about an integration rests, with this program and on this day, and compare.\n" +
			"Give the flags with which it was judged; its command line stands in the report. A file that `report pack` has made\n" +
			"holds the tape and these flags. It says valid, stale (clauses, how they are judged, or choices have changed\n" +
			"since), expired (--valid-for is over), not what was asked for (another build, another tape, other clauses) or not\n" +
			"what the tape shows. Whether the application is ready the report itself says.\n" +
			"Where a signature stands beside the report it has to hold for this report and this tape, and --signers says whose\n" +
			"is believed; who has made the key reads it too: ssh-keygen -Y verify -n " + seal.Namespace + " -f SIGNERS -I NAME\n" +
			"-s REPORT" + statementSuffix + seal.SSHSuffix + " < REPORT" + statementSuffix + ", minisign -V -p KEY.pub -m REPORT" + statementSuffix + "\n\n" +
			"Exit codes: 0 valid; 1 not what was asked for, not what the tape shows, or not signed by whom is believed; 2 usage, or a file that cannot be read;\n" +
			"3 stale or expired.",
		Args: reportFiles(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.recheck(cmd, args[0])
		},
	}
	cmd.Flags().SortFlags = false
	f.declare(cmd.Flags())
	return cmd
}

// rested is a report with what became of it; who has signed it, if anybody.
type rested struct {
	report *report.Report
	result recheck.Result
	who    string
}

// recheck judges the tape again and says what became of the report.
func (f *recheckFlags) recheck(cmd *cobra.Command, path string) error {
	if packed(path) {
		dir, err := os.MkdirTemp("", "paysandbox-pack")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(dir) }()
		if path, err = f.unpack(path, dir, cmd.Flags()); err != nil {
			return err
		}
	}
	found, err := f.judge(path)
	if err != nil {
		return err
	}
	result := found.result
	line := fmt.Sprintf("%s: %s", result.Outcome, result.Why)
	if found.who != "" {
		line = found.who + "\n" + line
	}
	if _, err := fmt.Fprintln(cmd.OutOrStdout(), line); err != nil {
		return err
	}
	if code := result.Outcome.Code(); code != verdict.CodeMet {
		return &verdictError{code: code, text: "the report is " + string(result.Outcome) + ": " + result.Why}
	}
	return nil
}

// judge judges the tape of a report again.
func (f *recheckFlags) judge(path string) (rested, error) {
	var found rested
	if f.tape == "" {
		return found, badUsage("name the tape that --save-tape has written, with --tape", "a report is judged again by its tape, and none is named")
	}
	options, err := f.judging()
	if err != nil {
		return found, err
	}
	if found.report, err = readReport(path); err != nil {
		return found, err
	}
	if found.report.Readiness == nil {
		return found, badUsage("give a report of `paysandbox observe`", "%s is about a service: %s", path, found.report.Title())
	}
	changed, err := f.changed(found.report.Readiness.Choices)
	if err != nil {
		return found, err
	}
	meta, entries, digest, err := readTape(f.tape)
	if err != nil {
		return found, err
	}
	if found.who, err = signed(found.report, path, f.tape, f.signers, options.Now); err != nil {
		return found, err
	}
	options.SHA256 = digest
	again, err := judge.Tape(meta, entries, options)
	if err != nil {
		return found, err
	}
	found.result = recheck.Compare(found.report, &again, recheck.Asked{Subject: f.subject, Version: version, Now: options.Now, Changed: changed})
	if meta.Ending != tape.Whole {
		found.result.Why += "; the tape is " + meta.Ending.String()
	}
	return found, nil
}

// changed names the knobs that are set otherwise now than they were; none where nobody
// says what the service chooses now.
func (f *recheckFlags) changed(then []string) ([]string, error) {
	if len(f.latitude) == 0 {
		return nil, nil
	}
	was, err := latitude.Parse(then)
	if err != nil {
		return nil, badUsage("judge it by the release that has watched", "the report's choices: %w", err)
	}
	now, err := was.WithAll(f.latitude)
	if err != nil {
		return nil, badUsage("`paysandbox latitude` lists the names and values", "--latitude: %w", err)
	}
	var list []string
	for _, k := range latitude.Knobs() {
		if was.Get(k) != now.Get(k) {
			list = append(list, k.Name())
		}
	}
	return list, nil
}
