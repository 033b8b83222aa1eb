package lifecycle

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// redirectNoProof judges what applications do when a payer comes back.
func redirectNoProof(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	r := returns{t: t, y: &y, charges: chargesByPayer(t), reads: t.ReadsByID(), acts: actsByID(t), changes: t.PaymentChanges()}
	seen := false
	for _, c := range t.PayerReturns() {
		seen = seen || c.Sure && !c.Registration
		switch {
		case c.Sure && c.Registration:
			r.registration(c.Entry, c.ID)
		case c.Sure:
			r.payment(c.Entry, c.ID)
		default:
			r.maybe(c)
		}
	}
	if !seen {
		y.Unseen("a payer who comes back from a payment: on its page, or by your tests, which say so by a note of kind redirect")
	}
	return y.Exercised()
}

// maybe judges a payer who was played by a call of the control API. What was read
// since is right; what was not may be because nobody came back.
func (r *returns) maybe(c trail.PayerReturn) {
	read := r.readSince(c.ID, c.Entry.Seq)
	charged := r.chargedSince(c.ID, c.Entry.Seq)
	if read != nil && (!c.Registration || charged == nil || read.Seq < charged.Seq) {
		r.y.Holds(c.Entry.Seq, read.Seq)
		return
	}
	r.y.Skip("a payer was played by a call of the control API, and whether a browser came back to the application is not on the tape")
}

// chargedSince is the first call after an entry that charges a registration.
func (r *returns) chargedSince(id string, since uint64) *tape.Entry {
	for _, e := range r.charges[id] {
		if e.Seq > since {
			return e
		}
	}
	return nil
}

// readSince is the first read of the state of a resource after an entry.
func (r *returns) readSince(id string, since uint64) *tape.Entry {
	for _, e := range r.reads[id] {
		if e.Seq > since && trail.Served(e.Exchange) {
			return e
		}
	}
	return nil
}

// returns judges payers who come back.
type returns struct {
	t *trail.Trail
	y *verdict.Tally
	// charges are the calls that charge each registration.
	charges map[string][]*tape.Entry
	// reads are the calls that read the state of each resource.
	reads map[string][]*tape.Entry
	// acts are what payers have done about each resource.
	acts map[string][]uint64
	// changes are those of each payment.
	changes map[string][]*tape.Entry
}

// chargesByPayer are the calls that charge a registration, oldest first.
func chargesByPayer(t *trail.Trail) map[string][]*tape.Entry {
	by := map[string][]*tape.Entry{}
	for e := range t.CallEntries() {
		if id, _ := t.PayerOf(e.Exchange); id != "" {
			by[id] = append(by[id], e)
		}
	}
	return by
}

// since is the last thing that the payer, or who plays one, has done about a
// resource before the note: what the application does from then on may be
// because the payer came back.
func (r *returns) since(e *tape.Entry, id string) uint64 {
	acts := r.acts[id]
	if n, _ := slices.BinarySearch(acts, e.Seq); n > 0 {
		return acts[n-1]
	}
	return e.Seq
}

// actsByID are what payers, or who plays them, have done about each resource.
func actsByID(t *trail.Trail) map[string][]uint64 {
	by := map[string][]uint64{}
	for i := range t.Entries {
		if e := &t.Entries[i]; e.Kind == tape.KindPage || e.Kind == tape.KindControl {
			id := strings.ToLower(trail.Subject(e))
			by[id] = append(by[id], e.Seq)
		}
	}
	return by
}

// payment judges a payer who came back from a payment.
func (r *returns) payment(e *tape.Entry, id string) {
	if p := r.early(e, id); p != nil {
		r.tooEarly(e, id, p)
		return
	}
	if read := r.t.ReadAfter(id, r.since(e, id)); read != nil {
		r.y.Holds(e.Seq, read.Seq)
		return
	}
	heard := r.heard(id, ^uint64(0))
	switch p := r.unmoved(e, id); {
	case p != nil:
		r.y.Holds(e.Seq, p.Entry.Seq)
	case r.heard(id, e.Seq) && r.state(id, e.Seq) == "Paid":
		r.y.Skip("a payer who came back when the event had told that the payment is Paid")
	case !r.t.WentOn(e, 5*time.Second):
		r.y.Skip("a payer who has just come back")
	case heard || r.listens(e, id):
		r.y.ReviewAs("probe", "the state was not read after the payer came back: does the webhook decide?", e.Seq)
	default:
		r.t.UnsureAs(r.y, "read", "the state of the payment "+id+" read from the service", "no call that reads it after the payer came back", e.Seq)
	}
}

// state is the state of a payment before an entry, "" when it is not known.
func (r *returns) state(id string, before uint64) string {
	if e := trail.LastBefore(r.changes[id], before); e != nil {
		return e.Transition.To
	}
	return ""
}

// unmoved is an answer of the state probe that has the payment not fulfilled
// after the payer came back, while it is not Paid.
func (r *returns) unmoved(e *tape.Entry, id string) *trail.Probe {
	for _, p := range r.t.Probes() {
		got, known := p.By[id]
		if p.Entry.Seq > e.Seq && known && got.Fulfilled == 0 && r.state(id, p.Entry.Seq) != "Paid" {
			return p
		}
	}
	return nil
}

// heard says whether the application has taken an event about a payment.
func (r *returns) heard(id string, until uint64) bool {
	for _, h := range r.t.DeliveriesAbout(id) {
		if h.Entry.Seq < until && h.Told() {
			return true
		}
	}
	return false
}

// listens says whether the application takes events, and none has told of a payment
// since an entry: it may be waiting for one.
func (r *returns) listens(since *tape.Entry, id string) bool {
	takes := false
	for _, h := range r.t.Deliveries() {
		if h.Emitted != nil && h.Emitted.Seq > since.Seq && h.About() == id {
			return false
		}
		takes = takes || h.Told()
	}
	return takes
}

// registration judges a payer who came back from a registration: the state has
// to be read at once, or before the payer is charged.
func (r *returns) registration(e *tape.Entry, id string) {
	since := r.since(e, id)
	var charged *tape.Entry
	for _, c := range r.charges[id] {
		if c.Seq < since {
			r.y.Skip("a payer who was charged before coming back from the registration")
			return
		}
		if charged == nil && c.Seq > e.Seq {
			charged = c
		}
	}
	read := r.t.ReadAfter(id, since)
	const atOnce = time.Second
	switch {
	case read != nil && (charged == nil || read.Seq < charged.Seq || r.t.Waited(read)-r.t.Waited(e) <= int64(atOnce)):
		r.y.Holds(e.Seq, read.Seq)
	case charged == nil:
		r.y.Skip("a payer who came back from a registration and was not charged since")
	case !r.t.WentOn(e, atOnce):
		r.y.Skip("a payer who has just come back")
	default:
		r.t.UnsureAs(r.y, "registration", "the state of the registration "+id+" read from the service", charged.Exchange.Operation+" without having read it after the payer came back", e.Seq, charged.Seq)
	}
}

// tooEarly tells of a payment that is fulfilled although it is not Paid.
func (r *returns) tooEarly(e *tape.Entry, id string, p *trail.Probe) {
	r.t.Unsure(r.y, "nothing fulfilled before the payment is Paid", "the payment "+id+" is "+trail.Often("fulfilled", p.By[id].Fulfilled)+" while it is "+r.state(id, p.Entry.Seq), e.Seq, p.Entry.Seq)
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
		if p.By[id].Fulfilled > 0 && r.state(id, p.Entry.Seq) != "" && cameBackFirst(r.t, e, id, p) {
			return p
		}
	}
	return nil
}
