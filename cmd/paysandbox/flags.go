package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"paysandbox/mockserver/spelling"
)

// nearestFlag names the flag that was probably meant, or says how an argument is given
// that looks like one.
func nearestFlag(cmd *cobra.Command, err error) string {
	_, name, found := strings.Cut(err.Error(), "unknown flag: --")
	if !found {
		return behindDashes(cmd)
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	near := spelling.Nearest(name, names)
	if near == "" || !spelling.Within(name, near, max(2, len(name)/2)) {
		return behindDashes(cmd)
	}
	return "did you mean --" + near + "? "
}

// negative tells whether a number below zero, or a time, was taken for flags.
func negative(err error) bool {
	var unknown *pflag.NotExistError
	return errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "" && strings.Trim(unknown.GetSpecifiedShortnames()[:1], "0123456789.") == ""
}

// behindDashes says where an argument stands that begins with a dash; nothing where a
// command takes none.
func behindDashes(cmd *cobra.Command) string {
	if !strings.Contains(cmd.Use, " ") || strings.Contains(cmd.Use, "--") {
		return ""
	}
	return "what begins with a dash and is no flag stands behind --; "
}

// wrongValue says in words what is wrong with a flag's value, and what it takes
// instead; an error of another kind stays as it is, without a hint.
func wrongValue(err error) (hint string, problem error) {
	var wrong *pflag.InvalidValueError
	if !errors.As(err, &wrong) {
		return "", err
	}
	what := ""
	switch f := wrong.GetFlag(); f.Value.Type() {
	case "int", "int64", "uint", "uint64":
		what, hint = "a whole number that fits", "for example --"+f.Name+" 7"
	case "duration":
		what, hint = "a time with its unit", "for example --"+f.Name+" 30s or --"+f.Name+" 5m"
	case "bool":
		what, hint = "true or false", "give --"+f.Name+" alone, or --"+f.Name+"=false"
	default:
		return "", err
	}
	return hint, fmt.Errorf("--%s: %q is not %s", wrong.GetFlag().Name, wrong.GetValue(), what)
}

// afterSemicolon continues a hint; nothing is left alone.
func afterSemicolon(text string) string {
	if text == "" {
		return ""
	}
	return "; " + text
}

// fromEnvironment fills every flag that was not given from PAYSANDBOX_<NAME>.
func fromEnvironment(flags *pflag.FlagSet, env lookup) error {
	var bad error
	flags.VisitAll(func(f *pflag.Flag) {
		name := "PAYSANDBOX_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		value, set := env(name)
		if !set || f.Changed || f.Name == "help" || bad != nil {
			return
		}
		if err := flags.Set(f.Name, value); err != nil {
			hint, err := wrongValue(err)
			bad = badUsage("mend or unset "+name+afterSemicolon(hint), "%s: %w", name, err)
		}
	})
	return bad
}

// withEnvironment runs a command when its flags were filled from the environment.
func withEnvironment(env lookup, run func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		if err := fromEnvironment(cmd.Flags(), env); err != nil {
			return err
		}
		return run(cmd, args)
	}
}
