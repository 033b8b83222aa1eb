package lifecycle

import (
	"cmp"
	"maps"
	"slices"

	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// ahead looks for payments that were fulfilled while their payers had not even said
// yes, and had not come back either.
func (r *returns) ahead(back map[string]bool) {
	seen := map[string]bool{}
	for _, p := range r.t.Probes() {
		for _, id := range slices.Sorted(maps.Keys(p.By)) {
			if p.By[id].Fulfilled == 0 || seen[id] {
				continue
			}
			seen[id] = true
			if asked := trail.LastBefore(r.changes[id], p.Entry.Seq); !back[id] && asked != nil && asked.Transition.To == "Pending" {
				r.tooEarly(asked, id, p)
			}
		}
	}
}

// tooEarly tells of a payment that is fulfilled although it is not Paid.
func (r *returns) tooEarly(e *tape.Entry, id string, p *trail.Probe) {
	r.t.Unsure(r.y, "nothing fulfilled before the payment is Paid", "the payment "+id+" is "+trail.Often("fulfilled", p.By[id].Fulfilled)+" while it is "+r.state(id, p.Entry.Seq),
		"hand over when the service says Paid, in its webhook or in the status: neither a payer's return nor a timer says so, and Pending and Processing are not Paid", e.Seq, p.Entry.Seq)
}

// early is an answer of the state probe that has a payment fulfilled, after the
// payer came back, before it was Paid.
func (r *returns) early(e *tape.Entry, id string) *trail.Probe {
	paid := trail.FirstInto(r.changes[id], "Paid")
	probes := r.t.Probes()
	first, _ := slices.BinarySearchFunc(probes, e.Seq+1, func(p *trail.Probe, seq uint64) int { return cmp.Compare(p.Entry.Seq, seq) })
	for _, p := range probes[first:] {
		if paid != nil && p.Entry.Seq > paid.Seq {
			break
		}
		if p.By[id].Fulfilled > 0 && r.state(id, p.Entry.Seq) != "" {
			return p
		}
	}
	return nil
}
