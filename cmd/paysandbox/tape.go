package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"paysandbox/cmd/paysandbox/tapes"
	"paysandbox/harness/report/words"
	"paysandbox/mockserver/spelling"
	"paysandbox/mockserver/tape"
)

// newTape reads saved tapes.
func newTape() *cobra.Command {
	cmd := family("tape", "Read saved tapes: show, search, compare", newTapeShow(), newTapeGrep(), newTapeDiff())
	cmd.Long = "Read tapes that `paysandbox observe --save-tape` or GET …/tape has written. A file named - is standard input."
	return cmd
}

// choiceFlags say which entries of a tape are wanted.
type choiceFlags struct {
	kind string
	tapes.Choice
}

func (f *choiceFlags) declare(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.StringVar(&f.kind, "kind", "", "only entries of these kinds, for example exchange,event,attempt")
	fs.StringVar(&f.Operation, "operation", "", "only calls of this operation, for example createPayment")
	fs.StringVar(&f.Entity, "entity", "", "only what is about this id")
	fs.StringVar(&f.Label, "label", "", "only entries with this Sandbox-Label")
	fs.BoolVar(&f.Failed, "failed", false, "only what failed or was refused")
	fs.Uint64Var(&f.Since, "since", 0, "only entries behind this number")
	fs.Uint64Var(&f.Until, "until", 0, "only entries up to this number")
}

// read takes the kinds.
func (f *choiceFlags) read() error {
	for name := range strings.SplitSeq(f.kind, ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		var k tape.Kind
		if err := k.UnmarshalText([]byte(name)); err != nil {
			var all []string
			for _, k := range tape.Kinds() {
				all = append(all, k.String())
			}
			return badUsage("kinds are "+strings.Join(all, ", "), "--kind: %q is no kind of entry", name)
		}
		f.Kinds = append(f.Kinds, k)
	}
	return nil
}

// known refuses an operation that no call of the tape has: nothing would be found, and
// "no payments" be read in it.
func (f *choiceFlags) known(t *tapes.Tape) error {
	if f.Operation == "" {
		return nil
	}
	var names []string
	for n := range t.Entries {
		if x := t.Entries[n].Exchange; x != nil {
			names = append(names, x.Operation)
		}
	}
	if slices.Contains(names, f.Operation) {
		return nil
	}
	return badUsage("the nearest on the tape is "+cmp.Or(spelling.Nearest(f.Operation, names), "none: it holds no calls"), "--operation: no call of the tape is %q", f.Operation)
}

// openTape reads a tape, of which a part may be missing: here it is only looked at.
func openTape(path string, stdin io.Reader) (*tapes.Tape, error) {
	from := stdin
	if path != "-" {
		file, err := openPlain(path)
		if err != nil {
			return nil, badUsage("give a tape that can be read, or - for standard input", "%w", err)
		}
		defer func() { _ = file.Close() }()
		from = file
	}
	lines := bufio.NewReaderSize(from, 1<<20)
	if begins, _ := lines.Peek(8); tape.Packed(begins, "FILE") != "" {
		return nil, badUsage("`gunzip` and others unpack what comes through a pipe, too", "%s: %s", path, tape.Packed(begins, "FILE"))
	}
	meta, entries, err := tape.Read(lines)
	if err == nil {
		err = meta.Known()
	}
	if err != nil {
		return nil, badUsage("give a file that --save-tape or GET …/tape has written", "%s: %w", path, err)
	}
	return &tapes.Tape{Meta: meta, Entries: entries}, nil
}

// tapeShow are the flags of tape show.
type tapeShow struct {
	choiceFlags
	entry   uint64
	grep    string
	asJSON  bool
	formats []string
	most    int
}

func newTapeShow() *cobra.Command {
	var f tapeShow
	cmd := &cobra.Command{
		Use: "show FILE", Short: "Show a tape line by line, one entry in full, or as a page",
		Long: "Show a tape, a line for each entry with a line for each day; one entry in full with what led to it and what\n" +
			"followed; or as one HTML file that needs nothing else: what happened, entities, deliveries, messages, clock,\n" +
			"trouble, settings, readiness.",
		Example: "  paysandbox tape show session.tape --failed\n  paysandbox tape show session.tape --entry 470\n" +
			"  paysandbox tape show session.tape --format html=session.html\n  curl -s …/tape | paysandbox tape show - --label team-checkout",
		Args: oneFileArg,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), args[0], cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	f.declare(cmd)
	fs := cmd.Flags()
	fs.Uint64Var(&f.entry, "entry", 0, "this entry in full: request, answer, findings, cause, effects")
	fs.StringVar(&f.grep, "text", "", "only entries with this text, A to Z in either case")
	fs.BoolVar(&f.asJSON, "json", false, "the entries as they stand on the tape, as JSON lines")
	fs.StringArrayVar(&f.formats, "format", nil, "html=FILE: a page that is one file, readable without scripts")
	fs.IntVar(&f.most, "most", tapes.MostShown, "how many entries such a page shows at most")
	return cmd
}

