package main

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"paysandbox/harness/journey"
	"paysandbox/scenarios"
)

// completeJourneys completes the names of journeys.
func completeJourneys(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return journeyNames(), cobra.ShellCompDirectiveNoFileComp
}

// journeys are those that are played, in their order.
func (f *observeFlags) journeys(names []string) ([]string, error) {
	if f.all && len(names) > 0 {
		return nil, badUsage("give names, or --all", "--all lives every journey; named besides: %s", strings.Join(names, ", "))
	}
	if f.all {
		return journeyNames(), nil
	}
	return names, knownJourneys(names, "; a command stands behind --, as in `paysandbox observe -- npm test`")
}

// journeysByClause gives what tells the journeys in which a clause comes up. They are
// read when they are asked for first.
func journeysByClause() func(clause string) []string {
	list := sync.OnceValue(func() []journey.Journey {
		list, err := journey.List(scenarios.FS())
		if err != nil { // they are embedded, and a test reads them
			return nil
		}
		return list
	})
	return func(clause string) []string {
		var names []string
		for _, j := range list() {
			if slices.Contains(j.Clauses, clause) {
				names = append(names, j.Name)
			}
		}
		return names
	}
}

// brokeOff says where a journey ended too soon, and why.
func brokeOff(p *journey.Played, interrupted bool) string {
	where, why := "did not begin", p.Err.Error()
	if p.Step != "" {
		where = fmt.Sprintf("broke off at %q", p.Step)
	}
	if interrupted {
		why = "the application is gone, or the run was interrupted"
	}
	return fmt.Sprintf("The journey %s %s: %s", p.Name, where, why)
}
