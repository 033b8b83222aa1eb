package main

import (
	"cmp"
	"slices"
	"strings"

	"paysandbox/harness/clause"
	"paysandbox/mockserver/spelling"
)

// suggested is how many names a mistake is answered with.
const suggested = 3

// chooseClauses reads the lists of --clauses. A word is a clause, what stands above
// some, or an area of the catalogue; anything else is a mistake.
func chooseClauses(lists []string, catalogue []clause.Clause) (clause.Filter, error) {
	filter, err := clause.ParseClauses(lists...)
	if err != nil {
		return filter, badUsage("a comma stands for or, a leading not leaves out", "--clauses: %w", err)
	}
	ids := make([]string, len(catalogue))
	for i, c := range catalogue {
		ids[i] = string(c.ID)
	}
	for _, word := range filter.Idle(ids) {
		return filter, badUsage(meant(word, clausePlaces(catalogue))+" `paysandbox clauses` lists them all", "--clauses: no clause or area is called %q", word)
	}
	return filter, nil
}

// clausePlaces are all names that choose clauses: ids, what stands above them, areas.
func clausePlaces(catalogue []clause.Clause) []string {
	seen := map[string]bool{}
	for _, c := range catalogue {
		seen[c.Area] = true
		for place := string(c.ID); place != ""; place = place[:max(strings.LastIndexByte(place, '.'), 0)] {
			seen[place] = true
		}
	}
	return sortedNames(seen)
}

// meant asks for the names that a mistaken one is most like.
func meant(word string, names []string) string {
	names = slices.Clone(names)
	far := func(name string) int {
		if strings.Contains(name, word) {
			return 0
		}
		return spelling.Edits(word, name)
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(far(a), far(b)), cmp.Compare(len(a), len(b))) })
	return "did you mean " + strings.Join(names[:min(suggested, len(names))], ", ") + "?"
}
