package webhook

import (
	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
)

// noteUnmet notes which profiles no delivery has had that a receiver did right about.
func noteUnmet(y *verdict.Tally, met map[string]bool, profiles ...string) {
	for _, profile := range profiles {
		if !met[profile] {
			y.Unseen("a delivery " + ways[profile])
		}
	}
}

// note keeps after which deliveries nothing was done.
func (f *follower) note(h *trail.Delivery, held bool) {
	if !held {
		return
	}
	f.paid = f.paid || h.Claims() == "Paid"
	for _, profile := range trail.Forgeries {
		f.met[profile] = f.met[profile] || trail.Spoilt(h.Attempt, profile)
	}
}

// tellUnmet names the deliveries that have not come.
func (f *follower) tellUnmet() {
	noteUnmet(f.y, f.met, trail.Forgeries...)
	if !f.paid {
		f.y.Unseen("a delivery that says Paid and is not genuine")
	}
}
