package retry

import (
	"maps"
	"slices"

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
