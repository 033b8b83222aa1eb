package webhook

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

const followSoon = time.Second

const followIdle = 2 * time.Second

// follower looks for what follows deliveries that have to be refused.
type follower struct {
	t *trail.Trail
	y *verdict.Tally
	// doubts are calls that may have been made because of such a delivery, or by
	// chance; forged counts the deliveries.
	doubts []doubt
	forged int
	// sure are calls about what the application had let alone for long, soon after such
	// a delivery.
	sure []doubt
	// old are those of events that were taken long before.
	old []doubt
	// met are the profiles after which nothing was done, paid that one of the deliveries
	// said that a payment is Paid.
	met  map[string]bool
	paid bool
}

// doubt is a delivery that was refused, and a call soon after it.
type doubt struct {
	h    *trail.Delivery
	call *tape.Entry
}

// nothingFollows judges what applications do after deliveries that they have to
// refuse. What was accepted is judged by the clauses about signatures.
func nothingFollows(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	f := follower{t: t, y: &y, met: map[string]bool{}}
	for _, h := range f.t.Deliveries() {
		switch {
		case h.Genuine() || h.About() == "":
		case h.Status == 0:
			y.Skip("a delivery that was not answered")
		case trail.Accepted(h.Attempt):
			y.Skip("forged deliveries are accepted: mend the signature clauses first")
		default:
			before := y.Held()
			f.judge(h)
			f.note(h, y.Held() > before)
		}
	}
	f.decide()
	f.tellUnmet()
	return y.Exercised()
}

// judge looks at one delivery that was refused.
func (f *follower) judge(h *trail.Delivery) {
	f.forged++
	if p := f.unproved(h); p != nil {
		f.t.Unsure(f.y, "nothing fulfilled on the word of a delivery that is not genuine", "the payment "+h.About()+" is fulfilled, and nothing but a delivery that was refused has said that it is Paid", h.Entry.Seq, p.Seq)
		return
	}
	if call := f.misled(h); call != nil {
		f.blame(h, call)
		return
	}
	call, over := f.after(h)
	if f.again(h) && (call == nil || !trail.OperationOf(call.Exchange).MovesMoney()) {
		f.woken(h)
		return
	}
	f.followed(h, call, over)
}

// followed judges the first call after a delivery, nil for none.
func (f *follower) followed(h *trail.Delivery, call *tape.Entry, over bool) {
	switch {
	case call == nil && over:
		f.y.Holds(h.Entry.Seq)
	case call == nil:
	case !trail.OperationOf(call.Exchange).MovesMoney() && f.t.KeepsTime() && !f.t.WentOn(call, followWindow): // it may be polling
	case f.t.Meta.Clock == "real" && (f.t.OnTheWay(h) || !f.silent(call, h)) || f.t.Meta.Clock != "real" && len(f.t.Tasks().List) == 0:
		f.doubts = append(f.doubts, doubt{h, call})
	default:
		f.sure = append(f.sure, doubt{h, call})
	}
}

// blame notes a call that was made because of a delivery.
func (f *follower) blame(h *trail.Delivery, call *tape.Entry) {
	f.t.Unsure(f.y, "no call about "+h.About()+" after a delivery that was refused", call.Exchange.Method+" "+call.Exchange.Path, h.Entry.Seq, call.Seq)
}

// after is the first call soon after a delivery that names its resource and that
// nothing else explains, nil for none. over says that it is too late for one.
func (f *follower) after(h *trail.Delivery) (call *tape.Entry, over bool) {
	first := f.news(h)
	later := f.t.From(first)[1:]
	for i := range later {
		e := &later[i]
		if cameBack(e, h.About()) {
			f.y.Skip("a payer came back when a delivery was refused: a call may be because of that")
			return nil, false
		}
		since := f.t.Waited(e) - f.t.Waited(h.Entry)
		if e.Seq > h.Entry.Seq && (f.hears(e, h.About()) || since > int64(followWindow)) {
			return nil, true
		}
		soon := since >= -h.Took-int64(trail.DeliveryLead) && (f.t.Meta.Clock != "real" || since <= int64(followSoon))
		switch n := f.at(e); {
		case !soon || n < 0 || !f.t.Names(e, h.About()) || f.otherwise(h, e, first):
		case f.elsewhere(h, e), f.overtaken(h, e):
			f.y.Skip(cameBeside)
			return nil, false
		case f.sweeps(n):
			f.y.Skip("the states of several resources were read when a delivery was refused: a look after all of them, it seems")
			return nil, false
		default:
			return e, true
		}
	}
	return nil, f.t.WentOn(h.Entry, followWindow)
}

// otherwise says whether a call has another reason than a delivery: it was asked for, goes on
// with what had begun before an entry, or a genuine delivery was there that was not answered yet.
func (f *follower) otherwise(h *trail.Delivery, call *tape.Entry, first uint64) bool {
	return f.t.Tasks().Covers(call, h.About()) || f.begun(call, first) ||
		f.t.Meta.Clock == "real" && (f.coming(h, call) || f.underWay(h, call))
}

