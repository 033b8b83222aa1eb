package retry

import (
	"maps"
	"slices"
	"strings"

	"paysandbox/harness/trail"
)

// tellUnmet names the calls that the application makes and no loss of which was resolved.
func (s *resolving) tellUnmet() {
	for _, kind := range slices.Sorted(maps.Keys(s.used)) {
		if !s.used[kind] {
			s.y.Unseen(kind + " whose answer is lost")
		}
	}
}

// moving is the kind of a call that moves money, in words.
func moving(c *trail.Call) string {
	switch o := trail.OperationOf(c.Exchange); {
	case o.Refunds:
		return "a refund"
	case o.Kind == "saved-card-charge":
		return "the charge of a saved card"
	default:
		return "a payment"
	}
}

// derived says whether a reference is another one with something behind it, such as -again
// or _2: who pays the same under it at once makes the same order anew.
func derived(reference, from string) bool {
	rest, is := strings.CutPrefix(reference, from)
	const telling = 12 // what is shorter may be the beginning of many
	return is && len(from) >= telling && strings.ContainsRune("-_.#/ ", rune((rest + "x")[0]))
}
