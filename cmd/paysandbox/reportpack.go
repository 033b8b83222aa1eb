package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"paysandbox/harness/observe/recheck"
	"paysandbox/harness/report/pack"
	"paysandbox/harness/seal"
	"paysandbox/harness/verdict"
)

func newReportPack() *cobra.Command {
	var f recheckFlags
	var out string
	cmd := &cobra.Command{
		Use: "pack REPORT --tape TAPE", Short: "Put a report and all that it rests on into one file, to be sent",
		Long: "Judge the tape again, and pack the report, the tape, what people have put their names to, a signature that stands\n" +
			"beside the report, and a manifest with the choices, the gate and all digests. Give the flags with which it was\n" +
			"judged. `paysandbox report verify FILE` takes the pack and needs none of them. A tape holds no secrets; it does\n" +
			"hold the names, addresses and numbers that the tests used: have real ones replaced with `paysandbox scrub`\n" +
			"before it is judged.\n\n" +
			"Exit codes: 0 packed; 1 the report is not what the tape shows, or not what was asked for: nothing is packed;\n" +
			"2 usage, or a file that cannot be read or written; 3 stale or expired: nothing is packed.",
		Args: reportFiles(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.pack(cmd, args[0], out)
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVar(&out, "out", "", "the file that is written (default: the report's name with .pack.zip)")
	f.declare(cmd.Flags())
	return cmd
}

// pack holds the report to its tape and writes the archive.
func (f *recheckFlags) pack(cmd *cobra.Command, path, out string) error {
	rested, err := f.judge(path)
	if err != nil {
		return err
	}
	if result := rested.result; result.Outcome != recheck.Valid {
		return &verdictError{code: result.Outcome.Code(), text: "nothing is packed: the report is " + string(result.Outcome) + ": " + result.Why}
	}
	files := map[string][]byte{}
	for name, from := range map[string]string{
		pack.ReportName: path, pack.TapeName: f.tape, pack.AttestName: f.attest, pack.WaiversName: f.waivers,
		pack.StatementName: path + statementSuffix, pack.SignatureName: path + statementSuffix + seal.SSHSuffix, pack.MinisignName: path + statementSuffix + seal.MinisignSuffix,
	} {
		text, err := os.ReadFile(from) //nolint:gosec // G304: the user names the files
		switch {
		case err == nil:
			files[name] = text
		case from != "" && !errors.Is(err, os.ErrNotExist):
			return badUsage("give a file that can be read", "%w", err)
		}
	}
	r := rested.report.Readiness
	var archive bytes.Buffer
	if err := pack.Write(&archive, pack.Manifest{
		Tool: "paysandbox", Version: version, Subject: r.Subject, Environment: r.Environment, Choices: append([]string{}, r.Choices...),
		Gate: pack.Gate{Clauses: f.clauses, AllowUnreached: f.allowUnreached, FailOn: f.failOn, Label: f.label, ValidFor: f.validFor},
	}, files); err != nil {
		return err
	}
	if out == "" {
		out = strings.TrimSuffix(path, ".json") + ".pack.zip"
	}
	if err := replaceFile(out, archive.Bytes(), 0o644); err != nil {
		return badUsage("give a file that can be written, with --out", "%w", err)
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %d files, %d bytes; check it with `paysandbox report verify %s`\n", out, len(files)+1, archive.Len(), shellWord(out))
	return err
}

// packed says whether a file begins as a pack does.
func packed(path string) bool {
	file, err := os.Open(path) //nolint:gosec // G304: the user names the file
	if err != nil {
		return false // that is told where it is read
	}
	defer func() { _ = file.Close() }()
	head := make([]byte, 4)
	n, _ := file.Read(head)
	return bytes.Equal(head[:n], []byte("PK\x03\x04"))
}

// unpack lays the files of a pack into a folder, and takes the gate from its manifest
// where no flag says otherwise. It gives the place of the report.
func (f *recheckFlags) unpack(path, dir string, flags *pflag.FlagSet) (string, error) {
	file, err := os.Open(path) //nolint:gosec // G304: the user names the file
	if err != nil {
		return "", badUsage("give a file that can be read", "%w", err)
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return "", err
	}
	m, files, err := pack.Read(file, info.Size())
	if err != nil {
		return "", &verdictError{code: verdict.CodeFailed, text: path + ": " + err.Error()}
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			return "", err
		}
	}
	at := func(name string) string {
		if files[name] == nil {
			return ""
		}
		return filepath.Join(dir, name)
	}
	if f.tape = at(pack.TapeName); !flags.Changed("attest") {
		f.attest = at(pack.AttestName)
	}
	if !flags.Changed("waivers") {
		f.waivers = at(pack.WaiversName)
	}
	if !flags.Changed("clauses") {
		f.clauses = m.Gate.Clauses
	}
	if !flags.Changed("label") {
		f.label = m.Gate.Label
	}
	if !flags.Changed("fail-on") && m.Gate.FailOn != "" {
		f.failOn = m.Gate.FailOn
	}
	if !flags.Changed("allow-unreached") {
		f.allowUnreached = m.Gate.AllowUnreached
	}
	return filepath.Join(dir, pack.ReportName), nil
}
