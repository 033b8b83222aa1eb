package main

import (
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"paysandbox/harness/trail/told"
	"paysandbox/harness/verdict"
)

// lookup reads one environment variable.
type lookup func(name string) (string, bool)

// run is the whole program with everything that it touches handed in.
func run(ctx context.Context, args []string, env lookup, stdout, stderr io.Writer) int {
	root := newRoot(env, args...)
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return verdict.CodeMet
	}
	if said(err, stdout, stderr) {
		return exitCode(err)
	}
	tellLines(stderr, "  ", "paysandbox: "+told.Clean(err.Error()))
	var usage *usageError
	if errors.As(err, &usage) && usage.hint != "" {
		tellLines(stderr, "  ", "hint: "+told.Clean(usage.hint))
	}
	return exitCode(err)
}

// newRoot is the command above all others. Of these it has the one alone that the first argument names, if it names one: each start
// would pay for the flags of all.
func newRoot(env lookup, args ...string) *cobra.Command {
	root := &cobra.Command{
		Use: "paysandbox", Short: "A payment service to rehearse against",
		Long: "paysandbox answers the whole payment-collection API with real state, simulated people,\n" +
			"banks and time, so that an integration can be built and proved before production access.",
		Version:       version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noSuchCommand,
		RunE:          help,
	}
	root.SetVersionTemplate("paysandbox {{.Version}}\n")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if hint, value := wrongValue(err); hint != "" {
			return &usageError{problem: value, hint: hint}
		}
		return &usageError{problem: err, hint: nearestFlag(cmd, err) + "`" + cmd.CommandPath() + " --help` lists the flags"}
	})
	named := slices.IndexFunc(ofRoot, func(c builder) bool { return len(args) > 0 && c.name == args[0] })
	for i, c := range ofRoot {
		if named < 0 || i == named {
			root.AddCommand(c.made(env))
		}
	}
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			cmd.Args = knownCommand
		case "completion":
			cmd.Args, cmd.RunE = noSuchCommand, help
		}
	}
	// Flags are told in lines that fit a terminal, and so is all that stands above.
	root.SetUsageTemplate(strings.NewReplacer(".FlagUsages", ".FlagUsagesWrapped "+strconv.Itoa(lineWidth), "for more information about a command.", "to learn of a command.").Replace(root.UsageTemplate()))
	show := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		cmd.Long = refolded(cmd.Long)
		show(cmd, args)
	})
	return root
}

// builder makes a command of a name.
type builder struct {
	name string
	made func(env lookup) *cobra.Command
}

// plain makes one that reads nothing of the environment.
func plain(made func() *cobra.Command) func(lookup) *cobra.Command {
	return func(lookup) *cobra.Command { return made() }
}

// ofRoot are those below the root.
var ofRoot = []builder{
	{"serve", newServe},
	{"latitude", plain(newLatitude)},
	{"clock", newClock},
	{"trigger", newTrigger},
	{"tail", newTail},
	{"tape", plain(newTape)},
	{"listen", newListen},
	{"scrub", plain(newScrub)},
	{"verify", newVerify},
	{"clauses", plain(newClauses)},
	{"report", plain(newReport)},
	{"data", plain(newData)},
	{"observe", newObserve},
	{"app", newApp},
	{"journey", newJourney},
	{"replay", newReplay},
	{"snapshot", newSnapshot},
	{"fixture", plain(newFixture)},
}

// family is a command that only has others below it.
func family(use, short string, below ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short, Args: noSuchCommand, RunE: help}
	cmd.AddCommand(below...)
	return cmd
}

func help(cmd *cobra.Command, _ []string) error { return cmd.Help() }

// noSuchCommand turns a mistyped command into a usage error that names the
// nearest ones.
func noSuchCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	cmd.SuggestionsMinimumDistance = 2
	hint, own := "`"+cmd.CommandPath()+" --help` lists the commands", "`"+cmd.CommandPath()+" "
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		slices.Sort(near)
		hint = "did you mean " + own + strings.Join(near, "` or "+own) + "`?"
	}
	return badUsage(hint, "there is no command %q", args[0])
}

// knownCommand refuses a command of which help is asked, and which there is not.
func knownCommand(cmd *cobra.Command, args []string) error {
	if found, rest, err := cmd.Root().Find(args); err == nil && len(rest) > 0 {
		return noSuchCommand(found, rest)
	}
	return nil
}

// noArgs refuses words behind a command that takes none.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 && cmd.HasSubCommands() {
		return noSuchCommand(cmd, args)
	}
	if len(args) > 0 {
		return badUsage("`"+cmd.CommandPath()+" --help` shows how it is called", "%s takes no arguments, got %q", cmd.CommandPath(), args[0])
	}
	return nil
}
