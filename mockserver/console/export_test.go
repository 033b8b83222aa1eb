package console

import (
	"maps"
	"slices"
)

// Patterns are those of all pages but the one to sign in.
func Patterns() []string {
	return slices.Sorted(maps.Keys(func() map[string]func(*visit) {
		all := ofAll()
		maps.Copy(all, ofOne())
		return all
	}()))
}
