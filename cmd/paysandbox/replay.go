package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"paysandbox/harness/replay"
	"paysandbox/harness/replay/diagnose"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/writeout"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/latitude"
)

// replayFlags say what a case is made of and what becomes of it.
type replayFlags struct {
	services, latitude  []string
	as                  []string
	webhookSecret, keep string
	known, format       string
	to                  []string
	complete, minimise  bool
	keepData, step      bool
	choices             string
	// stepped says that a person has made another world step by step than that of the files.
	stepped bool
	stand   standFlags
	target  targetFlags
}

func newReplay(env lookup) *cobra.Command {
	var f replayFlags
	cmd := &cobra.Command{
		Use: "replay FILE...", Short: "Make a case of a partner's report: what differs, and why",
		Long: "Read what a partner sends (a saved tape, HAR, curl, PowerShell, fetch, .http, Postman, Insomnia, JSON lines,\n" +
			"mails, chats, terminals and logs in which calls stand,\n" +
			"webhooks as received; several files, or those of a folder, make one case), play it to a fresh sandbox, infer what people and banks did, compare, and say in five\n" +
			"lines where it first went wrong and whose side that is.\n\n" +
			"With --target the case is then played to that service, and its answers make the case once more. What other people\n" +
			"and time do there, its control API does; where that is lacking you are asked to, one thing at a time.\n\n" +
			"Exit codes: 0 nobody's fault, or a choice of the service; 1 the partner's or the service's; 2 usage, or a file\n" +
			"that cannot be read; 3 it cannot be told from these files, or --minimise was interrupted; 4 the target cannot be\n" +
			"reached. With --target, 0 also where the partner's fault of the files is refused there alike, and 1 where another\n" +
			"fault shows than in the files. The folder of a stored case: 0 when it comes out as it was stored, whoever's fault it\n" +
			"shows, and 1 when it has changed.",
		Args: func(_ *cobra.Command, files []string) error {
			if len(files) == 0 {
				return badUsage("for example `paysandbox replay report.har`", "replay wants at least one file")
			}
			return nil
		},
		RunE: withEnvironment(env, func(cmd *cobra.Command, files []string) error {
			stdout := cmd.OutOrStdout()
			if f.format == "pretty" {
				stdout = harmless{stdout}
			}
			return f.run(cmd.Context(), files, cmd.InOrStdin(), stdout, harmless{cmd.ErrOrStderr()})
		}),
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.StringArrayVar(&f.services, "service", nil, "the service's address in the files, host and path before the operations (default: found)")
	fs.StringArrayVar(&f.as, "as", nil, "FILE=FORMAT: what a file is (default: found)")
	fs.StringVar(&f.webhookSecret, "webhook-secret", "", "secret of the partner's webhook endpoint: signatures are checked")
	fs.BoolVar(&f.complete, "all-webhooks", false, "the files hold every webhook that arrived: each that is missing is told, not only the one that is between all others")
	fs.BoolVar(&f.keepData, "keep-data", false, "leave data of people, for a recording that is your own; secrets are taken out all the same")
	fs.BoolVar(&f.minimise, "minimise", false, "find the shortest sequence that still shows the first fault, or what --keep says")
	fs.StringVar(&f.keep, "keep", "", "what --minimise keeps: clause=ID, call=N (its answer), difference, state=ID:STATE")
	fs.StringVar(&f.known, "known", "", "folder of stored cases, each in a folder of its own: say which of them has the same cause")
	fs.StringVar(&f.format, "format", "pretty", "pretty, json, html or markdown (pretty alone with --target, --step and --serve)")
	fs.BoolVar(&f.step, "step", false, "play the case (what --minimise leaves) step by step: next, edit, skip, why, advance, quit")
	fs.StringArrayVar(&f.to, "to", nil, "write the case (what --minimise leaves): FORM=FILE, one of "+strings.Join(forms(), ", ")+" (repeatable)")
	fs.StringArrayVar(&f.latitude, "latitude", nil, "NAME=VALUE: what the service is known to choose (repeatable; see paysandbox latitude)")
	fs.StringVar(&f.choices, "choices", "", "`FILE` with what the service was learnt to choose, under 'choices:' in YAML; a case.yaml is one")
	f.stand.declare(cmd, env)
	f.target.declare(cmd.Flags())
	_ = cmd.RegisterFlagCompletionFunc("latitude", completeLatitude)
	return cmd
}

// run makes the case, tells it and writes it.
func (f *replayFlags) run(ctx context.Context, files []string, stdin io.Reader, stdout, stderr io.Writer) error {
	chosen, err := f.chosen()
	if err != nil {
		return err
	}
	var box *opened
	if f.stand.serve {
		if box, err = f.stand.open(ctx, stderr); err != nil {
			return err
		}
		defer box.listeners.Close()
	}
	sandbox, again, stop, err := replaySandbox(ctx)
	if err != nil {
		return err
	}
	options := replay.Options{Sandbox: sandbox, Again: again, Knobs: knobs(), Latitude: chosen, Parallel: runtime.GOMAXPROCS(0)}
	c, stored, err := f.make(ctx, files, options)
	if err == nil {
		err = f.tell(c, sandbox, stdout)
	}
	small := c
	if err == nil {
		small, err = f.left(ctx, c, options, stdin, stdout, stderr)
	}
	if err == nil && f.target.target != "" {
		err = f.atTarget(ctx, small, options, stdin, stdout)
	}
	if err = errors.Join(err, stop()); err != nil {
		return err
	}
	if err := writeCase(f.to, small, sandbox, stderr); err != nil {
		return err
	}
	switch {
	case f.stand.serve:
		return f.stand.stand(ctx, box, small, stdout)
	case f.target.target != "":
		return f.target.verdict
	case stored != nil:
		return f.ofStored(stored, c, stdout)
	default:
		return f.ofFiles(caseVerdict(c))
	}
}

// ofFiles says of a verdict that it is that of the files, where a person has made another world of them.
func (f *replayFlags) ofFiles(err error) error {
	var told *verdictError
	if f.stepped && errors.As(err, &told) {
		told.text = "in the files as they came (what was changed step by step is not judged), " + told.text
	}
	return err
}

// ofStored is how the replay of a stored case ends: whoever's fault it shows, it has to come out as it was.
func (f *replayFlags) ofStored(stored *replay.Stored, c *replay.Case, stdout io.Writer) error {
	err := changes(stored, c)
	if err == nil && f.format == "pretty" {
		_, err = fmt.Fprintf(stdout, "\nThe stored case came out as it was stored: side %s. So this ends with 0, whoever's fault it shows.\n", stored.Side)
	}
	return err
}

// left is what --minimise leaves of a case, all of it without; --step goes through it.
func (f *replayFlags) left(ctx context.Context, c *replay.Case, o replay.Options, stdin io.Reader, stdout, stderr io.Writer) (*replay.Case, error) {
	var err error
	if f.minimise || f.keep != "" {
		o.Progress = func(text string) { _, _ = fmt.Fprintln(stderr, "minimise: "+text) }
		c, err = f.smaller(ctx, c, o, stdout)
	}
	if err == nil && f.step {
		f.stepped, err = step(ctx, o.Sandbox, c, stdin, stdout)
	}
	return c, err
}

// chosen checks the flags and gives the choices that the service is known to make.
func (f *replayFlags) chosen() (map[string]string, error) {
	if !slices.Contains([]string{"pretty", "json", "html", "markdown"}, f.format) {
		return nil, badUsage("use pretty, json, html or markdown", "--format: %q is not a format", f.format)
	}
	if err := checkForms(f.to); err != nil {
		return nil, err
	}
	if f.known != "" {
		if err := replay.HasCases(f.known); err != nil { // before the work
			return nil, badUsage("give a folder of cases, each in a folder of its own", "--known: %w", err)
		}
	}
	if err := f.stand.check(f.format); err != nil {
		return nil, err
	}
	if err := f.target.check(f.step || f.stand.serve || f.format != "pretty"); err != nil {
		return nil, err
	}
	if f.step && (f.stand.serve || f.format != "pretty") {
		return nil, badUsage("leave --serve and --format out", "--step is for people at a terminal")
	}
	learnt, err := learntChoices(f.choices)
	if err != nil {
		return nil, err
	}
	settings, err := (&sandboxFlags{latitude: append(learnt, f.latitude...)}).settings()
	if err != nil {
		return nil, err
	}
	return settings.Map(), nil
}

// tell writes the case in the format that was asked for, and whether it is known.
func (f *replayFlags) tell(c *replay.Case, sandbox *play.Sandbox, stdout io.Writer) error {
	same, known, err := f.sameAs(c)
	if err != nil {
		return err
	}
	switch f.format {
	case "json":
		out := json.NewEncoder(stdout)
		out.SetIndent("", "  ")
		out.SetEscapeHTML(false)
		return out.Encode(c.Report(same))
	case "html", "markdown":
		w := c.Written(sandbox)
		if known != "" {
			w.Lines = append(slices.Clone(w.Lines), known)
		}
		text, err := writeout.Write(f.format, w)
		if err == nil {
			_, err = stdout.Write(text)
		}
		return err
	default:
		tellCase(stdout, c)
		if known != "" {
			_, err = fmt.Fprintf(stdout, "\n%s\n", known)
		}
		return err
	}
}

// smaller minimises the case and tells what is left.
func (f *replayFlags) smaller(ctx context.Context, c *replay.Case, o replay.Options, stdout io.Writer) (*replay.Case, error) {
	small, result, err := c.Minimise(ctx, f.keep, o)
	if errors.Is(err, replay.ErrKeep) {
		return nil, badUsage("`paysandbox replay --help` shows what can be kept", "--minimise: %w", err)
	}
	if ctx.Err() != nil {
		return nil, &verdictError{code: verdict.CodeLittle, text: "--minimise was interrupted, and nothing is written of it"}
	}
	if err != nil {
		return nil, err
	}
	_, err = fmt.Fprintf(stdout, "\nMinimised in %d plays: %d steps of %d are left\n", result.Plays, result.After, result.Before)
	for i := range small.Script.Steps {
		_, _ = fmt.Fprintf(stdout, "  %s\n", small.Script.Steps[i].Text())
	}
	return small, err
}

// replaySandbox is where cases are played: inside this process. A saved tape is played
// there again as it stands, input by input, too.
func replaySandbox(ctx context.Context) (*play.Sandbox, func(context.Context, []byte) error, func() error, error) {
	server, client, err := inside(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	again := func(ctx context.Context, file []byte) error {
		if _, err := server.Load(ctx, file); err != nil {
			return errors.New(whereWrong(err))
		}
		return nil
	}
	sandbox, err := play.Open(ctx, "http://"+defaultAddr, "", client)
	if err == nil {
		sandbox.Tape = server.Tape
	}
	return sandbox, again, func() error { return server.Close(context.WithoutCancel(ctx)) }, err
}

// knobs are the choices of the ledger that a service may have made otherwise.
func knobs() []replay.Knob {
	var list []replay.Knob
	for _, e := range latitude.Ledger() {
		list = append(list, replay.Knob{Name: e.Name, Values: e.Others()})
	}
	return list
}

// caseVerdict is how the command ends.
func caseVerdict(c *replay.Case) error {
	switch c.Diagnosis.Side {
	case diagnose.Partner, diagnose.Service:
		return &verdictError{code: verdict.CodeFailed, text: strings.TrimSuffix("the first fault is the "+string(c.Diagnosis.Side)+"'s: "+c.Diagnosis.Fault.Clause, ": ")}
	case diagnose.Undecidable:
		return &verdictError{code: verdict.CodeLittle, text: "it cannot be told from these files: ask for " + strings.Join(c.Diagnosis.Ask, "; ")}
	default:
		return nil
	}
}
