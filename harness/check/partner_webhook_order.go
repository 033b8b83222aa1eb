package check

import (
	"cmp"
	"sort"
	"strconv"

	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// late is an event that came after one about the same payment that had happened
// later.
type late struct {
	about string
	event *tape.Entry
	// tries are its deliveries to the endpoint, over that of the later event.
	tries []*hook
	over  *hook
}

// anyOrder judges what applications make of events that come out of order.
func anyOrder(t *Tape) []verdict.Judgement {
	var y verdict.Tally
	book, probes, tasks := t.companies(), t.probes(), t.announced()
	hooks := t.hooks()
	takes := t.takers(hooks)
	judged := map[string]bool{}
	changes := t.changes("payment", "saved-card-charge")
	for _, c := range t.comebacks() { // what is fulfilled though it is not Paid is partner.payment.redirect's matter
		judged[c.id] = became(changes[c.id], "Paid") == nil
	}
	for _, l := range overtaken(hooks) {
		judged[l.about] = true
		took := l.taken()
		last := l.tries[len(l.tries)-1]
		switch {
		case took != nil:
			t.sameResult(&y, l, took, book, tasks, probes, hooks)
		case last.away():
			y.Skip("a late event that was not answered")
		case !takes(last.Endpoint):
			y.Review("status "+strconv.Itoa(last.Status)+", but nothing else was accepted either", "see that the receiver has the endpoint's secret", last.entry.Seq)
		default:
			t.unsure(&y, "2xx to an event that comes late", "status "+strconv.Itoa(last.Status),
				"accept every genuine event; leave the state alone when its Timestamp is older than what is known", l.over.entry.Seq, last.entry.Seq)
		}
	}
	t.books(&y, probes, hooks, changes, judged)
	t.whyNot(&y, hooks)
	return y.Exercised("be sent some late: the delivery profile reorder")
}

// whyNot says of deliveries that a profile has held back why they do not count.
func (t *Tape) whyNot(y *verdict.Tally, hooks []hook) {
	held := map[string]bool{}
	for i := range hooks {
		if h := &hooks[i]; spoilt(h.Attempt, "reorder") {
			held[h.about()] = true
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
func overtaken(hooks []hook) []*late {
	type key struct{ endpoint, about string }
	type place struct{ endpoint, event string }
	newest, known := map[key]*hook{}, map[place]*late{}
	seen := map[place]bool{}
	var list []*late
	for i := range hooks {
		h := &hooks[i]
		if h.about() == "" || !h.genuine() || h.Status == 0 || spoilt(h.Attempt, "unknown-event", "stale-timestamp") {
			continue
		}
		at, in := place{h.Endpoint, h.Event}, key{h.Endpoint, h.about()}
		if l := known[at]; l != nil {
			l.tries = append(l.tries, h)
			continue
		}
		top := newest[in]
		if top != nil && top.event.Seq > h.event.Seq && !seen[at] {
			known[at] = &late{about: h.about(), event: h.event, tries: []*hook{h}, over: top}
			list = append(list, known[at])
		}
		seen[at] = true
		if succeeded(h.Attempt) && (top == nil || top.event.Seq < h.event.Seq) {
			newest[in] = h
		}
	}
	return list
}

// taken is the delivery by which the application took the late event, nil for
// none.
func (l *late) taken() *hook {
	for _, h := range l.tries {
		if succeeded(h.Attempt) {
			return h
		}
	}
	return nil
}

// sameResult compares what the application has made of a payment in the end with
// what became of it.
func (t *Tape) sameResult(y *verdict.Tally, l *late, took *hook, book *companies, tasks *announced, probes []probe, hooks []hook) {
	for i := len(probes) - 1; i >= 0; i-- {
		p := &probes[i]
		got, known := p.by[l.about]
		if p.entry.Seq < took.entry.Seq || !known || !t.toldAll(l.about, took.Endpoint, p.entry.Seq, hooks) {
			continue
		}
		state, want := t.outcome(l.about, p.entry.Seq)
		if state == "" || want.fits(got) {
			y.Holds(l.over.entry.Seq, took.entry.Seq, p.entry.Seq)
			return
		}
		if !t.worked(p, lastTold(l.about, p, hooks)) {
			break
		}
		t.unsure(y, "the same result in any order: the payment "+l.about+" is "+state+", so "+want.text(),
			got.text()+", after "+cmp.Or(took.says(), "an earlier event")+" had come behind "+cmp.Or(l.over.says(), "a later one"),
			"compare Timestamp with that of the last event taken, and read the payment's status where in doubt", l.over.entry.Seq, took.entry.Seq, p.entry.Seq)
		return
	}
	if e := t.readAfter(l.about, took.event.Seq, book); e != nil && t.waited(e)-t.waited(took.entry) <= int64(followWindow) && !tasks.covers(e, l.about) {
		y.Holds(l.over.entry.Seq, took.entry.Seq, e.Seq)
		return
	}
	y.Review("the late event was accepted; what became of it only the application knows",
		"offer a state probe in test builds, or read the payment's status after an event that comes late", l.over.entry.Seq, took.entry.Seq)
}

// result is what has to come of a payment: how often it counts in the end, and
// whether anything could have been taken back.
type result struct {
	counts   int
	returned bool
}

// outcome is the state of a payment before an entry, "" when it is not known, and
// what has to come of it.
func (t *Tape) outcome(id string, before uint64) (string, result) {
	state := t.stateOf(id, before)
	if state == "Paid" {
		return state, result{counts: 1}
	}
	return state, result{returned: true}
}

// fits says whether an application's counts are right.
func (r result) fits(e effects) bool {
	return e.fulfilled-e.reversed == r.counts && (r.returned || e.reversed == 0)
}

// text says what is expected.
func (r result) text() string {
	if r.counts == 1 {
		return "fulfilled once and not reversed"
	}
	return "not fulfilled, or reversed again"
}

// toldAll says whether an endpoint has taken every event about a payment that
// had happened before an entry.
func (t *Tape) toldAll(id, endpoint string, until uint64, hooks []hook) bool {
	took := map[string]bool{}
	for i := range hooks {
		if h := &hooks[i]; h.entry.Seq < until && h.Endpoint == endpoint && h.telling() {
			took[h.Event] = true
		}
	}
	for e := range t.of(tape.KindEvent) {
		if e.Seq < until && sameID(main(e), id) && !took[e.Event.ID] {
			return false
		}
	}
	return true
}

// lastTold is the last delivery about a payment that the application took before
// it was asked for its state; there is one.
func lastTold(id string, p *probe, hooks []hook) *tape.Entry {
	last := p.entry
	for i := range hooks {
		if h := &hooks[i]; h.entry.Seq < p.entry.Seq && h.trusted() && h.about() == id {
			last = h.entry
		}
	}
	return last
}

// stateOf is the state of a payment before an entry, "" when it is not known.
func (t *Tape) stateOf(id string, before uint64) string {
	state := ""
	for e := range t.of(tape.KindTransition) {
		m := e.Transition
		if e.Seq < before && sameID(m.Entity, id) && (m.Machine == "payment" || m.Machine == "saved-card-charge") {
			state = m.To
		}
	}
	return state
}

// readAfter is the first call after an entry by which the application has read the
// state of a payment.
func (t *Tape) readAfter(id string, since uint64, book *companies) *tape.Entry {
	list := t.tries()
	first := sort.Search(len(list), func(i int) bool { return list[i].e.Seq > since })
	for i := range list[first:] {
		if e := list[first+i].e; served(e.Exchange) && book.reads(e, id) {
			return e
		}
	}
	return nil
}
