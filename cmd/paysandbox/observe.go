package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"paysandbox/harness/journey/drive"
	"paysandbox/harness/observe/judge"
	"paysandbox/harness/report"
	"paysandbox/harness/report/format"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/world"
)

// observeFlags say what is watched, and how it is judged and told.
type observeFlags struct {
	gateFlags
	sandbox                        sandboxFlags
	all, noFaults                  bool
	untilEnough, verbose           bool
	lasts, patience                time.Duration
	stateURL, saveTape, tape, uses string
	history                        string
	formats                        []string
	ownAddr, ownEnvironment        bool
	// watching are the flags on the command line that only a session that is watched heeds.
	watching []string
	sign     signFlag
}

func (f *observeFlags) declare(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.BoolVar(&f.all, "all", false, "play every journey")
	fs.DurationVar(&f.lasts, "for", 0, "how long to watch, for example 10m (default: until the command ends, the journeys are over, or Ctrl-C)")
	fs.BoolVar(&f.untilEnough, "until-enough", false, fmt.Sprintf("repeat COMMAND until no new trouble can be met, %d times at most; the world goes on, so the application's books must outlive COMMAND", mostRuns))
	fs.BoolVar(&f.noFaults, "no-faults", false, "make no trouble")
	fs.DurationVar(&f.patience, "patience", 5*time.Minute, "how long a step of a journey waits for the application")
	fs.StringVar(&f.uses, "uses", "webhooks", "how the application learns what has changed: webhooks, or polling where it registers none")
	fs.StringVar(&f.stateURL, "state-url", "", "address that answers GET with the application's books, as above (default: what it tells by a note)")
	f.declareGate(fs)
	fs.StringArrayVar(&f.formats, "format", nil, "FORMAT or FORMAT=FILE, one of "+strings.Join(format.Names(), ", ")+" (repeatable; default one screen of it, pretty with --verbose)")
	f.sign.declare(fs)
	fs.BoolVar(&f.verbose, "verbose", false, "tell all that is seen while it is seen, and the whole report instead of one screen")
	fs.StringVar(&f.saveTape, "save-tape", "", "file that the tape is written to")
	fs.StringVar(&f.tape, "tape", "", "judge this saved tape, and watch nothing")
	fs.StringVar(&f.history, "history", "", "file in which each run is kept, one JSON line: the report says how many there were since the last that was ready")
	f.sandbox.declare(cmd)
	// A session is judged by its whole tape, and people read along.
	preset(cmd, "log-level", "warn")
	preset(cmd, "tape-entries", "200000")
	preset(cmd, "tape-bytes", strconv.Itoa(512<<20))
	completeWords(cmd, map[string][]string{"format": format.Names(), "fail-on": {"must", "should"}, "uses": {"webhooks", "polling"}})
}

// preset gives a flag of the sandbox another default.
func preset(cmd *cobra.Command, name, value string) {
	flag := cmd.Flags().Lookup(name)
	if flag == nil || flag.Value.Set(value) != nil {
		panic("observe: the flag " + name + " does not take " + value)
	}
	flag.DefValue = value
}

func newObserve(env lookup) *cobra.Command {
	var f observeFlags
	cmd := &cobra.Command{
		Use: "observe [JOURNEY...] [-- COMMAND...]", Short: "Watch an application, and say whether it is ready",
		Long: "Start a sandbox, watch a partner's application while it integrates, make the trouble that it has not\n" +
			"met yet, and judge the clauses of an integration. Journeys that are named tell the application what to\n" +
			"do; without any it does what it likes. COMMAND is run with the sandbox in its environment\n" +
			"(PAYSANDBOX_URL, PAYSANDBOX_CLIENT_ID, PAYSANDBOX_CLIENT_SECRET, PAYSANDBOX_WEBHOOK_SECRET,\n" +
			"PAYSANDBOX_CONTROL_URL, PAYSANDBOX_CONTROL_TOKEN, PAYSANDBOX_INTEGRATION). Every flag can also be\n" +
			"given as PAYSANDBOX_<NAME>; --announce json prints how the sandbox is reached as one JSON line first.\n\n" +
			"The tasks of journeys are written to COMMAND's standard input, each one JSON line\n" +
			"{\"id\", \"do\", \"say\", \"with\", \"wait\"}: do is the id of an operation of the partner API (createPayment), or\n" +
			"statusOfMany or acceptSecret; say is the same in words, with holds the values, and with wait true it is\n" +
			"done as soon as it may be, which can be later (the company is not Verified yet).\n" +
			"Standard input is closed after the last.\n\n" +
			"Only the application's books show what became of an event. --state-url names where they are:\n" +
			trail.StateShape + "\n" +
			"tells of each payment how often it was handed over, and how often that was taken back.\n\n" +
			"Exit codes: 0 gate met; 1 a clause failed; 2 usage or configuration; 3 too little evidence (nothing was\n" +
			"called, or a MUST was not seen or not shown); 4 the harness broke, or the gate is met but COMMAND failed;\n" +
			"5 a waived clause is not broken any more.",
		Example: "  paysandbox observe                            # until Ctrl-C\n" +
			"  paysandbox observe first-payment late-return  # tells you what to do\n" +
			"  paysandbox observe --format junit=report.xml -- npm test\n" +
			"  paysandbox observe --tape session.tape        # judges a saved tape",
		ValidArgsFunction: completeJourneys,
		PreRun:            func(cmd *cobra.Command, _ []string) { f.watching = onlyWatching(cmd) },
		RunE: withEnvironment(env, func(cmd *cobra.Command, args []string) error {
			names, command := args, []string(nil)
			if at := cmd.ArgsLenAtDash(); at >= 0 {
				names, command = args[:at], args[at:]
			}
			if err := f.sign.read(f.formats, env); err != nil {
				return err
			}
			f.ownAddr, f.ownEnvironment = cmd.Flags().Changed("addr"), cmd.Flags().Changed("environment")
			return f.run(cmd.Context(), names, command, cmd.OutOrStdout(), cmd.ErrOrStderr())
		}),
	}
	f.declare(cmd)
	return cmd
}

