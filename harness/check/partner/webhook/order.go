package webhook

import (
	"cmp"
	"slices"
	"strconv"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// late is an event that came after one about the same payment that had happened
// later.
type late struct {
	about string
	event *tape.Entry
	// tries are its deliveries to the endpoint, over that of the later event.
	tries []*trail.Delivery
	over  *trail.Delivery
}

// effectInAnyOrder judges what applications make of events that come out of order.
func effectInAnyOrder(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	var half *halfShown
	for _, l := range overtaken(t) {
		took := l.taken()
		last := l.tries[len(l.tries)-1]
		switch {
		case took != nil:
			if seen := sameResult(t, &y, l, took); seen != nil {
				half = seen
			}
		case last.Away():
			y.Skip("a late event that was not answered")
		case !t.Takes(last.Endpoint):
			noteHindrance(&y, "status "+strconv.Itoa(last.Status)+", but nothing else was accepted either", secretHint, last)
		default:
			t.UnsureAs(&y, "accept", "2xx to an event that comes late", "status "+strconv.Itoa(last.Status), l.over.Entry.Seq, last.Entry.Seq)
		}
	}
	if half != nil && y.Held() == 0 {
		y.ReviewAs("half", half.says+" came late and did no harm; that Paid which comes behind its own return does none was not shown", half.entries...)
	}
	whyNot(t, &y)
	return y.Exercised()
}

// halfShown is a late event of which no harm could come: an application that only ever
// takes Paid and Failed to its books is right by leaving it alone, and may be wrong where
// Paid comes behind its return.
type halfShown struct {
	says    string
	entries []uint64
}

// whyNot says of deliveries that a profile has held back why they do not count.
func whyNot(t *trail.Trail, y *verdict.Tally) {
	held := map[string]bool{}
	for _, h := range t.Deliveries() {
		if trail.Spoilt(h.Attempt, "reorder") {
			held[h.About()] = true
		}
	}
	switch {
	case len(held) > 1:
		y.Skip("events of " + strconv.Itoa(len(held)) + " different payments changed places, and none came before an earlier one of its own payment: nothing follows from that")
	case len(held) == 1:
		y.Skip("an event was held back, and came before every later one of its payment all the same")
	}
}

// overtaken finds the events whose first delivery to an endpoint came after that
// of a later event. A later delivery of what was taken in time is no late event.
func overtaken(t *trail.Trail) []*late {
	type key struct{ endpoint, about string }
	type place struct{ endpoint, event string }
	newest, known := map[key]*trail.Delivery{}, map[place]*late{}
	seen := map[place]bool{}
	var list []*late
	for _, h := range t.Deliveries() {
		if h.About() == "" || !h.Genuine() || h.Status == 0 || trail.Spoilt(h.Attempt, "unknown-event", "stale-timestamp") {
			continue
		}
		at, in := place{h.Endpoint, h.Event}, key{h.Endpoint, h.About()}
		if l := known[at]; l != nil {
			l.tries = append(l.tries, h)
			continue
		}
		top := newest[in]
		if top != nil && top.Emitted.Seq > h.Emitted.Seq && !seen[at] {
			known[at] = &late{about: h.About(), event: h.Emitted, tries: []*trail.Delivery{h}, over: top}
			list = append(list, known[at])
		}
		seen[at] = true
		if trail.Accepted(h.Attempt) && (top == nil || top.Emitted.Seq < h.Emitted.Seq) {
			newest[in] = h
		}
	}
	return list
}

// taken is the delivery by which the application took the late event, nil for
// none.
func (l *late) taken() *trail.Delivery {
	for _, h := range l.tries {
		if trail.Accepted(h.Attempt) {
			return h
		}
	}
	return nil
}

// sameResult compares what the application has made of a payment in the end with
// what became of it. It gives what shows half of the clause.
func sameResult(t *trail.Trail, y *verdict.Tally, l *late, took *trail.Delivery) *halfShown {
	if p := healedByChance(t, l, took); p != nil {
		otherResult(t, y, l, took, p)
		return nil
	}
	first, wrong := true, false
	for _, p := range slices.Backward(t.Probes()) {
		got, known := p.By[l.about]
		if p.Entry.Seq < took.Entry.Seq || !known {
			continue
		}
		state, want := outcome(t, l.about, p.Entry.Seq)
		if first {
			first, wrong = false, state != "" && !want.fits(got)
		}
		if !toldAll(t, l.about, took.Endpoint, p.Entry.Seq) {
			continue
		}
		if state == "" || want.fits(got) {
			seen := []uint64{l.over.Entry.Seq, took.Entry.Seq, p.Entry.Seq}
			return holds(y, took, seen)
		}
		if !p.Settled(t, l.about, lastTold(t, l.about, p)) {
			continue
		}
		otherResult(t, y, l, took, p)
		return nil
	}
	if e := readAfter(t, l, took); e != nil && !wrong {
		return holds(y, took, []uint64{l.over.Entry.Seq, took.Entry.Seq, e.Seq})
	}
	y.ReviewAs("probe", "the late event was accepted; what became of it only the application knows", l.over.Entry.Seq, took.Entry.Seq)
	return nil
}

// holds is what it shows that a late event has led to the right result: of all but a Paid
// that comes behind its own return the half, also where the application has read the state
// since, which it may do after every sale and whatever comes.
func holds(y *verdict.Tally, took *trail.Delivery, seen []uint64) *halfShown {
	if took.Says() != "Paid" {
		return &halfShown{cmp.Or(took.Says(), "an earlier event"), seen}
	}
	y.Holds(seen...)
	return nil
}

// otherResult tells what an application says of a payment whose late event it has taken.
func otherResult(t *trail.Trail, y *verdict.Tally, l *late, took *trail.Delivery, p *trail.Probe) {
	state, want := outcome(t, l.about, p.Entry.Seq)
	t.Unsure(y, "the same result in any order: the payment "+l.about+" is "+state+", so "+want.text(),
		p.By[l.about].Text()+", after "+cmp.Or(took.Says(), "an earlier event")+" had come behind "+cmp.Or(l.over.Says(), "a later one"), l.over.Entry.Seq, took.Entry.Seq, p.Entry.Seq)
}

// healedByChance is the last answer in which an application that had the time to act is
// wrong because of a late event, where nothing but a further delivery has put that right,
// which comes in no order that anybody promises; nil for none.
func healedByChance(t *trail.Trail, l *late, took *trail.Delivery) (wrong *trail.Probe) {
	for _, p := range t.ProbesAfter(took.Entry.Seq) {
		got, known := p.By[l.about]
		if !known {
			continue
		}
		state, want := outcome(t, l.about, p.Entry.Seq)
		switch {
		case state == "" || !toldAll(t, l.about, took.Endpoint, p.Entry.Seq):
		case !want.fits(got):
			if wrong = p; !p.Settled(t, l.about, lastTold(t, l.about, p)) {
				wrong = nil
			}
		case wrong == nil:
		case toldBetween(t, l.about, wrong, p) && !readBetween(t, l.about, took.Entry.Seq, p.Entry.Seq):
			return wrong
		default:
			wrong = nil
		}
	}
	return nil
}

func toldBetween(t *trail.Trail, id string, from, to *trail.Probe) bool {
	return slices.ContainsFunc(t.DeliveriesAbout(id), func(h *trail.Delivery) bool {
		return h.Taken() && h.Entry.Seq > from.Entry.Seq && h.Entry.Seq < to.Entry.Seq
	})
}

func readBetween(t *trail.Trail, id string, from, to uint64) bool {
	e := t.ReadAfter(id, from)
	return e != nil && e.Seq < to
}

// readAfter is the call by which the application has read the payment's status itself
// because of a late event, nil for none: then it goes by that in any order.
func readAfter(t *trail.Trail, l *late, took *trail.Delivery) *tape.Entry {
	if e := t.ReadAfter(l.about, took.Emitted.Seq); e != nil && t.Waited(e)-t.Waited(took.Entry) <= int64(followWindow) && !t.Tasks().Covers(e, l.about) {
		return e
	}
	return nil
}

// result is what has to come of a payment: how often it counts in the end, and
// whether anything could have been taken back, because the payment failed or because the
// partner has given money back.
type result struct {
	counts             int
	returned, refunded bool
}

// outcome is the state of a payment before an entry, "" when it is not known, and
// what has to come of it.
func outcome(t *trail.Trail, id string, before uint64) (string, result) {
	state := t.PaymentState(id, before)
	if state == "Paid" {
		return state, result{counts: 1, refunded: t.Refunded()[id]}
	}
	return state, result{returned: true}
}

// fits says whether an application's counts are right.
func (r result) fits(e trail.Effects) bool {
	if r.refunded {
		return e.Fulfilled < 2 && e.Reversed <= e.Fulfilled
	}
	return e.Fulfilled-e.Reversed == r.counts && (r.returned || e.Reversed == 0)
}

// text says what is expected.
func (r result) text() string {
	switch {
	case r.refunded:
		return "fulfilled once at most, and reversed as often at most"
	case r.counts == 1:
		return "fulfilled once and not reversed"
	}
	return "not fulfilled, or reversed again"
}

// toldAll says whether an endpoint has taken every event about a payment that
// had happened before an entry.
func toldAll(t *trail.Trail, id, endpoint string, until uint64) bool {
	took := map[string]bool{}
	for _, h := range t.DeliveriesAbout(id) {
		if h.Entry.Seq < until && h.Endpoint == endpoint && h.Told() {
			took[h.Event] = true
		}
	}
	return !slices.ContainsFunc(t.EventsAbout(id), func(e *tape.Entry) bool { return e.Seq < until && !took[e.Event.ID] })
}

// lastTold is the last delivery about a payment that the application took before
// it was asked for its state; there is one.
func lastTold(t *trail.Trail, id string, p *trail.Probe) *tape.Entry {
	last := p.Entry
	for _, h := range t.DeliveriesAbout(id) {
		if h.Entry.Seq < p.Entry.Seq && h.Taken() && h.About() == id {
			last = h.Entry
		}
	}
	return last
}
