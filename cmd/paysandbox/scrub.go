package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"paysandbox/harness/replay/read"
	"paysandbox/harness/replay/read/record"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/replay/scrub"
)

// scrubFlags are the flags of scrub.
type scrubFlags struct {
	out, key, format string
	services, as     []string
	webhookSecret    string
	keepData         bool
}

// newScrub makes the command that takes secrets and personal data out of a recording.
func newScrub() *cobra.Command {
	var f scrubFlags
	cmd := &cobra.Command{
		Use: "scrub FILE...", Short: "Take secrets and personal data out of a recording",
		Long: "Reads what replay reads (" + strings.Join(read.Formats(), ", ") + "), makes one recording of the files, and writes its calls and webhooks as JSON lines, " +
			"in which stand-ins have taken the place of secrets and personal data: the same value has the same stand-in, and what was valid stays valid. A last line tells what the calls do not: from which of the files each is, by number, and what these lack. " +
			"Only what was understood is written: comments, cookies of pages and calls to other hosts stay behind. Nothing leaves this machine.\n\n" +
			"It tells on standard error how many values of which kind were replaced, what it did not look at, and what may have been missed: look at those places before you send the file.",
		Example: "  paysandbox scrub session.har webhooks.txt --out case.jsonl",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return badUsage("paysandbox scrub session.har --out case.jsonl", "scrub wants the files to take secrets out of")
			}
			return f.run(cmd.Context(), cmd.OutOrStdout(), harmless{cmd.ErrOrStderr()}, args)
		},
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.StringVarP(&f.out, "out", "o", "-", "file to write the JSON lines to; - is standard output")
	fs.StringArrayVar(&f.services, "service", nil, "the service's address in the files, host and path before the operations (default: found)")
	fs.StringArrayVar(&f.as, "as", nil, "FILE=FORMAT: what a file is (default: found)")
	fs.StringVar(&f.webhookSecret, "webhook-secret", "", "secret of your endpoint: signatures are checked here, for afterwards they cannot be")
	fs.BoolVar(&f.keepData, "keep-data", false, "leave data of people, for a recording that is your own; secrets are taken out all the same")
	fs.StringVar(&f.key, "key", "", "word that the stand-ins follow from: the same word gives other files the same ones (default: drawn, and kept nowhere)")
	fs.StringVar(&f.format, "format", "text", "text or json: how it tells what was done")
	return cmd
}

func (f *scrubFlags) run(ctx context.Context, stdout, stderr io.Writer, files []string) error {
	if f.format != "text" && f.format != "json" {
		return badUsage("use --format text or --format json", "there is no format %q", f.format)
	}
	formats, err := formatsSaid(f.as, files)
	if err != nil {
		return err
	}
	key := []byte(f.key)
	if len(key) == 0 {
		key = make([]byte, 32)
		_, _ = rand.Read(key) // never fails
	}
	s := scrub.New(key, scrub.Options{KeepData: f.keepData})
	clean, err := interruptible(ctx, "scrub", func() (recording.Recording, error) {
		r, err := read.Files(files, read.Options{Services: f.services, WebhookSecret: f.webhookSecret, Formats: formats})
		if err != nil {
			return r, badUsage("`paysandbox scrub --help` lists the forms that are read", "%w", err)
		}
		return s.Recording(r), nil
	})
	if err != nil {
		return err
	}
	if err := f.write(stdout, &clean); err != nil {
		return err
	}
	return f.tell(stderr, &clean, s.Report())
}

// write writes the lines; a file that stands there already is not written over.
func (f *scrubFlags) write(stdout io.Writer, r *recording.Recording) (err error) {
	if f.out == "-" {
		return record.WriteJSONLines(stdout, r)
	}
	file, err := os.OpenFile(f.out, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return badUsage("name another file, or remove it", "%s is there already", f.out)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return record.WriteJSONLines(file, r)
}

// tell tells what was done.
func (f *scrubFlags) tell(w io.Writer, r *recording.Recording, report scrub.Report) error {
	if f.format == "json" {
		return json.NewEncoder(w).Encode(report)
	}
	_, _ = fmt.Fprintf(w, "%d calls and %d webhooks of %d files\n", len(r.Exchanges), len(r.Received), len(r.Sources))
	for _, kind := range slices.Sorted(maps.Keys(report.Replaced)) {
		_, _ = fmt.Fprintf(w, "  replaced %5d × %s\n", report.Replaced[kind], kind)
	}
	for _, skipped := range recording.Together(r.Skipped) {
		_, _ = fmt.Fprintf(w, "  left out: %s%s%s\n", where(skipped.Place), skipped.Why, times(skipped))
	}
	for _, note := range report.NotLookedAt {
		_, _ = fmt.Fprintf(w, "  not looked at: %s%s\n", where(note.Place), note.What)
	}
	for _, note := range report.Missed {
		_, _ = fmt.Fprintf(w, "  may have been missed: %s%s\n", where(note.Place), note.What)
	}
	if report.More > 0 {
		_, _ = fmt.Fprintf(w, "  and %d more such places\n", report.More)
	}
	return nil
}

// where is a place in a file, with a colon behind it.
func where(p recording.Place) string {
	switch {
	case p.Line > 0:
		return fmt.Sprintf("%s, line %d: ", p.Source, p.Line)
	case p.Entry > 0:
		return fmt.Sprintf("%s, entry %d: ", p.Source, p.Entry)
	default:
		return p.Source + ": "
	}
}

func times(s recording.Skipped) string {
	text := ""
	if s.Host != "" {
		text = " (" + s.Host + ")"
	}
	if s.Count > 1 {
		text += fmt.Sprintf(", %d times", s.Count)
	}
	return text
}

// formatsSaid are the formats of files that --as tells, each FILE=FORMAT.
func formatsSaid(as, files []string) (map[string]string, error) {
	said := map[string]string{}
	for _, pair := range as {
		name, format, ok := strings.Cut(pair, "=")
		if !ok || !slices.Contains(files, name) {
			return nil, badUsage("write --as session.txt=har", "--as %s names none of the files", pair)
		}
		said[name] = format
	}
	return said, nil
}
