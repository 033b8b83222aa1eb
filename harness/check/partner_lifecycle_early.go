package check

import (
	"cmp"
	"maps"
	"slices"

	"paysandbox/mockserver/tape"
)

// ahead looks for payments that were fulfilled while their payers had not even said
// yes, and had not come back either.
func (r *returns) ahead(back map[string]bool) {
	seen := map[string]bool{}
	for i := range r.probes {
		p := &r.probes[i]
		for _, id := range slices.Sorted(maps.Keys(p.by)) {
			if p.by[id].fulfilled == 0 || seen[id] {
				continue
			}
			seen[id] = true
			if asked := at(r.changes[id], p.entry.Seq); !back[id] && asked != nil && asked.Transition.To == "Pending" {
				r.tooEarly(asked, id, p)
			}
		}
	}
}

// tooEarly tells of a payment that is fulfilled although it is not Paid.
func (r *returns) tooEarly(e *tape.Entry, id string, p *probe) {
	r.t.unsure(r.y, "nothing fulfilled before the payment is Paid", "the payment "+id+" is "+often("fulfilled", p.by[id].fulfilled)+" while it is "+r.state(id, p.entry.Seq),
		"hand over when the service says Paid, in its webhook or in the status: neither a payer's return nor a timer says so, and Pending and Processing are not Paid", e.Seq, p.entry.Seq)
}

// early is an answer of the state probe that has a payment fulfilled, after the
// payer came back, before it was Paid.
func (r *returns) early(e *tape.Entry, id string) *probe {
	paid := became(r.changes[id], "Paid")
	first, _ := slices.BinarySearchFunc(r.probes, e.Seq+1, func(p probe, seq uint64) int { return cmp.Compare(p.entry.Seq, seq) })
	for i := first; i < len(r.probes); i++ {
		p := &r.probes[i]
		if paid != nil && p.entry.Seq > paid.Seq {
			break
		}
		if p.by[id].fulfilled > 0 && r.state(id, p.entry.Seq) != "" {
			return p
		}
	}
	return nil
}
