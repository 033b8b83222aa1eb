package main

import (
	"context"
	"errors"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"paysandbox/harness/journey"
	"paysandbox/harness/journey/drive"
	"paysandbox/harness/report"
	"paysandbox/harness/report/format"
	"paysandbox/harness/report/redact"
	"paysandbox/harness/verdict"
	"paysandbox/scenarios"
)

// journeyFlags say which journeys are driven, where, and where it is told.
type journeyFlags struct {
	all                         bool
	target, controlToken, tapes string
	formats, latitude           []string
	vary                        string
	strict                      bool
	seed                        uint64
}

func newJourney(env lookup) *cobra.Command {
	return family("journey", "Let the reference application play partner journeys", newJourneyList(), newJourneyRun(env))
}

func newJourneyRun(env lookup) *cobra.Command {
	var f journeyFlags
	cmd := &cobra.Command{
		Use: "run [NAME...]", Short: "Let the reference application live some journeys, or all",
		Long: "Let the reference partner application live the journeys, each in an integration of its own with a clock\n" +
			"that stands still until it is moved, and print what happened. Every clause that a journey names has to be\n" +
			"seen to hold. The same seed gives the same tapes, byte for byte.\n\n" +
			"Exit codes: 0 gate met; 1 a clause failed; 2 usage or configuration; 3 too little evidence; 4 the harness\n" +
			"or the target broke.",
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return journeyNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: withEnvironment(env, func(cmd *cobra.Command, names []string) error {
			if f.all && len(names) > 0 {
				return badUsage("leave --all or the names out", "--all means every journey, and %s would be fewer", strings.Join(names, ", "))
			}
			return runJourneys(cmd.Context(), &f, names, cmd.OutOrStdout())
		}),
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.BoolVar(&f.all, "all", false, "play every journey, as without names")
	fs.Uint64Var(&f.seed, "seed", 1, "seed of people, ids and everything else that is left to chance")
	fs.StringArrayVar(&f.latitude, "latitude", nil, "NAME=VALUE: choose where the specification is silent (repeatable; see paysandbox latitude)")
	fs.StringVar(&f.vary, "vary", "", "N: vary every such choice from seed N, those given by --latitude excepted")
	fs.BoolVar(&f.strict, "strict", false, "refuse what would only be remarked upon")
	fs.StringArrayVar(&f.formats, "format", nil, "also write a report: FORMAT or FORMAT=FILE, one of "+strings.Join(format.Names(), ", ")+" (repeatable)")
	fs.StringVar(&f.tapes, "tape", "", "directory for the tapes, one NAME.jsonl a journey")
	fs.StringVar(&f.target, "target", "", "address of a sandbox (default: one inside this process)")
	fs.StringVar(&f.controlToken, "control-token", "", "token of the target's control API, when it wants one")
	completeWords(cmd, map[string][]string{"format": format.Names()})
	_ = cmd.RegisterFlagCompletionFunc("latitude", completeLatitude)
	return cmd
}

// runJourneys drives the journeys and tells them.
func runJourneys(ctx context.Context, f *journeyFlags, names []string, stdout io.Writer) (err error) {
	if err := knownJourneys(names, ""); err != nil {
		return err
	}
	if err := f.reachable(); err != nil {
		return err
	}
	settings, err := (&sandboxFlags{latitude: f.latitude, vary: f.vary}).settings()
	if err != nil {
		return err
	}
	told, err := f.teller(stdout)
	if err != nil {
		return err
	}
	if told.planned = len(names); len(names) == 0 {
		told.planned = len(journeyNames())
	}
	collector := report.NewCollector(redact.New(f.controlToken))
	plan := drive.Plan{
		Scenarios: scenarios.FS(), Names: names, BaseURL: strings.TrimSuffix(f.target, "/"), ControlToken: f.controlToken,
		Seed: f.seed, Latitude: settings.Map(), Strict: f.strict, Now: time.Now, Sink: collector, Finished: told.journey, Tool: "paysandbox", Version: version,
		Command: f.again(names),
	}
	if f.target == "" {
		stop, err := stageJourneys(ctx, &plan)
		if err != nil {
			return errors.Join(err, told.reports.close())
		}
		defer func() { err = errors.Join(err, stop()) }()
	}
	end, broken := drive.Run(ctx, plan)
	if err := told.end(collector.Report()); err != nil {
		return err
	}
	if end.ExitCode == verdict.CodeMet && broken == nil {
		return nil
	}
	_, spoken := told.reports.paths()
	return &verdictError{told: spoken, code: end.ExitCode, text: collector.Report().Headline() + ": " + end.Reason}
}

// again is the command line that plays the same once more.
func (f *journeyFlags) again(names []string) string {
	words := append([]string{"paysandbox", "journey", "run"}, names...)
	words = append(words, "--seed", strconv.FormatUint(f.seed, 10))
	words = append(words, choices(f.latitude, f.vary, f.strict)...)
	if f.target != "" {
		words = append(words, "--target", f.target)
	}
	return shellLine(words)
}

// reachable checks that the target is an address, if there is one.
func (f *journeyFlags) reachable() error {
	u, err := url.Parse(f.target)
	if f.target == "" || err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" {
		return nil
	}
	return badUsage("for example --target http://"+defaultAddr, "--target: %q is no address of a sandbox", f.target)
}

// knownJourneys refuses names of journeys that there are not; besides is what else
// helps.
func knownJourneys(names []string, besides string) error {
	known := journeyNames()
	for _, name := range names {
		if !slices.Contains(known, name) {
			hint := "`paysandbox journey list` lists them" + besides
			if near := alike(name, known); near != "" {
				hint = "did you mean " + near + "? " + hint
			}
			return badUsage(hint, "there is no journey %q", name)
		}
	}
	return nil
}

// alike is the name that begins and ends most like the one given, "" when none
// does. Capitals and blanks do not count.
func alike(given string, names []string) string {
	given = strings.ReplaceAll(strings.ToLower(given), " ", "-")
	best, most := "", len(given)/2
	for _, name := range names {
		same := 0
		for same < min(len(given), len(name)) && given[same] == name[same] {
			same++
		}
		for i := 1; i <= min(len(given), len(name))-same && given[len(given)-i] == name[len(name)-i]; i++ {
			same++
		}
		if same > most {
			best, most = name, same
		}
	}
	return best
}

func journeyNames() []string {
	list, err := journey.List(scenarios.FS())
	if err != nil {
		return nil
	}
	var names []string
	for _, j := range list {
		names = append(names, j.Name)
	}
	return names
}
