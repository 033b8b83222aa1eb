package latitude

import (
	"cmp"
	"slices"
	"strings"

	"paysandbox/mockserver/spelling"
)

// suggestions is how many names an error proposes at most, and longest is the
// length from which foreign text is not compared at all.
const (
	suggestions = 3
	longest     = 64
)

// nearest returns the names that are spelled most like text, nearest first and
// in the given order among equals: those that need few edits, and those that
// contain it or are contained in it.
func nearest(text string, names []string) []string {
	if text == "" || len(text) > longest {
		return nil
	}
	type candidate struct {
		name     string
		distance int
	}
	text = strings.ToLower(text)
	found := []candidate{}
	for _, name := range names {
		lower := strings.ToLower(name)
		distance := spelling.Edits(text, lower)
		if distance <= max(2, len(lower)/3) || alike(text, lower) {
			found = append(found, candidate{name, distance})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	best := []string{}
	for _, c := range found[:min(suggestions, len(found))] {
		best = append(best, c.name)
	}
	return best
}

// alike reports whether one text holds the other, when they are long enough for
// that to mean something.
func alike(a, b string) bool {
	return len(a) > 2 && len(b) > 2 && (strings.Contains(a, b) || strings.Contains(b, a))
}
