package tape

import (
	"iter"
	"slices"
	"strings"
)

// Profiles is a set of delivery profiles: their names in the documented order,
// between commas; empty for none.
type Profiles string

// Each goes through the names.
func (p Profiles) Each() iter.Seq[string] {
	return func(yield func(string) bool) {
		for name := range strings.SplitSeq(string(p), ",") {
			if name != "" && !yield(name) {
				return
			}
		}
	}
}

// Has says whether one of the names is in the set.
func (p Profiles) Has(names ...string) bool {
	for name := range p.Each() {
		if slices.Contains(names, name) {
			return true
		}
	}
	return false
}