// at is the place of an entry among the calls of the application, -1 for none of
// those.
func (f *follower) at(e *tape.Entry) int {
	if e.Kind != tape.KindExchange {
		return -1
	}
	n, found := slices.BinarySearchFunc(f.t.Calls(), e.Seq, func(c *trail.Call, seq uint64) int { return cmp.Compare(c.Entry.Seq, seq) })
	if !found {
		return -1
	}
	return n
}

// hears says whether the application hears of a resource by a good way: what it
// does from then on is no consequence of the delivery that was refused.
func (f *follower) hears(e *tape.Entry, id string) bool {
	if f.t.Tasks().Mentions(e, id) {
		return true
	}
	if e.Kind != tape.KindAttempt {
		return false
	}
	return slices.ContainsFunc(f.t.DeliveriesAbout(id), func(h *trail.Delivery) bool { return h.Entry.Seq == e.Seq && h.Heard() })
}

// silent says whether the application had let the resource alone for a while.
func (f *follower) silent(call *tape.Entry, h *trail.Delivery) bool {
	for e := range f.t.CallEntries() {
		if e.Seq < call.Seq && f.t.Waited(call)-f.t.Waited(e) < int64(followIdle) && f.t.Names(e, h.About()) {
			return false
		}
	}
	return true
}

// begun says whether a call goes on with what had begun before an entry: it was
// made already, or is made so often that it is polling.
func (f *follower) begun(call *tape.Entry, first uint64) bool {
	more := 0
	for e := range f.t.CallEntries() {
		a, b := e.Exchange, call.Exchange
		if a.Operation != b.Operation || a.Path != b.Path || !bytes.Equal(a.Request.Body, b.Request.Body) {
			continue
		}
		if e.Seq < first {
			return true
		}
		if e.Seq > call.Seq && f.t.Waited(e)-f.t.Waited(call) <= int64(followWindow) {
			more++
		}
	}
	return more >= 2 && !trail.OperationOf(call.Exchange).MovesMoney()
}

// sweeps says whether the nth call is one of several of its kind about other
// resources, made one after the other: the application looks after all that it has.
func (f *follower) sweeps(n int) bool {
	const others, reach = 2, 3
	list := f.t.Calls()
	if !list[n].Reads() {
		return false
	}
	seen := map[string]bool{list[n].Exchange.Path: true}
	for i := max(0, n-reach); i < min(len(list), n+reach+1); i++ {
		if c := list[i]; c.Exchange.Operation == list[n].Exchange.Operation && max(c.Began-list[n].Began, list[n].Began-c.Began) <= int64(followSoon) {
			seen[c.Exchange.Path] = true
		}
	}
	return len(seen) > others
}

// unproved finds an answer of the state probe that has a payment fulfilled
// though only a forgery has said that it is Paid.
func (f *follower) unproved(h *trail.Delivery) *tape.Entry {
	id := h.About()
	for _, p := range f.t.Probes() {
		if p.By[id].Fulfilled > 0 && p.Entry.Seq < h.Emitted.Seq {
			return nil // for another reason, which is judged elsewhere
		}
		if p.Entry.Seq < h.Entry.Seq || p.By[id].Fulfilled == 0 {
			continue
		}
		if h.Claims() == "Paid" && !f.proved(id, p) && !f.underWay(h, p.Entry) && !unpaidFulfilled(f.t) {
			return p.Entry
		}
		return nil
	}
	return nil
}

// proved says whether the application could know that a payment is Paid: a
// genuine delivery, or an answer of the service, has said so before the probe was
// asked. Of one that never was nothing could.
func (f *follower) proved(id string, by *trail.Probe) bool {
	if paid := trail.FirstInto(f.t.PaymentChanges()[id], "Paid"); paid == nil || paid.Seq > by.Entry.Seq {
		return false
	}
	for _, h := range f.t.DeliveriesAbout(id) {
		if h.Heard() && h.Says() == "Paid" && f.t.Reached(h, by) {
			return true
		}
	}
	for e := range f.t.CallEntries() {
		if e.Seq > by.Entry.Seq {
			break
		}
		x := e.Exchange
		body := strings.ToLower(string(x.Response.Body))
		about := strings.Contains(strings.ToLower(x.Path), id) || strings.Contains(body, id)
		if about && (strings.Contains(body, `"paid"`) || strings.Contains(body, `"success"`) || strings.Contains(body, `"completed"`)) {
			return true
		}
	}
	return false
}

// underWay says whether a delivery was begun after one that was refused and before
// an entry, and was not over when the tape ends.
func (f *follower) underWay(h *trail.Delivery, by *tape.Entry) bool {
	begun := map[uint64]bool{}
	for i := range f.t.Entries {
		e := &f.t.Entries[i]
		switch {
		case e.Attempt != nil:
			delete(begun, e.Cause)
		case e.Seq <= h.Entry.Seq || e.Seq > by.Seq:
		case e.Timer != nil && e.Timer.Name == "delivery", e.Kind == tape.KindControl && e.Exchange != nil && e.Exchange.Operation == "resendDelivery":
			begun[e.Seq] = true
		}
	}
	return len(begun) > 0
}
