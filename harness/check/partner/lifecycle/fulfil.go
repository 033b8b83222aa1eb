package lifecycle

import (
	"cmp"
	"slices"
	"strings"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// onTheWay are the states in which a payment is under way: the payer has said yes, and
// the money has not come.
var onTheWay = []string{"Processing", "Queued", "InReview", "Scheduled"}

// paidFirst judges whether anything is handed over for a payment before it is Paid. What
// follows from a payer's coming back is partner.payment.redirect's matter.
func paidFirst(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	f := fulfilment{t: t, y: &y, changes: t.PaymentChanges(), reads: t.ReadsByID(), told: map[string][]*trail.Delivery{}, back: map[string]*tape.Entry{}}
	for _, h := range t.Deliveries() {
		if h.Taken() {
			f.told[h.About()] = append(f.told[h.About()], h)
		}
	}
	for _, c := range t.PayerReturns() {
		if c.Sure && f.back[c.ID] == nil {
			f.back[c.ID] = c.Entry
		}
	}
	for e := range t.Of(tape.KindTransition) {
		if id := strings.ToLower(e.Transition.Entity); e.Transition.From == "" && len(f.changes[id]) > 0 {
			f.judge(id)
		}
	}
	return y.Exercised()
}

// fulfilment is the walk along the payments.
type fulfilment struct {
	t       *trail.Trail
	y       *verdict.Tally
	changes map[string][]*tape.Entry
	reads   map[string][]*tape.Entry
	// told are the deliveries about each payment that the application took, back when
	// its payer came back first.
	told map[string][]*trail.Delivery
	back map[string]*tape.Entry
}

// judge judges what the application says of one payment until that is Paid.
func (f *fulfilment) judge(id string) {
	told, heldOut := f.underWay(id), false
	shown := false
	for _, p := range f.before(id) {
		got, known := p.By[id]
		change := trail.LastBefore(f.changes[id], p.Entry.Seq)
		switch {
		case !known || change == nil:
		case got.Fulfilled > 0:
			f.early(id, p, change)
			return
		case told != nil && p.Entry.Seq > told.Seq:
			shown = true
			if f.t.Worked(p, told) {
				f.y.Holds(told.Seq, p.Entry.Seq)
				heldOut = true
			}
		}
	}
	switch {
	case told == nil || heldOut:
	case shown:
		f.y.Skip("the application was asked for its state before it had the time to act")
	case len(f.t.Probes()) == 0:
		f.y.ReviewAs("probe", "the application was told that a payment is under way; what it made of it only the application knows", told.Seq)
	default:
		f.y.Skip("the application was not asked for its state while the payment was under way")
	}
}

// early judges that a payment was fulfilled, by an answer of the state probe, while it was what
// a change had made of it.
func (f *fulfilment) early(id string, p *trail.Probe, change *tape.Entry) {
	switch {
	case cameBackFirst(f.t, f.back[id], id, p): // another clause's matter
	case f.t.ForgedPaid(id, p.Entry.Seq):
		f.y.Skip("a payment was fulfilled when a delivery that is not genuine had told that it is Paid, which is another clause's matter")
	default:
		got := p.By[id]
		f.t.Unsure(f.y, "nothing fulfilled before the payment is Paid", "the payment "+id+" is "+got.Text()+" while it is "+change.Transition.To, change.Seq, p.Entry.Seq)
	}
}

// before are the answers of the state probe from a payment's beginning until it is Paid:
// to the end when it never was.
func (f *fulfilment) before(id string) []*trail.Probe {
	probes := f.t.ProbesAfter(f.changes[id][0].Seq)
	paid := trail.FirstInto(f.changes[id], "Paid")
	if paid == nil {
		return probes
	}
	n, _ := slices.BinarySearchFunc(probes, paid.Seq, func(p *trail.Probe, seq uint64) int { return cmp.Compare(p.Entry.Seq, seq) })
	return probes[:n]
}

// underWay is the first entry by which the application has learnt that a payment is under
// way, nil for none.
func (f *fulfilment) underWay(id string) *tape.Entry {
	for _, h := range f.told[id] {
		if slices.Contains(onTheWay, h.Says()) {
			return h.Entry
		}
	}
	for _, e := range f.reads[id] {
		if trail.Served(e.Exchange) && slices.Contains(onTheWay, f.t.Answered(e.Exchange).Text("status")) {
			return e
		}
	}
	for _, e := range f.t.ReportsByID()[id] {
		if now := trail.LastBefore(f.changes[id], e.Seq); now != nil && slices.Contains(onTheWay, now.Transition.To) {
			return e
		}
	}
	return nil
}

// cameBackFirst says whether what a probe shows as fulfilled may follow from a payer's
// coming back: no probe in between has it unfulfilled.
func cameBackFirst(t *trail.Trail, back *tape.Entry, id string, by *trail.Probe) bool {
	if back == nil || back.Seq > by.Entry.Seq {
		return false
	}
	return !slices.ContainsFunc(t.Probes(), func(p *trail.Probe) bool {
		got, known := p.By[id]
		return p.Entry.Seq > back.Seq && p.Entry.Seq < by.Entry.Seq && known && got.Fulfilled == 0 && t.Worked(p, back)
	})
}
