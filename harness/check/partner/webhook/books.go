package webhook

import (
	"slices"
	"strings"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// bookkeeping compares what an application has made of each payment in the end
// with what became of it, for what it was told and has had the time to do.
type bookkeeping struct {
	t       *trail.Trail
	y       *verdict.Tally
	changes map[string][]*tape.Entry
	reads   map[string][]*tape.Entry
	// told are the deliveries about each payment that the application took.
	deliveries map[string][]*trail.Delivery
	// events says of which payments an event has told that they are in a state, as
	// "ID STATE".
	events map[string]bool
	// others are the payments that are judged elsewhere: whose payer came back. Those
	// that were refunded may be taken back, or not. Of those whose events came in another
	// order only what was done twice is judged here.
	others, refunded, order map[string]bool
}

// booksAtTheEnd judges the last that the application says of each payment.
func booksAtTheEnd(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	if told := endTold(t); told != nil && len(t.Probes()) == 0 {
		y.ReviewAs("probe", "the application was told what became of payments; what it made of them only the application knows", told.Seq)
		return y.Exercised()
	}
	if !t.KeepsTime() {
		y.Skip("the clock stood still, so whether the application has had the time is not on the tape")
		return y.Exercised()
	}
	b := bookkeeping{t: t, y: &y, changes: t.PaymentChanges(), reads: t.ReadsByID(), deliveries: map[string][]*trail.Delivery{}, events: map[string]bool{}, others: map[string]bool{}, refunded: t.Refunded(), order: map[string]bool{}}
	for _, h := range t.Deliveries() {
		if h.Told() {
			b.deliveries[h.About()] = append(b.deliveries[h.About()], h)
		}
	}
	for e := range t.Of(tape.KindEvent) {
		b.events[strings.ToLower(trail.Subject(e))+" "+trail.ReadBody(e.Event.Body).Object("Data").Text("Status")] = true
	}
	b.leaveToOthers()
	b.judge()
	return y.Exercised()
}

// judge looks at every payment that was made.
func (b *bookkeeping) judge() {
	probes := b.t.Probes()
	if len(probes) == 0 {
		return
	}
	last := map[string]*trail.Probe{}
	for _, p := range probes {
		for id := range p.By {
			last[id] = p
		}
	}
	for e := range b.t.Of(tape.KindTransition) {
		id := strings.ToLower(e.Transition.Entity)
		if e.Transition.From != "" || len(b.changes[id]) == 0 || b.others[id] {
			continue
		}
		p, end := last[id], probes[len(probes)-1]
		if p != nil {
			b.payment(id, p)
		}
		if p != end && !b.refunded[id] && !b.order[id] {
			b.missing(id, end)
		}
	}
}

// missing tells of a payment that is Paid, of which the application was told, and which
// it does not name in the end although it was asked: it may be another application's, or
// its books are lost.
func (b *bookkeeping) missing(id string, p *trail.Probe) {
	change := trail.LastBefore(b.changes[id], p.Entry.Seq)
	if change == nil || change.Transition.To != "Paid" {
		return
	}
	if told := b.heard(id, change, p); told != nil && !b.inDoubt(id, told, p) && p.Settled(b.t, id, told) {
		b.y.ReviewAs("missing", "the payment "+id+" is Paid, the application was told, and its books do not name it", change.Seq, told.Seq, p.Entry.Seq)
	}
}

// endTold is the first entry by which the application has learnt that a payment is
// Paid, nil for none.
func endTold(t *trail.Trail) *tape.Entry {
	for _, h := range t.Deliveries() {
		if h.Told() && h.Says() == "Paid" {
			return h.Entry
		}
	}
	for e := range t.CallEntries() {
		if o := trail.OperationOf(e.Exchange); o.Reads == trail.OneState && trail.KindOf(o.Kind).Collects && trail.Served(e.Exchange) &&
			trail.ReadBody(e.Exchange.Response.Body).Text("status") == "Paid" {
			return e
		}
	}
	return nil
}

// leaveToOthers leaves the payments alone that other clauses judge.
func (b *bookkeeping) leaveToOthers() {
	for _, c := range b.t.PayerReturns() { // what is fulfilled though it is not Paid is partner.payment.redirect's matter
		b.others[c.ID] = c.Sure && trail.FirstInto(b.changes[c.ID], "Paid") == nil
	}
	for _, l := range overtaken(b.t) {
		b.order[l.about] = true
	}
}

// payment judges the last answer of the state probe about one payment.
func (b *bookkeeping) payment(id string, p *trail.Probe) {
	got := p.By[id]
	change := trail.LastBefore(b.changes[id], p.Entry.Seq)
	if change == nil {
		return
	}
	state := change.Transition.To
	want, right := b.wanted(id, state, got)
	if want == "" || b.order[id] && got.Fulfilled < 2 && got.Reversed < 2 {
		return
	}
	told := b.heard(id, change, p)
	switch {
	case told == nil, b.doubled(id, got):
	case right && got.Fulfilled > 0 && state == "Paid":
		b.y.Holds(change.Seq, told.Seq, p.Entry.Seq)
	case right:
	case b.inDoubt(id, told, p), !b.settled(id, told, p):
		b.y.Skip("the application was asked for its state before it had the time to act")
	default:
		b.t.Unsure(b.y, "the payment "+id+" is "+state+", so "+want,
			got.Text()+", though the application was told", change.Seq, told.Seq, p.Entry.Seq)
	}
}

// wanted says what the books have to say of a payment in a state in the end, "" where
// anything may stand there, and whether they do.
func (b *bookkeeping) wanted(id, state string, got trail.Effects) (want string, right bool) {
	switch paid := trail.FirstInto(b.changes[id], "Paid"); {
	case state == "Paid" && b.refunded[id]:
		return "fulfilled once at most, and reversed as often at most", got.Fulfilled < 2 && got.Reversed <= got.Fulfilled
	case state == "Paid":
		return "fulfilled once and not reversed", got == trail.Effects{Fulfilled: 1}
	case state == "Failed" && paid != nil: // that it is taken back at all is partner.payment.late-return's matter
		return "reversed as often as it was fulfilled, once at most", got.Fulfilled < 2 && got.Reversed <= got.Fulfilled
	case state == "Denied", state == "Canceled", state == "Failed":
		return "not fulfilled, or reversed again", got.Fulfilled == got.Reversed
	}
	return "", false
}

// settled says whether the application had the time to act when it was asked last, or
// before that, and has answered the same about a payment since: what it was busy with
// at last is no reason for what it had not done long before.
func (b *bookkeeping) settled(id string, told *tape.Entry, last *trail.Probe) bool {
	if last.Settled(b.t, id, told) {
		return true
	}
	return slices.ContainsFunc(b.t.ProbesAfter(told.Seq), func(p *trail.Probe) bool {
		return p.Entry.Seq < last.Entry.Seq && p.Settled(b.t, id, told) && p.By[id] == last.By[id]
	})
}

// heard is the first entry by which the application has learnt of a change, before
// it was asked for its state; nil for none. One that takes events may act when the event
// comes, whatever it has read before.
func (b *bookkeeping) heard(id string, change *tape.Entry, p *trail.Probe) *tape.Entry {
	for _, h := range b.deliveries[id] {
		if h.Emitted.Seq > change.Seq && h.Entry.Seq < p.Entry.Seq && h.Says() == change.Transition.To {
			return h.Entry
		}
	}
	if len(b.deliveries) > 0 && b.events[id+" "+change.Transition.To] {
		return nil
	}
	for _, e := range b.reads[id] {
		if e.Seq > change.Seq && e.Seq < p.Entry.Seq && trail.Served(e.Exchange) && trail.ReadBody(e.Exchange.Response.Body).Text("status") == change.Transition.To {
			return e
		}
	}
	for _, e := range b.t.ReportsByID()[id] {
		if e.Seq > change.Seq && e.Seq < p.Entry.Seq {
			return e
		}
	}
	return nil
}

// doubled says whether what is wrong is that an effect came twice of an event that
// came twice, which has a clause of its own.
func (b *bookkeeping) doubled(id string, got trail.Effects) bool {
	seen := map[string]bool{}
	for _, h := range b.deliveries[id] {
		if seen[h.Event] && (got.Fulfilled > 1 || got.Reversed > 1) {
			return true
		}
		seen[h.Event] = true
	}
	return false
}

// inDoubt says whether the application was still without an answer when it wanted
// to read the state after it was told.
func (b *bookkeeping) inDoubt(id string, told *tape.Entry, p *trail.Probe) bool {
	doubt := false
	for _, e := range b.reads[id] {
		if e.Seq > told.Seq && e.Seq < p.Entry.Seq {
			doubt = !trail.Served(e.Exchange)
		}
	}
	return doubt
}
