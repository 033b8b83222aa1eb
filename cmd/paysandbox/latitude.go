package main

import (
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"paysandbox/mockserver/latitude"
)

// newLatitude lists the ledger of what the specification leaves open.
func newLatitude() *cobra.Command {
	return &cobra.Command{
		Use: "latitude [NAME]", Short: "List what the specification leaves open, and what the sandbox does",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return badUsage("name one of them, or none for all", "latitude takes at most one name, got %d", len(args))
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return knobNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				k, err := latitude.Lookup(args[0])
				if err != nil {
					return badUsage("`paysandbox latitude` lists them all", "%w", err)
				}
				return printKnobs(cmd.OutOrStdout(), func(e *latitude.Entry) bool { return e.Knob == k })
			}
			return printKnobs(cmd.OutOrStdout(), func(*latitude.Entry) bool { return true })
		},
	}
}

func printKnobs(w io.Writer, wanted func(*latitude.Entry) bool) error {
	var b strings.Builder
	area := ""
	for _, e := range latitude.Ledger() {
		if !wanted(&e) {
			continue
		}
		if e.Area != area {
			area = e.Area
			b.WriteString("\n" + strings.ToUpper(area) + "\n")
		}
		b.WriteString("\n")
		folded(&b, "  "+e.Name+": ", "      ", e.Question)
		for n, c := range e.Choices {
			mark := "  "
			if n == 0 {
				mark = "* "
			}
			folded(&b, "    "+mark+c.Name+"  ", "        ", c.Meaning)
			if c.Held != "" {
				folded(&b, "        not drawn by --vary: ", "        ", c.Held)
			}
		}
		if len(e.Choices) == 0 {
			b.WriteString("    * " + e.Default + "\n")
		}
		if e.Fixed != "" {
			folded(&b, "      fixed: ", "        ", e.Fixed)
		}
		b.WriteString("      evidence: " + evidence(e.Evidence) + "\n")
	}
	_, err := io.WriteString(w, strings.TrimPrefix(b.String(), "\n")+"\n* is the default; choose with --latitude NAME=VALUE\n")
	return err
}

func evidence(list []latitude.Evidence) string {
	words := make([]string, 0, len(list))
	for _, e := range list {
		words = append(words, string(e))
	}
	return strings.Join(words, ", ")
}

func knobNames() []string {
	var names []string
	for _, k := range latitude.Knobs() {
		names = append(names, k.Name())
	}
	return names
}

// completeLatitude completes NAME=VALUE.
func completeLatitude(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	var words []string
	for _, k := range latitude.Knobs() {
		for _, c := range k.Choices() {
			if !k.Fixed() && strings.HasPrefix(c.String(), typed) {
				words = append(words, c.String())
			}
		}
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}

// completeWords completes flags that take one of a few words.
func completeWords(cmd *cobra.Command, words map[string][]string) {
	for _, name := range sortedNames(words) {
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words[name], cobra.ShellCompDirectiveNoFileComp))
	}
}

func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
