package main

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"paysandbox/features"
	"paysandbox/harness/clause"
	"paysandbox/harness/report"
	"paysandbox/harness/report/format"
	"paysandbox/harness/signoff"
	"paysandbox/harness/verdict"
	"paysandbox/harness/verify"
	"paysandbox/harness/verify/given"
	"paysandbox/harness/verify/words"
	"paysandbox/mockserver/latitude"
)

// verifyFlags say what is run against which service, and where it is told.
type verifyFlags struct {
	target, clientID, clientSecret, controlURL, controlToken string
	plan, deviations, surface                                string
	tags, clauses, formats, latitude                         []string
	seed                                                     uint64
	concurrency                                              int
	failFast, allowUnreached                                 bool
	timeout                                                  time.Duration
	sign                                                     signFlag
	features                                                 string
}

func (f *verifyFlags) declare(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.StringVar(&f.target, "target", "", "address of the service (default: a sandbox inside this process)")
	fs.StringVar(&f.clientID, "client-id", "", "client id at the target")
	fs.StringVar(&f.clientSecret, "client-secret", "", "client secret at the target")
	fs.StringVar(&f.controlURL, "control-url", "", "address of the sandbox with the control API; none does without (default: the target is asked)")
	fs.StringVar(&f.controlToken, "control-token", "", "token of the control API, when it wants one")
	fs.StringArrayVar(&f.latitude, "latitude", nil, "NAME=VALUE: what a target without control API chooses where the specification is silent (repeatable); what rests on choices that nobody told is not judged where it comes otherwise")
	fs.StringVar(&f.plan, "plan", "", "YAML file that holds flags by their names; the command line and the environment come first")
	fs.StringArrayVar(&f.clauses, "clauses", nil, `run what judges these clauses, those below them, or an area: "company.create,not company.create.zip" (repeatable)`)
	fs.StringVar(&f.features, "features", "", "run this feature file alone, as replay --to feature writes it, or those of this folder; clauses that they do not reach are not missed")
	fs.StringArrayVar(&f.tags, "tags", nil, `run what has one of these tags: "@area:companies,not @needs:control" (repeatable)`)
	fs.StringVar(&f.surface, "surface", "all", "spec, documented or all: which operations are judged")
	fs.StringArrayVar(&f.formats, "format", nil, "FORMAT or FORMAT=FILE, one of "+strings.Join(format.Names(), ", ")+" (repeatable; default pretty)")
	f.sign.declare(fs)
	fs.StringVar(&f.deviations, "deviations", "", "YAML file of expected failures: clause, owner, reason, expires")
	fs.DurationVar(&f.timeout, "timeout", 15*time.Minute, "end a run that takes longer, with exit code 4; 0 for no such end")
	fs.BoolVar(&f.failFast, "fail-fast", false, "begin nothing after the first failure")
	fs.BoolVar(&f.allowUnreached, "allow-unreached", false, "let the gate be met although a MUST was not reached")
	fs.Uint64Var(&f.seed, "seed", 1, "seed of every scenario")
	fs.IntVar(&f.concurrency, "concurrency", 8, "how many scenarios run at a time")
	_ = cmd.RegisterFlagCompletionFunc("latitude", completeLatitude)
	completeWords(cmd, map[string][]string{"surface": {"spec", "documented", "all"}, "format": format.Names()})
}

