package main

import (
	"fmt"
	"io"
	"strings"

	"paysandbox/harness/replay"
	"paysandbox/harness/replay/diagnose"
)

// tellCase writes a case for people.
func tellCase(w io.Writer, c *replay.Case) {
	var b strings.Builder
	for _, line := range c.Diagnosis.Lines {
		folded(&b, "", "    ", line)
	}
	if len(c.Diagnosis.Faults) > 1 {
		listed(&b, "All that went wrong", len(c.Diagnosis.Faults), eachOnce(c.Diagnosis.Faults))
	}
	listed(&b, "Assumed", len(c.Assumptions), c.Assumptions)
	listed(&b, "Choices of the service", len(c.Chosen()), c.Chosen())
	listed(&b, "Differences", len(differing(c)), differing(c))
	listed(&b, "To be known", len(c.Notes), c.Notes)
	_, _ = io.WriteString(w, b.String())
}

// eachOnce are faults in words; of what went wrong in the same way again, the first alone with the others' numbers.
func eachOnce(faults []diagnose.Fault) []string {
	var list []string
	var again [][]string
	known := map[string]int{}
	for i := range faults {
		f := &faults[i]
		key, number := strings.Join([]string{string(f.Side), f.Clause, f.Call, f.What}, "\n"), fmt.Sprint("call ", f.N+1)
		if f.Heard > 0 {
			key, number = strings.Join([]string{string(f.Side), f.Clause, f.What}, "\n"), fmt.Sprint("webhook ", f.Heard)
		}
		if at, ok := known[key]; ok {
			again[at] = append(again[at], number)
			continue
		}
		known[key] = len(list)
		list, again = append(list, f.Text()), append(again, nil)
	}
	for i, numbers := range again {
		if len(numbers) > 0 {
			list[i] += "; the same again: " + strings.Join(numbers, ", ")
		}
	}
	return list
}

// listed writes a list of n things, of which some may stand together.
func listed(b *strings.Builder, title string, n int, list []string) {
	const most = 20
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s (%d)\n", title, n)
	for _, line := range list[:min(most, len(list))] {
		folded(b, "  ", "      ", line)
	}
	if len(list) > most {
		fmt.Fprintf(b, "  and %d more\n", len(list)-most)
	}
}

// sameAs are the stored cases of the same cause, and a sentence of them; nil and "" where none are to be looked through.
func (f *replayFlags) sameAs(c *replay.Case) ([]string, string, error) {
	if f.known == "" {
		return nil, "", nil
	}
	same, err := c.Known(f.known)
	switch {
	case err != nil:
		return nil, "", badUsage("give a folder of cases, each in a folder of its own", "--known: %w", err)
	case len(same) == 0:
		return same, "Known: no known case has this cause", nil
	default:
		return same, "Known: the same as " + strings.Join(same, ", "), nil
	}
}