// run checks the flags, and judges a saved tape or a live application.
func (f *observeFlags) run(ctx context.Context, names, command []string, stdout, stderr io.Writer) error {
	if f.tape != "" && len(f.watching) > 0 {
		return badUsage("leave out "+strings.Join(f.watching, ", ")+", or leave out --tape to watch", "--tape judges what has been watched: with it %s would change nothing", strings.Join(f.watching, ", "))
	}
	options, err := f.options()
	if err != nil {
		return err
	}
	if err := f.together(names, command); err != nil {
		return err
	}
	if names, err = f.journeys(names); err != nil {
		return err
	}
	if options.Before, err = readHistory(f.history); err != nil {
		return err
	}
	if f.tape != "" {
		return f.offline(options, stdout, stderr)
	}
	if options.Subject == "" {
		f.subject = revision(ctx)
		options.Subject = f.subject
	}
	if len(command) > 0 && !f.ownAddr {
		f.sandbox.addr = "127.0.0.1:0"
	}
	if len(names) > 0 && !f.ownEnvironment {
		f.sandbox.environment = string(world.Rehearsal) // the stories wait for verifications
	}
	return f.live(ctx, options, names, command, stdout, stderr)
}

// together checks what is watched against the flags that say how.
func (f *observeFlags) together(names, command []string) error {
	if f.tape != "" && (len(names) > 0 || len(command) > 0 || f.all) {
		return badUsage("leave out --tape to watch", "--tape judges what has been watched: it takes no journeys and no command")
	}
	if f.untilEnough && (len(command) == 0 || len(names) > 0 || f.noFaults) {
		return badUsage("for example `paysandbox observe --until-enough -- npm test`", "--until-enough repeats a command that is given trouble: it goes with COMMAND, and with neither journeys nor --no-faults")
	}
	if len(command) == 0 {
		return nil
	}
	if _, err := exec.LookPath(command[0]); err != nil {
		return badUsage("name a program behind the --, for example `paysandbox observe -- npm test`", "the command cannot be run: %w", err)
	}
	return nil
}

// options says what is judged.
func (f *observeFlags) options() (judge.Options, error) {
	if f.lasts < 0 || f.lasts == 0 && f.sandbox.given("for") || f.patience <= 0 {
		return judge.Options{}, badUsage("give durations such as --for 10m --patience 5m", "--for %s, --patience %s: these are no times to wait", f.lasts, f.patience)
	}
	if f.sandbox.announce != "text" && f.sandbox.announce != "json" {
		return judge.Options{}, badUsage("use --announce text or --announce json", "--announce: %q is not a format", f.sandbox.announce)
	}
	if f.uses != "webhooks" && f.uses != "polling" {
		return judge.Options{}, badUsage("use --uses webhooks or --uses polling", "--uses: %q is no way to learn what has changed", f.uses)
	}
	if err := f.places(); err != nil {
		return judge.Options{}, err
	}
	return f.judging()
}

// places checks the addresses and files that are given.
func (f *observeFlags) places() error {
	if u, err := url.Parse(f.stateURL); f.stateURL != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "") {
		return badUsage("for example http://127.0.0.1:9000/state", "--state-url: %q is no address that can be asked", f.stateURL)
	}
	for _, format := range f.formats {
		if _, file, named := strings.Cut(format, "="); named && f.saveTape != "" && filepath.Clean(file) == filepath.Clean(f.saveTape) {
			return badUsage("give two files", "--save-tape and --format both write to %s", file)
		}
	}
	return nil
}

// openReports opens the reports that are wanted: one screen where none is named.
func (f *observeFlags) openReports(stdout io.Writer) (*reports, error) {
	if len(f.formats) > 0 || f.verbose {
		writers, err := openReports(f.formats, stdout)
		if err == nil {
			writers.key = f.sign.key
		}
		return writers, err
	}
	paint := format.Paint(drive.Plain)
	if coloured(stdout) {
		paint = inColour
	}
	return &reports{stdout: stdout, brief: paint}, nil
}

// offline judges a saved tape.
func (f *observeFlags) offline(options judge.Options, stdout, stderr io.Writer) error {
	meta, entries, digest, err := readTape(f.tape)
	if err != nil {
		return err
	}
	writers, err := f.openReports(stdout)
	if err != nil {
		return err
	}
	options.SHA256 = digest
	judged, err := judge.Tape(meta, entries, options)
	if err != nil {
		return errors.Join(err, writers.close())
	}
	// The report tells of the session, not of the moment in which it is judged: the
	// same tape gives the same report.
	t := telling{collector: report.NewCollector(nil), writers: writers, history: f.history, began: time.Unix(0, meta.Start).UTC(), took: lasted(&meta, entries), say: func(line string) { tellLines(stderr, "  ", "observe: "+line) }}
	t.start(&meta, report.Run{
		Target: "the tape " + f.tape, Observed: environment(callers(entries), meta.Environment), Command: "paysandbox observe --tape " + shellWord(f.tape) + f.gate(), Notes: judged.Notes,
	})
	return t.end(&judged)
}