func newVerify(env lookup) *cobra.Command {
	var f verifyFlags
	cmd := &cobra.Command{
		Use: "verify", Short: "Run the acceptance features and judge the service's clauses",
		Long: "Run the acceptance features against the sandbox inside this process, or against --target, and judge\n" +
			"the clauses of the service. Every flag can also be given as PAYSANDBOX_<NAME>, or in a --plan file.\n" +
			"The sandbox inside is also held to what it gave in each scenario when that was last looked at (--seed 1).\n\n" +
			"Exit codes: 0 gate met; 1 a clause failed; 2 usage or configuration; 3 too little evidence (nothing ran,\n" +
			"or a MUST was not reached); 4 the harness or the target broke (a target that falls silent, whatever failed\n" +
			"before); 5 a listed deviation no longer occurs.",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			remote := cmd.Flags().Changed("client-id") || cmd.Flags().Changed("client-secret") ||
				cmd.Flags().Changed("control-url") || cmd.Flags().Changed("control-token") || cmd.Flags().Changed("latitude")
			if err := fromEnvironment(cmd.Flags(), env); err != nil {
				return err
			}
			if err := fromPlan(cmd.Flags(), f.plan); err != nil {
				return err
			}
			if f.target == "" && remote {
				return badUsage("name the service with --target", "credentials, a control API and choices are a target's, and there is none")
			}
			if err := f.sign.read(f.formats, env); err != nil {
				return err
			}
			return runVerify(cmd.Context(), &f, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f.declare(cmd)
	return cmd
}

// runVerify runs the features and writes the reports.
func runVerify(ctx context.Context, f *verifyFlags, stdout, stderr io.Writer) (err error) {
	plan, err := f.readPlan()
	if err != nil {
		return err
	}
	writers, err := openReports(f.formats, stdout)
	if err != nil {
		return err
	}
	writers.key = f.sign.key
	plan.Sink = format.NewProgress(stderr, terminal(stderr))
	if f.target == "" {
		stop, err := f.stage(ctx, &plan)
		if err != nil {
			return errors.Join(err, writers.close())
		}
		defer func() { err = errors.Join(err, stop()) }()
	}
	r, broken := verify.Run(ctx, plan)
	if err := writers.write(&r); err != nil {
		return err
	}
	writers.tellWhere(&r, "", func(line string) { tellLines(stderr, "  ", "verify: "+line) })
	_, told := writers.paths()
	return verdictOf(&r, broken, told)
}

// verdictOf makes an error of a gate that is not met; told says that a report on the
// standard output has told it.
func verdictOf(r *report.Report, broken error, told bool) error {
	switch {
	case errors.Is(broken, verify.ErrConfig):
		return badUsage("`paysandbox verify --help` lists the flags", "%w", broken)
	case r.ExitCode == verdict.CodeMet:
		return nil
	}
	text := r.Headline()
	if r.Reason != "" {
		text += ": " + r.Reason
	}
	return &verdictError{code: r.ExitCode, text: text, told: told}
}

// choices are what --latitude tells of the target, and what it would choose by default,
// each value by knob.
func (f *verifyFlags) choices() (told, usual map[string]string, err error) {
	settings, err := (&sandboxFlags{latitude: f.latitude}).settings()
	if err != nil {
		return nil, nil, err
	}
	told, usual = map[string]string{}, map[string]string{}
	for _, k := range latitude.Knobs() {
		usual[k.Name()] = latitude.Settings{}.Get(k).Name()
		if slices.ContainsFunc(f.latitude, func(choice string) bool { return strings.HasPrefix(choice, k.Name()+"=") }) {
			told[k.Name()] = settings.Get(k).Name()
		}
	}
	return told, usual, nil
}

// readPlan makes the plan of the flags.
func (f *verifyFlags) readPlan() (verify.Plan, error) {
	surface, ok := map[string]clause.Surface{"spec": clause.SpecSurface, "documented": clause.DocsSurface, "all": ""}[f.surface]
	if !ok {
		return verify.Plan{}, badUsage("use spec, documented or all", "--surface: %q is not a surface", f.surface)
	}
	if f.concurrency < 1 {
		return verify.Plan{}, badUsage("give a number such as 8", "--concurrency: %d scenarios at a time is none", f.concurrency)
	}
	if f.timeout < 0 {
		return verify.Plan{}, badUsage("give a time such as 10m, or 0 for no such end", "--timeout: %s is no time that can pass", f.timeout)
	}
	tags, err := clause.ParseTags(f.tags...)
	if err != nil {
		return verify.Plan{}, badUsage("a comma stands for or, a leading not leaves out", "--tags: %w", err)
	}
	clauses, err := chooseClauses(f.clauses, clause.Catalogue())
	if err != nil {
		return verify.Plan{}, err
	}
	deviations, err := readSigned("deviations", f.deviations, "each has clause, owner, reason and expires", signoff.ReadDeviations)
	if err != nil {
		return verify.Plan{}, err
	}
	choices, usual, err := f.choices()
	if err != nil {
		return verify.Plan{}, err
	}
	files, err := f.chosenFeatures()
	if err != nil {
		return verify.Plan{}, err
	}
	return verify.Plan{
		Features: files, BaseURL: f.target, ControlURL: f.controlURL, ControlToken: f.controlToken,
		ClientID: f.clientID, ClientSecret: f.clientSecret, Tags: tags, Clauses: clauses, Surface: surface,
		Choices: choices, Defaults: usual, Seed: f.seed, Run: strings.ToLower(rand.Text()[:8]), Concurrency: f.concurrency, FailFast: f.failFast,
		Timeout: f.timeout, AllowUnreached: f.allowUnreached || f.features != "", Deviations: deviations, Now: time.Now, Tool: "paysandbox", Version: version,
	}, nil
}

// chosenFeatures are the acceptance features, or the one file, or those of the folder, that was given.
func (f *verifyFlags) chosenFeatures() (fs.FS, error) {
	const hint = "give a .feature file, or a folder of such"
	if f.features == "" {
		return features.FS(), nil
	}
	info, err := os.Stat(f.features)
	if err != nil {
		return nil, badUsage(hint, "--features: %w", err)
	}
	if info.IsDir() {
		return os.DirFS(f.features), nil
	}
	file, err := openPlain(f.features)
	if err != nil {
		return nil, badUsage(hint, "--features: %w", err)
	}
	return onlyFile(f.features), file.Close()
}

// stage starts a sandbox inside this process and points the plan at it. In what is said to the calls of
// a file stand its own values: it is in no list.
func (f *verifyFlags) stage(ctx context.Context, plan *verify.Plan) (stop func() error, err error) {
	address, stop, err := builtIn(ctx, plan.Seed, nil)
	if err != nil {
		return nil, err
	}
	plan.BaseURL = "http://" + address
	plan.ControlURL, plan.Target = plan.BaseURL, "built-in sandbox"
	if f.features == "" {
		plan.Words = words.Known()
	}
	if plan.Seed == given.Seed {
		plan.Given = given.Known()
	}
	plan.ClientID, plan.ClientSecret, plan.ControlToken = "", "", ""
	return stop, nil
}