// oneFileArg takes one file.
func oneFileArg(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return badUsage("`"+cmd.CommandPath()+" --help` shows how it is called", "give one tape, got %d", len(args))
	}
	return nil
}

func (f *tapeShow) run(ctx context.Context, path string, stdin io.Reader, stdout io.Writer) error {
	if err := f.read(); err != nil {
		return err
	}
	f.Text = f.grep
	var pages []string
	if f.most < 1 {
		return badUsage("give how many, for example --most 500", "--most: a page of %d entries shows nothing", f.most)
	}
	for _, format := range f.formats {
		name, file, _ := strings.Cut(format, "=")
		if name != "html" || file == "" {
			return badUsage("give --format html=session.html", "--format %q: a tape is shown in the terminal or as html=FILE", format)
		}
		pages = append(pages, file)
	}
	t, err := openTape(path, stdin)
	if err == nil {
		err = f.known(t)
	}
	if err != nil {
		return err
	}
	out := bufio.NewWriter(stdout)
	defer func() { _ = out.Flush() }()
	switch {
	case f.entry > 0:
		return f.full(t, out)
	case len(pages) > 0:
		return f.pages(ctx, t, path, pages, out)
	case f.asJSON:
		if terminal(stdout) {
			return f.lines(t, harmless{out})
		}
		return f.lines(t, out)
	default:
		return f.timeline(t, out, stdout)
	}
}

// full tells one entry.
func (f *tapeShow) full(t *tapes.Tape, out io.Writer) error {
	e, ok := t.Find(f.entry)
	if !ok {
		return badUsage("`paysandbox tape show` lists the numbers", "the file has no entry %d: %s", f.entry, t.Head())
	}
	for _, s := range t.Full(e) {
		if s.Heading != "" {
			_, _ = fmt.Fprintln(out, "\n"+s.Heading)
			s.Text = "  " + strings.ReplaceAll(s.Text, "\n", "\n  ")
		}
		_, _ = fmt.Fprintln(out, s.Text)
	}
	return nil
}

// timeline tells the chosen entries line by line, and each day, as stdout shows it.
func (f *tapeShow) timeline(t *tapes.Tape, out, stdout io.Writer) error {
	head := t.Head() + "\n"
	if width := columns(stdout); width > 0 {
		head = words.FoldLines(head, width, "  ")
	}
	_, _ = io.WriteString(out, head)
	p := textFor(stdout, nil)
	p.W = out
	day := ""
	chosen := f.From(t.Entries)
	for _, e := range chosen {
		l := t.Line(e)
		if today := l.At.Format(time.DateOnly); today != day {
			day = today
			_, _ = fmt.Fprintln(out, day)
		}
		p.Line("", &l)
	}
	if len(chosen) < len(t.Entries) {
		_, _ = fmt.Fprintf(out, "%d of %d entries\n", len(chosen), len(t.Entries))
	}
	return nil
}

// lines writes the chosen entries as they stand on the tape.
func (f *tapeShow) lines(t *tapes.Tape, out io.Writer) error {
	w := tape.NewWriter(out)
	if err := w.WriteMeta(t.Meta); err != nil {
		return err
	}
	for _, e := range f.From(t.Entries) {
		if err := w.WriteEntry(*e); err != nil {
			return err
		}
	}
	return nil
}

// pages writes the tape as pages, with the verdict where there is one.
func (f *tapeShow) pages(ctx context.Context, t *tapes.Tape, path string, files []string, out io.Writer) error {
	page := tapes.NewPage(filepath.Base(path), t, f.From(t.Entries), f.most)
	if from, to := hole(&t.Meta, t.Entries); from != 0 {
		page.Unjudged = fmt.Sprintf("Entries %d to %d are missing from the file: nothing can be said about readiness.", from, to)
	} else if v, err := judgeTape(ctx, t.Meta, t.Entries, f.Label); err != nil {
		page.Unjudged = "The tape cannot be judged: " + err.Error()
	} else {
		page.Readiness = &v
	}
	for _, file := range files {
		if err := writePage(page, file); err != nil {
			return err
		}
		_, _ = fmt.Fprintln(out, file+": "+t.Head())
		if page.LeftOut != "" {
			_, _ = fmt.Fprintln(out, page.LeftOut)
		}
	}
	return nil
}

func writePage(page *tapes.Page, path string) error {
	file, err := os.Create(path) //nolint:gosec // G304: the user names the file
	if err != nil {
		return badUsage("give a file that can be written", "--format html: %w", err)
	}
	out := bufio.NewWriterSize(file, 1<<20)
	return errors.Join(page.Write(out), out.Flush(), file.Close())
}
